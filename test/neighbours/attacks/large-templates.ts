import type { Document } from '../../harness/documents.ts'
import type { Workflow } from '../../harness/types.ts'
import { type Attack, repeat } from '../load.ts'
import { bodyOf } from '../setup.ts'

/** Security review, 1: checked workflows of any size were cached, 64 MB of heap for each of 479 KB, which are refused today. */
export const largeTemplates: Attack = {
  name: 'documents with large templates, of 479 KB and of the largest size that is accepted, saved and executed',
  settings: { NODE_OPTIONS: '--max-old-space-size=1024' },
  async start({ a }) {
    return repeat(4, async (n, signal) => {
      const document = n % 2 === 0 ? manyReads(n) : manyReads(n, { templates: 4, reads: 3_270 })
      const saved = await a.send('POST', '/workflows', { json: document, signal })
      if (saved.status !== 201) return saved
      const { id } = bodyOf<Workflow>(saved)
      return a.send('POST', '/workflows/execute', { json: { workflowId: id, parameters: { a: 'x' } }, signal })
    })
  },
}

/** Templates that read a parameter; 479 KB by default. Each number gives another document. */
function manyReads(n: number, { templates = 24, reads = 3_990 } = {}): Document {
  const read = '{{a}}'.repeat(reads)
  const text = (i: number) => ({ type: 'text', params: { text: `${n}.${i} ${read}` } })
  const nodes = Object.fromEntries(Array.from({ length: templates }, (_, i) => [`n${i}`, text(i)]))
  return {
    name: `Many reads ${n}`,
    parameters: [{ name: 'a', type: 'string', default: 'x' }],
    nodes: { ...nodes, sheet: { type: 'canvas', params: { width: 8, height: 6, color: '#ff0000' } } },
    output: { node: 'sheet', format: 'png' },
  }
}
