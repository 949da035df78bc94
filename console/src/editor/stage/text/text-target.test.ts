import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Parameter } from '../../../api/workflow-document.ts'
import { textTarget } from './text-target.ts'

const parameters: Parameter[] = [
  { name: 'title', type: 'string', default: 'Launch day' },
  { name: 'size', type: 'number' },
  { name: 'look', type: 'string', enum: ['dark', 'light'] },
]
const of = (text: unknown, values = {}) => textTarget({ params: { text }, parameters, values, param: 'text' })

test('plain text is edited in the document, also the missing one', () => {
  assert.deepEqual(of('Hello'), { kind: 'param', value: 'Hello' })
  assert.deepEqual(of(undefined), { kind: 'param', value: '' })
})

test('a plain parameter is edited in the run form, from its default', () => {
  assert.deepEqual(of('{{ title }}'), { kind: 'parameter', name: 'title', value: 'Launch day' })
  assert.deepEqual(of('{{title}}', { title: '' }), { kind: 'parameter', name: 'title', value: '' })
})

test('other templates are locked, with what they depend on', () => {
  for (const [text, names] of [
    ['{{ title | upcase }}', 'title'],
    ['{{ title }} {{ look }}', 'title, look'],
    ['{{ size }}', 'size'],
    ['{{ look }}', 'look'],
    ['{{ nodes.write.text }}', 'nodes.write'],
  ]) {
    const target = of(text)
    assert.equal(target.kind, 'locked')
    assert.ok(target.kind === 'locked' && target.reason.includes(names ?? ''), JSON.stringify(target))
  }
})
