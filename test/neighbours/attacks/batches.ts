import type { Workflow } from '../../harness/types.ts'
import { type Attack, repeat } from '../load.ts'
import { bodyOf } from '../setup.ts'
import { slow } from './waiting-executions.ts'

/** The rows of a batch are not in the queue until their turn: they must neither fill it nor overtake the executions of another account. */
export const runningBatch: Attack = {
  name: 'a batch of 1,000 rows of 0.3 s, and uploads of more rows to a second one',
  async start({ a }) {
    const workflowId = await a.save({ ...slow, parameters: [{ name: 'row', type: 'string' }] })
    const rows = (first: number) => ({
      type: 'text/csv',
      body: Buffer.from(['key,row', ...Array.from({ length: 1_000 }, (_, i) => `${first + i},${i}`)].join('\n')),
    })
    const create = async () => bodyOf<Workflow>(await a.send('POST', '/batches', { json: { workflowId } })).id
    const [running, filled] = [await create(), await create()]
    await a.send('PUT', `/batches/${running}/items`, { bytes: rows(0) })
    await a.send('POST', `/batches/${running}/start`)
    return repeat(2, (n, signal) => a.send('PUT', `/batches/${filled}/items`, { bytes: rows(n * 1_000), signal }))
  },
}
