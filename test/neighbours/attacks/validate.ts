import type { Document } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** Security review, 3: every template was parsed and analysed on the event loop, whatever it cost. */
export const validateLarge: Attack = {
  name: 'POST /workflows/validate with 24 templates of 20,000 characters',
  async start({ a }) {
    const text = JSON.stringify(longTemplates(24, 20_000))
    return repeat(2, (_n, signal) => a.send('POST', '/workflows/validate', { text, signal }))
  },
}

export function longTemplates(templates: number, characters: number): Document {
  const tag = '{%if a%}{{a|upcase}}{%endif%}'
  const text = tag.repeat(Math.floor(characters / tag.length))
  const node = { type: 'text', params: { text } }
  return {
    name: 'Long templates',
    parameters: [{ name: 'a', type: 'string', default: 'x' }],
    nodes: Object.fromEntries(Array.from({ length: templates }, (_, i) => [`n${i}`, node])),
    output: { node: 'n0', format: 'png' },
  }
}
