import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produce } from 'immer'
import { emptyDocument } from '../../api/read-document.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { copyText, pasteNodes, pasteWorkflow, readText } from './clipboard.ts'

const card: WorkflowDocument = {
  name: 'Card',
  parameters: [
    { name: 'photo', type: 'string' },
    { name: 'unused', type: 'string' },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    soft: { type: 'blur', inputs: { image: 'photo' } },
  },
  output: { node: 'soft' },
}
const positions = new Map([
  ['photo', { x: 100, y: 50 }],
  ['soft', { x: 400, y: 90 }],
])

test('copied nodes can be pasted into another workflow with their parameters, wires and positions', async () => {
  const text = copyText(card, ['photo', 'soft'], positions)
  const pasted = await readText(text ?? '')
  assert.ok(pasted)
  const next = produce(emptyDocument, (document) => {
    assert.deepEqual(pasteNodes(document, pasted.document, { x: 0, y: 0 }), ['photo', 'soft'])
  })
  assert.deepEqual(next.parameters, [{ name: 'photo', type: 'string' }])
  assert.deepEqual(next.nodes, card.nodes)
  assert.deepEqual(next.layout, { photo: [0, 0], soft: [300, 40] })
})

test('pasted nodes keep inputs that exist in the target, and lose the others', async () => {
  const pasted = await readText(copyText(card, ['soft'], positions) ?? '')
  assert.ok(pasted)
  const here = produce(card, (document) => void pasteNodes(document, pasted.document, undefined))
  assert.deepEqual(here.nodes['soft-2'], { type: 'blur', inputs: { image: 'photo' } })
  const elsewhere = produce(emptyDocument, (document) => void pasteNodes(document, pasted.document, undefined))
  assert.deepEqual(elsewhere.nodes.soft, { type: 'blur' })
})

test('reads an entire workflow from JSON, YAML, a fenced block, and a response of the API', async () => {
  const texts = [
    JSON.stringify(card),
    'name: Card\nnodes:\n  soft: { type: blur }\noutput: { node: soft }\n',
    '```yaml\nname: Card\nnodes:\n  soft: { type: blur }\noutput: { node: soft }\n```\n',
    JSON.stringify({ workflowId: 'wf_1', document: card }),
  ]
  for (const text of texts) {
    const read = await readText(text)
    assert.equal(read?.isComplete, true, text)
    assert.equal(read?.document.name, 'Card')
  }
})

test('text without a workflow is rejected', async () => {
  for (const text of ['', 'hello', '{"nodes": []}', '{"nodes": {}}', 'nodes: [', '{"nodes": {"a": 5}}'])
    assert.equal(await readText(text), undefined, text)
})

test('an entire workflow in place of an empty one keeps its name, unless the empty one has a name', () => {
  assert.equal(produce(emptyDocument, (document) => pasteWorkflow(document, card, false)).name, 'Card')
  const named = produce({ ...emptyDocument, name: 'Mine' }, (document) => pasteWorkflow(document, card, true))
  assert.deepEqual(named, { ...card, name: 'Mine' })
})
