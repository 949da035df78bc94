import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultText, placeholderOf } from './default-text.ts'
import type { JsonSchema } from './schema.ts'
import { catalogueOf } from './test-catalogue.ts'

const operations = await catalogueOf()

function schemaOf(id: string, name: string): JsonSchema {
  const schema = operations.find((operation) => operation.id === id)?.params.properties?.[name]
  assert.ok(schema, `${id} has ${name}`)
  return schema
}

const defaults: [id: string, name: string, text: string | undefined][] = [
  ['grid', 'columns', 'equal to the number of rows, or one more'],
  ['grid', 'fit', 'cover'],
  ['extend', 'top', '0'],
  ['threshold', 'at', '128'],
  ['round', 'circle', 'off'],
  ['round', 'topLeft', 'radius'],
  ['round', 'radius', undefined],
  ['composite', 'position', 'center'],
  ['chart', 'labels', '1, 2, 3…'],
  ['frames', 'index', undefined],
]

for (const [id, name, text] of defaults)
  test(`the default of ${id}.${name} is ${text ?? 'not set'}`, () => {
    assert.equal(defaultText(schemaOf(id, name)), text)
    assert.equal(placeholderOf(schemaOf(id, name), false), text === undefined ? 'Not set' : `Default: ${text}`)
  })

test('every default that a description names is found, without its full stop', () => {
  let found = 0
  for (const { id, params } of operations)
    for (const [name, schema] of Object.entries(params.properties ?? {})) {
      if (schema.default !== undefined || !schema.description?.includes('Default: ')) continue
      const text = defaultText(schema)
      found += 1
      assert.match(text ?? '', /^[^`]*[^`.]$/, `${id}.${name}: ${text}`)
    }
  assert.ok(found > 20)
})

test('a declared default wins, and a decimal is not the end of a sentence', () => {
  assert.equal(defaultText({ type: 'number', default: 3, description: 'Default: 5.' }), '3')
  assert.equal(defaultText({ type: 'number', description: 'Sharpness. Default: 0.5. At most 2.' }), '0.5')
  assert.equal(defaultText({ type: 'boolean', default: true }), 'on')
  assert.equal(defaultText({ type: 'string', default: '' }), 'empty')
})

test('a required field without a default has no placeholder, or an example', () => {
  assert.equal(placeholderOf({ type: 'number' }, true), '')
  assert.equal(placeholderOf({ type: 'string', examples: ['16:9'] }, true), 'such as 16:9')
})
