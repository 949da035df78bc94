import { naming } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** A slice with 100,000 digits took five seconds: LiquidJS read them as a number for each character of the text. */
export const longNumbers: Attack = {
  name: 'four slices with numbers of 100,000 digits, in one template',
  async start({ a }) {
    const parameters = ['p', 'd'].map((name) => ({ name, type: 'string' as const, required: true }))
    const workflowId = await a.save(naming(`${'{{ p | slice: d }}'.repeat(4)}none`, parameters))
    const values = { p: 'x'.repeat(100_000), d: '1'.repeat(100_000) }
    const text = JSON.stringify({ workflowId, parameters: values })
    return repeat(4, (_, signal) => a.send('POST', '/workflows/execute', { text, signal }))
  },
}
