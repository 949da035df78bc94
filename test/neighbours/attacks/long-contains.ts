import { type Document, naming } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** Security review, 2: LiquidJS looks at its clock only between tags, and this is one tag. The limit of operators refuses 250, and accepts 50. */
export const longContains: Attack = {
  name: '`contains` 50 and 250 times over 100,000 items, in one template',
  async start({ a }) {
    const workflowId = await a.save(contains(50))
    const texts = [{ workflowId, parameters: { p: 'x'.repeat(100_000) } }, contains(250)].map((json) =>
      JSON.stringify(json),
    )
    return repeat(4, (n, signal) =>
      a.send('POST', n % 2 === 0 ? '/workflows/execute' : '/workflows', { text: texts[n % 2] ?? '', signal }),
    )
  },
}

/** The template renders when the execution is accepted, because it needs no image. */
function contains(times: number): Document {
  const condition = Array.from({ length: times }, () => 'a contains 1').join(' or ')
  const template = `{% assign a = p | split: "" %}{% if ${condition} %}found{% endif %}none`
  return naming(template, [{ name: 'p', type: 'string', required: true }])
}
