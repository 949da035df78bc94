/** An example workflow for a new user: a link card, which needs no image. */
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import type { Editor } from '../../state/editor.ts'
import { pasteText } from './clipboard.ts'

const example: WorkflowDocument = {
  name: 'Link card',
  description: 'A 1200 x 630 card for a link, from a headline and a colour.',
  parameters: [
    { name: 'headline', type: 'string', default: 'Draw it once, run it forever', description: 'Text on the card' },
    { name: 'colour', type: 'string', default: '#b65f27', description: 'The colour of the card' },
  ],
  nodes: {
    ground: { type: 'gradient', params: { width: 1200, height: 630, from: '{{ colour }}', to: '#211d1a', angle: 135 } },
    grain: { type: 'grain', inputs: { image: 'ground' } },
    headline: {
      type: 'text',
      inputs: { image: 'grain' },
      params: {
        text: '{{ headline }}',
        box: { x: 80, y: 80, width: 820, height: 470 },
        size: 96,
        fit: 'shrink',
        weight: 700,
        color: 'white',
      },
    },
    code: { type: 'qr', params: { text: 'https://example.com', size: 160 } },
    card: { type: 'composite', inputs: { image: 'headline', overlay: 'code' }, params: { position: 'south-east' } },
  },
  output: { node: 'card' },
}

export async function startWithExample(editor: Editor): Promise<void> {
  await pasteText(editor, JSON.stringify(example))
}
