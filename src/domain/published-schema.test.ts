import assert from 'node:assert/strict'
import { it } from 'node:test'
import Type from 'typebox'
import { publishedSchema } from './published-schema.ts'

it('a field with a default is optional at any depth, a field without one stays required', () => {
  const schema = Type.Object({
    a: Type.Number({ default: 1 }),
    b: Type.String(),
    c: Type.Object({ d: Type.Number({ default: 2 }) }),
  })
  const found = publishedSchema(schema) as unknown as { required: string[]; properties: { c: object } }
  assert.deepEqual(found.required, ['b', 'c'])
  assert.ok(!('required' in found.properties.c))
  assert.deepEqual((schema as unknown as { required: string[] }).required, ['a', 'b', 'c'])
})
