import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { fixOfField, fixOfName } from './fix.ts'
import { checker } from './validate.ts'

const fixesOf = (schema: TSchema, value: unknown) =>
  Object.fromEntries(checker(schema)(value).map(({ path, fix }) => [path, fix]))

test('a misspelt field is renamed, and comes before the required field that it stands for', () => {
  const schema = Type.Object(
    { width: Type.Integer(), fit: Type.Optional(Type.String()) },
    { additionalProperties: false },
  )
  const [first, second] = checker(schema)({ widht: 3 })
  assert.deepEqual([first?.path, first?.fix], ['widht', { rename: 'width' }])
  assert.deepEqual([second?.path, second?.fix], ['width', undefined])
  assert.deepEqual(fixesOf(schema, { width: 3, zzzz: 1 }), { zzzz: { remove: true } })
})

test('a misspelt field is not renamed to a field that is set, unless the check has filled in its default', () => {
  assert.deepEqual(fixOfField('colour', ['color', 'size'], { color: 'red' }), { remove: true })
  const schema = Type.Object(
    { size: Type.Integer({ default: 48 }), list: Type.Array(Type.String(), { default: [] }) },
    { additionalProperties: false },
  )
  assert.deepEqual(fixesOf(schema, { szie: 60, lsit: [] }), { szie: { rename: 'size' }, lsit: { rename: 'list' } })
  assert.deepEqual(fixesOf(schema, { szie: 60, size: 50 }), { szie: { remove: true } })
})

test('a field is renamed to the one that its meaning and its value fit', () => {
  const schema = Type.Object(
    {
      shape: Type.Enum(['circle', 'star']),
      amount: Type.Number({ default: 0.5, description: 'Strength in the corners.' }),
      softness: Type.Number({ default: 0.5, description: 'Distance over which the strength grows.' }),
      color: Type.Optional(Type.String({ format: 'color', description: 'Colour of the background.' })),
      fontSize: Type.Optional(Type.Number()),
      fontName: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  )
  assert.deepEqual(fixesOf(schema, { kind: 'star', strength: 0.7, background: 'white', font: 'Inter' }), {
    kind: { rename: 'shape' },
    strength: { rename: 'amount' },
    background: { rename: 'color' },
    font: { rename: 'fontName' },
    shape: undefined,
  })
  assert.deepEqual(fixesOf(schema, { shape: 'star', strength: 'high', background: 3 }), {
    strength: { remove: true },
    background: { remove: true },
  })
})

test('positions of CSS are those of the compass', () => {
  const schema = Type.Object({ position: Type.Enum(['center', 'north', 'south-east', 'middle']) })
  for (const [value, expected] of [
    ['top', 'north'],
    ['bottom right', 'south-east'],
    ['right-bottom', 'south-east'],
    ['centre', 'center'],
  ])
    assert.deepEqual(fixesOf(schema, { position: value }), { position: { value: expected } })
  assert.deepEqual(fixesOf(schema, { position: 'left' }), { position: undefined })
})

test('a value in place of an object names the fields that it needs', () => {
  const schema = Type.Object({ mcp: Type.Object({ description: Type.String(), tone: Type.Optional(Type.String()) }) })
  assert.equal(checker(schema)({ mcp: true })[0]?.message, 'must be an object with "description", not true (a boolean)')
})

test('a value is converted, moved into its range, or replaced by a similar word', () => {
  const schema = Type.Object({
    count: Type.Integer({ minimum: 1, maximum: 10 }),
    on: Type.Boolean(),
    fit: Type.Enum(['cover', 'contain']),
    color: Type.String({ format: 'color' }),
    quality: Type.Union([Type.Integer(), Type.Literal('auto')]),
    text: Type.String(),
  })
  const fixes = fixesOf(schema, { count: '12px', on: 'true', fit: 'covr', color: 'wihte', quality: '82', text: 5 })
  assert.deepEqual(fixes, {
    count: { value: 10 },
    on: { value: true },
    fit: { value: 'cover' },
    color: { value: 'white' },
    quality: { value: 82 },
    text: { value: '5' },
  })
})

test('a value that nothing explains has no correction, or its default', () => {
  const schema = Type.Object({ count: Type.Integer(), size: Type.Integer({ default: 48 }) })
  assert.deepEqual(fixesOf(schema, { count: 'many', size: 'large' }), { count: undefined, size: { value: 48 } })
  assert.deepEqual(fixOfName('photograph', ['title', 'size']), {})
})
