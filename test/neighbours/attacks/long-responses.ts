import type { Execution, Workflow } from '../../harness/types.ts'
import { type Attack, repeat, sendAll } from '../load.ts'
import { bodyOf, type Neighbour } from '../setup.ts'

const clients = 40
/** The longest values that a string parameter and the defaults of a batch can have. */
const text = 'x'.repeat(99_000)
const defaults = { t0: 'x'.repeat(65_000) }
const names = Array.from({ length: 9 }, (_, i) => `t${i}`)

/** Reads of lists whose items are as long as they can be. A burst of them was read, parsed and serialized in one turn of the event loop. */
export const longResponses: Attack = {
  name: 'lists of batches with 65 KB of defaults, of their rows and of executions with 900 KB each, and single ones',
  // Each of its open requests may take 50 ms.
  mainThreadMsMax: 50 * clients,
  async start({ a }) {
    const parameters = names.map((name) => ({ name, type: 'string' }))
    const nodes = { a: { type: 'canvas', params: { width: 8, height: 6 } } }
    const workflowId = await a.save({ name: 'Long', parameters, nodes, output: { node: 'a', format: 'png' } })
    const all = JSON.stringify({ workflowId, parameters: Object.fromEntries(names.map((name) => [name, text])) })
    const { executionId } = bodyOf<Execution>(await a.send('POST', '/workflows/execute', { text: all }))
    await sendAll(2, () => a.send('POST', '/workflows/execute', { text: all }), 19)
    await sendAll(4, () => a.send('POST', '/batches', { json: { workflowId, defaults } }), 100)
    const batchId = await withLongRows(a, workflowId)
    const lists = ['/batches', `/batches/${batchId}/items`, '/workflows/executions'].map((path) => `${path}?limit=100`)
    const paths = [...lists, `/workflows/executions/${executionId}`]
    return repeat(clients, (n, signal) => a.send('GET', paths[n % paths.length] ?? '', { signal }))
  },
}

async function withLongRows(a: Neighbour, workflowId: string): Promise<string> {
  const { id } = bodyOf<Workflow>(await a.send('POST', '/batches', { json: { workflowId } }))
  const row = (_: unknown, i: number) => JSON.stringify({ key: `r${i}`, t0: text, t1: text, t2: text })
  const body = Buffer.from(Array.from({ length: 50 }, row).join('\n'))
  const { status } = await a.send('PUT', `/batches/${id}/items`, { bytes: { type: 'application/x-ndjson', body } })
  if (status !== 200) throw new Error(`The rows were rejected with ${status}.`)
  return id
}
