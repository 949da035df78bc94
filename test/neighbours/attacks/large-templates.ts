import type { Document } from '../../harness/documents.ts'
import type { Workflow } from '../../harness/types.ts'
import { type Attack, repeat } from '../load.ts'
import { bodyOf } from '../setup.ts'

/** Security review, 1: checked workflows of any size were cached, 64 MB of heap for each of these. */
export const largeTemplates: Attack = {
  name: 'documents of 479 KB with 24 large templates, saved and executed',
  settings: { NODE_OPTIONS: '--max-old-space-size=1024' },
  async start({ a }) {
    return repeat(4, async (n, signal) => {
      const saved = await a.send('POST', '/workflows', { json: manyReads(n), signal })
      if (saved.status !== 201) return saved
      const { id } = bodyOf<Workflow>(saved)
      return a.send('POST', '/workflows/execute', { json: { workflowId: id, parameters: { a: 'x' } }, signal })
    })
  },
}

/** 24 templates of 3,990 reads each: 479 KB. Each number gives another document. */
export function manyReads(n: number, { templates = 24, reads = 3_990 } = {}): Document {
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
