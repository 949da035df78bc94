import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { schemaProblems, type ValueSchema } from '../../../shared/json-schema.ts'
import { declarations, valuesFor } from '../../../test/harness/random-schemas.ts'
import { checkDeclarations } from '../../engine/check/parameters.ts'
import { responseSchema, unwrapped } from './response-schema.ts'

test('every object is closed and has all its fields, and optional ones can be null', () => {
  const sent = responseSchema({
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'string', title: 'Headline', maxLength: 40, default: 'x' },
      b: { type: 'array', items: { type: 'string', format: 'date', description: 'Of the event.' } },
    },
  })
  assert.deepEqual(sent, {
    type: 'object',
    properties: {
      a: { type: 'string', description: 'Headline At most 40 characters.' },
      b: {
        anyOf: [
          { type: 'array', items: { type: 'string', description: 'Of the event. A date such as "2026-03-31".' } },
          { type: 'null' },
        ],
      },
    },
    required: ['a', 'b'],
    additionalProperties: false,
  })
})

test('a list has an object around it, which is removed from the response', () => {
  const list: ValueSchema = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }
  assert.deepEqual(Object.keys(responseSchema(list).properties as object), ['items'])
  assert.equal(unwrapped(list, '{"items":[{"a":null},{"a":"b"}]}'), '[{},{"a":"b"}]')
  assert.equal(unwrapped(list, 'no JSON'), 'no JSON')
  assert.equal(unwrapped(list, '{"other":1}'), '{"other":1}')
})

test('a value of the schema is a value of the sent schema with null in place of missing fields', () => {
  const schemas = declarations.filter(
    ({ schema, ...rest }) =>
      schema !== undefined &&
      checkDeclarations([{ schema, ...rest } as Parameters<typeof checkDeclarations>[0][0]]).length === 0,
  )
  const cases = schemas.chain((declared) => fc.tuple(fc.constant(declared), valuesFor(declared)))
  let checked = 0
  fc.assert(
    fc.property(cases, ([{ schema }, passed]) => {
      const of = schema as ValueSchema
      const value = JSON.parse(JSON.stringify(passed)) as unknown
      if (schemaProblems(of, value).length > 0 || hasOthers(of, value)) return
      checked += 1
      const filled = withNulls(of, value)
      const sent = of.type === 'array' ? { items: filled } : filled
      assert.ok(new Ajv2020({ strict: false }).validate(responseSchema(of), sent), JSON.stringify({ of, sent }))
      assert.deepEqual(JSON.parse(unwrapped(of, JSON.stringify(sent))), value)
    }),
    { numRuns: 300 },
  )
  assert.ok(checked > 30, `${checked} values fit`)
})

/** Fields that the schema doesn't declare, which a model can't return. */
function hasOthers({ properties = {}, items }: ValueSchema, value: unknown): boolean {
  if (Array.isArray(value)) return items !== undefined && value.some((each) => hasOthers(items, each))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, child]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    return field === undefined || hasOthers(field, child)
  })
}

function withNulls({ properties = {}, items }: ValueSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((each) => withNulls(items, each)) : value
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    Object.hasOwn(value, name) ? withNulls(field, value[name as keyof typeof value]) : null,
  ])
  return Object.fromEntries(fields)
}
