import type { Document } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** Security review, 3: every template was parsed and analysed on the event loop, whatever it cost. */
export const validateLarge: Attack = {
  name: 'POST /workflows/validate with 24 and with 3 templates of 20,000 characters',
  async start({ a }) {
    // The first is refused by its size, and the second has nearly as many characters as a document can have.
    const texts = [24, 3].map((templates) => JSON.stringify(longTemplates(templates, 20_000)))
    return repeat(2, (n, signal) => a.send('POST', '/workflows/validate', { text: texts[n % 2] ?? '', signal }))
  },
}

function longTemplates(templates: number, characters: number): Document {
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
