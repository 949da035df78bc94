import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import { dropNulls } from './nulls.ts'

function without(schema: TSchema, value: unknown): unknown {
  dropNulls(schema, value)
  return value
}

test('null for an optional field is dropped, at every depth, and for a required one it stays', () => {
  const inner = { a: Type.Optional(Type.String()), b: Type.Integer(), c: Type.Boolean({ default: true }) }
  const schema = Type.Object({
    name: Type.Optional(Type.String()),
    one: Type.Optional(Type.Object(inner)),
    many: Type.Array(Type.Object(inner)),
    byName: Type.Record(Type.String(), Type.Object(inner)),
  })
  const nulls = () => ({ a: null, b: null, c: null })
  assert.deepEqual(without(schema, { name: null, one: nulls(), many: [nulls()], byName: { x: nulls() } }), {
    one: { b: null },
    many: [{ b: null }],
    byName: { x: { b: null } },
  })
  assert.deepEqual(without(schema, { one: null, many: null, unknown: null }), { many: null, unknown: null })
})

test('null stays if the schema allows null, or any type', () => {
  const schema = Type.Object({
    any: Type.Optional(Type.Unknown()),
    union: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  })
  const value = { any: null, union: null, values: { a: null, b: { c: null } } }
  assert.deepEqual(without(schema, structuredClone(value)), value)
})

test('in a workflow document, optional fields are dropped and the params of nodes stay as they are', () => {
  const node = { type: 'canvas', inputs: null, params: { width: 1, color: null }, when: null, cache: null }
  const document = { name: 'x', description: null, examples: null, nodes: { a: node }, output: { node: 'a' } }
  assert.deepEqual(without(WorkflowDocument, document), {
    name: 'x',
    nodes: { a: { type: 'canvas', params: { width: 1, color: null } } },
    output: { node: 'a' },
  })
})

test('lists and objects with more values than the schema allows are not searched', () => {
  const item = Type.Object({ a: Type.Optional(Type.String()) })
  const schema = Type.Object({
    list: Type.Array(item, { maxItems: 2 }),
    byName: Type.Record(Type.String(), item, { maxProperties: 2 }),
  })
  const of = (count: number) => Array.from({ length: count }, () => ({ a: null }))
  const value = (count: number) => ({ list: of(count), byName: { ...of(count) } })
  assert.deepEqual(without(schema, value(2)), { list: [{}, {}], byName: { 0: {}, 1: {} } })
  assert.deepEqual(without(schema, value(3)), value(3))
})

test('values that are not objects stay for the schema validation', () => {
  for (const value of [null, undefined, 5, 'x', true, []]) assert.deepEqual(without(WorkflowDocument, value), value)
})
