import type { Document } from '../../harness/documents.ts'
import { until } from '../../harness/wait.ts'
import { type Attack, repeat, sendAll } from '../load.ts'

/** Security review, 4: executions started in the order of their submission, and the limit of waiting ones was global. */
export function waitingExecutions(waiting: number): Attack {
  return {
    name: `${waiting} executions of 0.3 s that wait, and more that are refused`,
    // Half of this is the limit of one account.
    settings: { EXECUTIONS_WAITING_MAX: String(2 * waiting) },
    async start({ a }) {
      const text = JSON.stringify({ workflowId: await a.save(slow), async: true })
      const submit = (_n: number, signal: AbortSignal) => a.send('POST', '/workflows/execute', { text, signal })
      await sendAll(8, submit, waiting)
      const load = repeat(2, submit)
      await until('a request above the limit', () => load.responses.has(429) || undefined)
      return load
    },
  }
}

/** A document that takes about 0.3 s of one core. */
export const slow: Document = {
  name: 'Slow',
  nodes: {
    sheet: { type: 'canvas', params: { width: 1_400, height: 1_100, color: '#4060a0' } },
    median: { type: 'median', inputs: { image: 'sheet' }, params: { size: 5 } },
  },
  output: { node: 'median', format: 'png' },
}
