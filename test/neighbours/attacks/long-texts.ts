import type { Document } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/** An ellipsis that has to drop thousands of invisible characters took 16 seconds, and 5,000 Chinese characters took 3.5. */
export const longTexts: Attack = {
  name: 'texts with 4,900 invisible and with 2,000 different Chinese characters',
  async start({ a }) {
    const workflowId = await a.save({
      name: 'Long texts',
      parameters: [{ name: 'text', type: 'string', required: true }],
      nodes: {
        text: {
          type: 'text',
          params: { text: '{{ text }}', size: 10, box: { x: 0, y: 0, width: 200, height: 20 }, fit: 'ellipsis' },
        },
      },
      output: { node: 'text', format: 'png' },
    } as Document)
    const invisible = `${'W'.repeat(20)}${'\u200b'.repeat(4_900)} ${'W'.repeat(29)}`
    const chinese = String.fromCodePoint(...Array.from({ length: 2_000 }, (_, i) => 0x4e00 + i))
    const texts = [invisible, chinese].map((text) => JSON.stringify({ workflowId, parameters: { text } }))
    return repeat(2, (n, signal) => a.send('POST', '/workflows/execute', { text: texts[n % 2] ?? '', signal }))
  },
}
