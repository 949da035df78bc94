import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produce } from 'immer'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { addParameter, removeParameter, renameParameter } from './parameters.ts'

const card: WorkflowDocument = {
  name: 'Card',
  parameters: [
    { name: 'width', type: 'number', default: 1200 },
    { name: 'headline', type: 'string' },
  ],
  nodes: {
    ground: {
      type: 'make',
      when: '{{ headline }}',
      params: { width: '{{ width }}', box: { width: '{{ width | minus: 64 }}' } },
    },
    title: { type: 'blur', inputs: { image: 'ground' }, params: { text: '{{ headline }}', more: ['{{ headline }}!'] } },
  },
  output: { node: 'title', name: '{{ headline }}-{{ width }}' },
  examples: [{ name: 'short', parameters: { headline: 'Hi', width: 10 } }],
}

test('renaming a parameter renames it in every template and example, and nodes keep their ids', () => {
  const next = produce(card, (document) => void renameParameter(document, 'width', 'w'))
  assert.deepEqual(next.nodes.ground?.params, { width: '{{ w }}', box: { width: '{{ w | minus: 64 }}' } })
  assert.equal(next.output?.name, '{{ headline }}-{{ w }}')
  assert.equal(next.output?.node, 'title')
  assert.deepEqual(next.examples?.[0]?.parameters, { headline: 'Hi', w: 10 })
  assert.deepEqual(next.nodes.title?.inputs, { image: 'ground' })
  produce(card, (document) => {
    assert.match(renameParameter(document, 'width', 'headline') ?? '', /already/)
    assert.match(renameParameter(document, 'width', '1st') ?? '', /letter/)
  })
})

test('fields that consist of a removed parameter get its default, or are removed', () => {
  const next = produce(card, (document) => {
    removeParameter(document, 'width')
    removeParameter(document, 'headline')
  })
  assert.equal(next.parameters, undefined)
  assert.deepEqual(next.nodes.ground, {
    type: 'make',
    params: { width: 1200, box: { width: '{{ width | minus: 64 }}' } },
  })
  assert.deepEqual(next.nodes.title?.params, { more: ['{{ headline }}!'] })
  assert.deepEqual(next.examples?.[0]?.parameters, {})
})

test('a new parameter has a unique name', () => {
  const next = produce(card, (document) => {
    assert.equal(addParameter(document, { name: 'width' }), 'width-2')
    assert.equal(addParameter(document), 'parameter')
  })
  assert.deepEqual(next.parameters?.at(-1), { type: 'string', name: 'parameter' })
})
