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

test('options become the choices of the default', () => {
  const { properties = {} } = declarationSchema({ name: 'side', type: 'string', enum: ['left', 'right'] })
  assert.deepEqual(properties.default?.enum, ['left', 'right'])
  assert.deepEqual(retyped({ name: 'side', type: 'string', enum: ['left'] }, 'enum.1', 'right').enum, ['left', 'right'])
  assert.deepEqual(retyped({ name: 'side', type: 'string', required: true }, 'required', false), {
    name: 'side',
    type: 'string',
  })
})
