import { until } from '../../harness/wait.ts'
import { type Attack, repeat } from '../load.ts'

/** As many as an account can have. */
const endpoints = 20

/** Receivers that never respond, and executions that send an event to each of them. */
export const slowWebhooks: Attack = {
  name: `executions with ${endpoints} webhook endpoints that do not respond`,
  async start({ a, outside, sourceUrl }) {
    const ids: string[] = []
    for (let i = 0; i < endpoints; i++) {
      const path = `/silent-webhook-${i}`
      outside.serve(path, (request) => request.resume())
      const { status, bytes } = await a.send('POST', '/webhook-endpoints', { json: { url: sourceUrl(path) } })
      if (status !== 201) throw new Error(`The endpoint was rejected with ${status}: ${bytes}`)
      ids.push(JSON.parse(bytes.toString()).id)
    }
    const nodes = { a: { type: 'canvas', params: { width: 8, height: 6 } } }
    const workflowId = await a.save({ name: 'Sends events', nodes, output: { node: 'a', format: 'png' } })
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
