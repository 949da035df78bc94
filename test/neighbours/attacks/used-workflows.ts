import type { Document } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** Templates of used workflows count together. Each of these 30 has a thirtieth of the characters, and all are checked again for each request. */
export const usedWorkflows: Attack = {
  name: 'POST /workflows/validate with 30 used workflows of 2,100 template characters each',
  async start({ a }) {
    const used: string[] = []
    for (let i = 0; i < 30; i++) used.push(await a.save(readsOf(i)))
    const nodes = Object.fromEntries(used.map((id, i) => [`n${i}`, { type: 'workflow', workflow: `${id}@1` }]))
    const text = JSON.stringify({ name: 'Uses all', nodes, output: { node: 'n0', format: 'png' } })
    return repeat(4, (_n, signal) => a.send('POST', '/workflows/validate', { text, signal }))
  },
}

function readsOf(n: number): Document {
  return {
    name: `Used ${n}`,
    parameters: [{ name: 'a', type: 'string', default: 'x' }],
    nodes: { text: { type: 'text', params: { text: '{{a}}'.repeat(420) } } },
    output: { node: 'text', format: 'png' },
  }
}
