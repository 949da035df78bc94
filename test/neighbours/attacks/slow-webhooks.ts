import { canvas } from '../../harness/documents.ts'
import { until } from '../../harness/wait.ts'
import { type Attack, repeat } from '../load.ts'
import { bodyOf } from '../setup.ts'

/** Number of endpoints that an account can have. */
const endpoints = 20

/** Receivers that never respond, and executions that send an event to each of them. */
export const slowWebhooks: Attack = {
  name: `executions with ${endpoints} webhook endpoints that do not respond`,
  async start({ a, outside, sourceUrl }) {
    const ids: string[] = []
    for (let i = 0; i < endpoints; i++) {
      const path = `/silent-webhook-${i}`
      outside.serve(path, (request) => request.resume())
      const response = await a.send('POST', '/webhook-endpoints', { json: { url: sourceUrl(path) } })
      if (response.status !== 201)
        throw new Error(`The endpoint was rejected with ${response.status}: ${response.bytes}`)
      ids.push(bodyOf<{ id: string }>(response).id)
    }
    const workflowId = await a.save(canvas())
    const load = repeat(4, (_n, signal) =>
      a.send('POST', '/workflows/execute', { json: { workflowId, async: true }, signal }),
    )
    const attempted = () => new Set(outside.requested.filter((path) => path.startsWith('/silent-webhook-'))).size
    await until('an attempt that waits', () => attempted() > 0 || undefined)
    return {
      ...load,
      async stop() {
        await load.stop()
        for (const id of ids) await a.send('DELETE', `/webhook-endpoints/${id}`)
      },
    }
  },
}
