import { type Document, naming } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** Security review, 2: LiquidJS looks at its clock only between tags, and this is one tag. Limits refuse the first two, and accept the third. */
export const longContains: Attack = {
  name: '`contains` 250 and 50 times over 100,000 items, and 20 times over 2,000, in one template',
  async start({ a }) {
    const execute = async (times: number, items: number) =>
      [
        '/workflows/execute',
        { workflowId: await a.save(contains(times)), parameters: { p: 'x'.repeat(items) } },
      ] as const
    const requests = [['/workflows', contains(250)], await execute(50, 100_000), await execute(20, 2_000)] as const
    const texts = requests.map(([path, json]) => [path, JSON.stringify(json)] as const)
    return repeat(4, (n, signal) => {
      const [path = '', text = ''] = texts[n % texts.length] ?? []
      return a.send('POST', path, { text, signal })
    })
  },
}

/** The template renders when the execution is accepted, because it needs no image. */
function contains(times: number): Document {
  const condition = Array.from({ length: times }, () => 'a contains 1').join(' or ')
  const template = `{% assign a = p | split: "" %}{% if ${condition} %}found{% endif %}none`
  return naming(template, [{ name: 'p', type: 'string', required: true }])
}
