import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { checker, isColor } from './validate.ts'
import { WorkflowDocument } from './workflows/workflow.ts'

function messages(schema: TSchema, value: unknown): string[] {
  return checker(schema)(value, 'at').map(({ path, message }) => `${path} ${message}`)
}

describe('a validation problem has a path, the value that was sent and the expected value', () => {
  const closed = { additionalProperties: false }
  const cases: [string, TSchema, unknown, string[]][] = [
    ['a wrong type', Type.Object({ n: Type.Number() }), { n: '5' }, ['at.n must be a number, not "5" (a string)']],
    ['a missing field', Type.Object({ n: Type.Number() }), {}, ['at.n is required']],
    [
      'an unknown field',
      Type.Object({ n: Type.Number() }, closed),
      { n: 1, m: 2 },
      ['at.m is not a known field. Allowed: "n".'],
    ],
    ['a bound', Type.Integer({ minimum: 1 }), 0, ['at must be at least 1, not 0']],
    ['an enum', Type.Enum(['a', 'b']), 'c', ['at must be one of "a", "b", not "c"']],
    [
      'a union of literals',
      Type.Union([Type.Literal('a'), Type.Literal('b')]),
      'c',
      ['at must be one of "a", "b", not "c"'],
    ],
    [
      'one of two required',
      Type.Object({}, { anyOf: [{ required: ['w'] }, { required: ['h'] }] }),
      {},
      ['at requires at least one of "w", "h"'],
    ],
    ['an item of a list', Type.Array(Type.Integer()), [1, 'x'], ['at.1 must be a whole number, not "x" (a string)']],
  ]
  for (const [name, schema, value, expected] of cases)
    it(name, () => assert.deepEqual(messages(schema, value), expected))

  it('reports all problems together, up to a limit', () => {
    assert.equal(messages(Type.Array(Type.Integer()), Array(5_000).fill('x')).length, 100)
  })
  it('shortens a long value in the message', () => {
    assert.ok((messages(Type.Integer(), 'x'.repeat(10_000))[0] ?? '').length < 200)
  })
})

describe('the document schema', () => {
  it('rejects node ids that do not match their pattern', () => {
    const node = { type: 'canvas' }
    const base = { name: 'x', output: { node: 'a' } }
    for (const id of ['A', '1a', '', 'a b', 'x'.repeat(65), 'constructor '])
      assert.equal(messages(WorkflowDocument, { ...base, nodes: { [id]: node } }).length, 1, id)
    assert.deepEqual(messages(WorkflowDocument, { ...base, nodes: { constructor: node, a_b: node } }), [])
  })
})

describe('the name of a workflow', () => {
  it('can be any text that both databases can store', () => {
    const document = { nodes: { a: { type: 'canvas' } }, output: { node: 'a' } }
    for (const text of ['Ünïcode\n\u{1f389}', ' ', '\ufffd'])
      assert.deepEqual(messages(WorkflowDocument, { ...document, name: text, description: text }), [])
    assert.equal(messages(WorkflowDocument, { ...document, name: 'a\0', description: '\0' }).length, 2)
  })
})

describe('colours', () => {
  it('are the colours of CSS', () => {
    for (const text of [
      '#0af',
      '#0000',
      '#00aaff80',
      'white',
      'transparent',
      'rgb(0, 10, 20)',
      'rgba(0, 10, 20, 0.5)',
      'hsl(200, 100%, 50%)',
    ])
      assert.ok(isColor(text), text)
    for (const text of ['', 'reddish', '#12345', 'rgb(1,2)', 'javascript:1', '#gggggg', 'url(x)'])
      assert.ok(!isColor(text), text)
  })
  it('are short, so that no text takes long to compare: this one would take hours', () => {
    for (const start of ['hsl(1', 'rgb(1% 1%', 'rgb(1 1 1', 'hwb(1']) assert.ok(!isColor(`${start}${' '.repeat(1e6)}x`))
    assert.ok(isColor(`rgb(0,${' '.repeat(40)}10, 20)`))
  })
})
