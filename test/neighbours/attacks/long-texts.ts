import type { Document } from '../../harness/documents.ts'
import { type Attack, repeat } from '../load.ts'

/**
 * An ellipsis that has to drop thousands of invisible characters took 16 seconds, and 5,000 Chinese characters took 3.5. The layout of a
 * chart stopped the process for a second.
 */
export const longTexts: Attack = {
  name: 'texts with 4,900 invisible and with 2,000 different Chinese characters, and charts with long names',
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
    const chartId = await a.save({
      name: 'Long names',
      parameters: [{ name: 'data', type: 'string', required: true }],
      nodes: {
        chart: {
          type: 'chart',
          params: { data: '{{ data }}', kind: 'area', width: 2_560, height: 2_560, fontSize: 8, horizontal: true },
        },
      },
      output: { node: 'chart', format: 'jpeg' },
    } as Document)
    const invisible = `${'W'.repeat(20)}${'\u200b'.repeat(4_900)} ${'W'.repeat(29)}`
    const chinese = String.fromCodePoint(...Array.from({ length: 2_000 }, (_, i) => 0x4e00 + i))
    const data = Array.from({ length: 120 }, (_, i) => `${i}${'aあ图م'.repeat(35)},${i % 50},${i % 7}`).join('\n')
    const bodies = [
      ...[invisible, chinese].map((text) => ({ workflowId, parameters: { text } })),
      { workflowId: chartId, parameters: { data } },
    ].map((body) => JSON.stringify(body))
    return repeat(3, (n, signal) =>
      a.send('POST', '/workflows/execute', { text: bodies[n % bodies.length] ?? '', signal }),
    )
  },
}
