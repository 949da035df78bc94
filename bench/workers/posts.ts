/** Accepted executions per second of one API, without a worker. */
import { call } from '../client.ts'
import { cpuMs, treeCpuMs } from '../processes.ts'
import { percentile } from '../statistics.ts'
import type { Cluster } from './cluster.ts'

export interface Posts {
  clients: number
  perSecond: number
  ms: { p50: number; p95: number }
  /** CPU per execution: of the API, and of PostgreSQL. */
  cpuMs: { api: number; postgres: number }
}

const requests = 320
const rounds = 4

export async function measurePosts({
  account: { api, key },
  api: service,
  database,
  postgresPid,
}: Cluster): Promise<Posts[]> {
  const canvas = { type: 'canvas', params: { width: 8, height: 8, color: '#404040' } }
  const document = { name: 'Posted', nodes: { canvas }, output: { node: 'canvas', format: 'png' } }
  const { id: workflowId } = await call<{ id: string }>({ url: `${api}/workflows`, key, json: document })
  const post = () => call({ url: `${api}/workflows/execute`, key, json: { workflowId, async: true } })
  const all = [1, 16].map((clients) => ({ clients, seconds: 0, api: 0, postgres: 0, latencies: [] as number[] }))
  for (let round = -1; round < rounds; round += 1) {
    for (const point of all) {
      let left = requests
      const latencies: number[] = []
      const before = { ms: performance.now(), api: cpuMs(service.pid), postgres: treeCpuMs(postgresPid) }
      await Promise.all(
        Array.from({ length: point.clients }, async () => {
          while (left-- > 0) {
            const startMs = performance.now()
            await post()
            latencies.push(performance.now() - startMs)
          }
        }),
      )
      // The first round warms everything up.
      if (round >= 0) {
        point.seconds += (performance.now() - before.ms) / 1000
        point.api += cpuMs(service.pid) - before.api
        point.postgres += treeCpuMs(postgresPid) - before.postgres
        point.latencies.push(...latencies)
      }
      // The same number waits at the beginning of each turn: none.
      await database.query('delete from executions where workflow_id = $1', [workflowId])
      await database.query('vacuum analyze executions')
    }
  }
  return all.map(({ clients, seconds, latencies, ...cpu }) => ({
    clients,
    perSecond: latencies.length / seconds,
    ms: { p50: percentile(latencies, 50), p95: percentile(latencies, 95) },
    cpuMs: { api: cpu.api / latencies.length, postgres: cpu.postgres / latencies.length },
  }))
}
