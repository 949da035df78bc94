/** Time until another worker takes over executions of a killed one, and until a worker detects a cancellation. */
import { setTimeout as pause } from 'node:timers/promises'
import { scale } from '../../test/harness/documents.ts'
import { type SourceHost, startSourceHost } from '../../test/harness/source-host.ts'
import { until } from '../../test/harness/wait.ts'
import { call } from '../client.ts'
import type { RunningProcess } from '../processes.ts'
import type { Cluster } from './cluster.ts'

/** Seconds. */
export interface TakeOvers {
  /** Milliseconds from SIGKILL to the start of the next attempt. */
  started: number[]
}

/** Milliseconds. */
export interface Cancellations {
  /** Milliseconds from the request to its response, at which time the execution has ended. */
  answered: number[]
  /** Milliseconds from the request to the end of the worker's work. */
  stopped: number[]
}

const takeOvers = 5
const cancellations = 20

/** Each with a step that waits for a source, which records the start and the end of the request. */
export async function measureTakeOvers(cluster: Cluster): Promise<TakeOvers> {
  return withSource(cluster, async (source, execute) => {
    const started: number[] = []
    let worker = await cluster.startWorker()
    for (let i = 0; i < takeOvers; i += 1) {
      const hold = source.hold()
      const id = await execute(hold.url)
      await hold.waiting()
      const next = await cluster.startWorker()
      // At different times after its last heartbeat.
      await pause(1_000 + Math.random() * 1_000)
      const killedAt = Date.now()
      await worker.kill()
      await until('the next attempt', () => timesRequested(source, hold.url) === 2 || undefined, 60)
      const { startedAt } = await look(cluster, id)
      started.push((Date.parse(startedAt) - killedAt) / 1000)
      hold.release()
      await until('its end', async () => (await look(cluster, id)).status === 'completed' || undefined)
      worker = next
    }
    await worker.stop()
    return { started }
  })
}

export async function measureCancellations(cluster: Cluster): Promise<Cancellations> {
  return withSource(cluster, async (source, execute) => {
    const worker: RunningProcess = await cluster.startWorker()
    const results: Cancellations = { answered: [], stopped: [] }
    for (let i = 0; i < cancellations; i += 1) {
      const left = Promise.withResolvers<number>()
      const url = source.serve(`/never/${i}`, (_request, response) =>
        response.on('close', () => left.resolve(performance.now())),
      )
      const id = await execute(url)
      await until('the step', () => timesRequested(source, url) === 1 || undefined)
      await pause(Math.random() * 200)
      const sentMs = performance.now()
      await call({
        url: `${cluster.account.api}/workflows/executions/${id}/cancel`,
        key: cluster.account.key,
        json: {},
      })
      results.answered.push(performance.now() - sentMs)
      results.stopped.push((await left.promise) - sentMs)
    }
    await worker.stop()
    return results
  })
}

type Execute = (source: string) => Promise<string>

async function withSource<T>(cluster: Cluster, work: (source: SourceHost, execute: Execute) => Promise<T>): Promise<T> {
  const source = await startSourceHost()
  const { api, key } = cluster.account
  const { id: workflowId } = await call<{ id: string }>({ url: `${api}/workflows`, key, json: scale() })
  try {
    return await work(source, async (url) => {
      const json = { workflowId, parameters: { source: url }, async: true }
      return (await call<{ executionId: string }>({ url: `${api}/workflows/execute`, key, json })).executionId
    })
  } finally {
    await source.close()
  }
}

function look({ account: { api, key } }: Cluster, id: string): Promise<{ status: string; startedAt: string }> {
  return call({ url: `${api}/workflows/executions/${id}`, key })
}

function timesRequested({ requested }: SourceHost, url: string): number {
  return requested.filter((each) => url.endsWith(each)).length
}
