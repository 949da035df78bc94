import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declarationSchema, retyped } from './parameter-declaration.ts'

test('changing the type of a parameter keeps the properties that the new type supports', () => {
  assert.deepEqual(
    retyped({ name: 'size', type: 'number', default: 12, minimum: 1, maximum: 20, required: true }, 'type', 'string'),
    { name: 'size', type: 'string', default: '12', required: true },
  )
  assert.deepEqual(retyped({ name: 'size', type: 'string', default: '12', enum: ['12', '14'] }, 'type', 'number'), {
    name: 'size',
    type: 'number',
    default: 12,
  })
  assert.deepEqual(retyped({ name: 'size', type: 'string', default: 'large' }, 'type', 'number'), {
    name: 'size',
    type: 'number',
  })
})

test('changing the format keeps what the new format supports', () => {
  const tone = { name: 'tone', type: 'string', enum: ['warm'], labels: { warm: 'Warm' }, default: 'warm' } as const
  assert.deepEqual(retyped({ ...tone, enum: ['warm'] }, 'format', 'boolean'), {
    name: 'tone',
    type: 'string',
    format: 'boolean',
  })
  const json = retyped({ name: 'people', type: 'string', default: 'Ada' }, 'format', 'json')
  assert.equal(json.schema?.type, 'array')
  assert.equal(json.default, undefined)
  const preset = retyped({ name: 'on', type: 'string', default: 'true' }, 'format', 'boolean')
  assert.equal(String(preset.default), 'true')
})

test('a part of a default that is JSON text can be changed', () => {
  const people = { name: 'people', type: 'string', format: 'json', default: '[{"name":"Ada"}]' } as const
  const schema = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } as const
  assert.deepEqual(retyped({ ...people, schema }, 'default.0.name', 'Mei').default, [{ name: 'Mei' }])
})

test('a renamed option keeps its label, and a removed one loses it', () => {
  const tone = {
    name: 'tone',
    type: 'string',
    enum: ['warm', 'cold'],
    labels: { warm: 'Warm light', cold: 'Cold light' },
  } as const
  const parameter = { ...tone, enum: [...tone.enum] }
  assert.deepEqual(retyped(parameter, 'enum.1', 'icy').labels, { warm: 'Warm light', icy: 'Cold light' })
  assert.deepEqual(retyped(parameter, 'enum', ['warm']).labels, { warm: 'Warm light' })
  assert.equal(retyped(parameter, 'enum', undefined).labels, undefined)
})

test('options become the choices of the default', () => {
  const { properties = {} } = declarationSchema({ name: 'side', type: 'string', enum: ['left', 'right'] })
  assert.deepEqual(properties.default?.enum, ['left', 'right'])
  assert.deepEqual(retyped({ name: 'side', type: 'string', enum: ['left'] }, 'enum.1', 'right').enum, ['left', 'right'])
  assert.deepEqual(retyped({ name: 'side', type: 'string', required: true }, 'required', false), {
    name: 'side',
    type: 'string',
  })
})
