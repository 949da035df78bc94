/** Time from a request to the start of its execution on an idle service: with workers, and in one process. */
import { join } from 'node:path'
import { type Account, createAccount } from '../account.ts'
import { call } from '../client.ts'
import { startService } from '../processes.ts'
import { percentile } from '../statistics.ts'
import type { Cluster } from './cluster.ts'

export interface StartLatency {
  name: string
  /** Milliseconds from the request to `startedAt`, and to its response. */
  started: { p50: number; p95: number }
  answered: { p50: number; p95: number }
}

const executions = 300
const warmUps = 30

export async function measureStartLatency(cluster: Cluster, folder: string): Promise<StartLatency[]> {
  const dataDir = join(folder, 'start-latency')
  const service = await startService(dataDir)
  const worker = await cluster.startWorker()
  try {
    const sides = [
      { name: 'a worker, by PostgreSQL', execute: await tiny(cluster.account), started: [], answered: [] },
      {
        name: 'one process on SQLite',
        execute: await tiny(await createAccount(dataDir, service)),
        started: [],
        answered: [],
      },
    ] as (Side & { name: string })[]
    for (let i = 0; i < warmUps; i += 1) for (const { execute } of sides) await execute()
    for (let i = 0; i < executions; i += 1) {
      for (const { execute, started, answered } of sides) {
        const timing = await execute()
        started.push(timing.startedMs)
        answered.push(timing.answeredMs)
      }
    }
    const summary = (values: number[]) => ({ p50: percentile(values, 50), p95: percentile(values, 95) })
    return sides.map(({ name, started, answered }) => ({
      name,
      started: summary(started),
      answered: summary(answered),
    }))
  } finally {
    await worker.stop()
    await service.stop()
  }
}

interface Side {
  execute: () => Promise<{ startedMs: number; answeredMs: number }>
  started: number[]
  answered: number[]
}

/** A canvas of 8 x 8, executed synchronously. */
export async function tiny({ api, key }: Account): Promise<Side['execute']> {
  const canvas = { type: 'canvas', params: { width: 8, height: 8, color: '#404040' } }
  const document = { name: 'Tiny', nodes: { canvas }, output: { node: 'canvas', format: 'png' } }
  const { id } = await call<{ id: string }>({ url: `${api}/workflows`, key, json: document })
  return async () => {
    const [sentAt, sentMs] = [Date.now(), performance.now()]
    const done = await call<{ executionId: string }>({ url: `${api}/workflows/execute`, key, json: { workflowId: id } })
    const answeredMs = performance.now() - sentMs
    const url = `${api}/workflows/executions/${done.executionId}`
    const { startedAt } = await call<{ startedAt: string }>({ url, key })
    return { startedMs: Date.parse(startedAt) - sentAt, answeredMs }
  }
}
