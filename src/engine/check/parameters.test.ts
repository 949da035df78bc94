import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindParameters } from './parameters.ts'

test('a parameter with a default is optional, also if it is required', () => {
  const declarations = [{ name: 'size', type: 'number', required: true, default: 320 }] as const
  assert.deepEqual(bindParameters(declarations, {}), { values: { size: 320 }, issues: [] })
  assert.deepEqual(bindParameters(declarations, { size: 16 }), { values: { size: 16 }, issues: [] })
})

test('a required parameter without a default must be passed', () => {
  const declarations = [{ name: 'photo', type: 'string', required: true }] as const
  const { issues } = bindParameters(declarations, {})
  assert.deepEqual(
    issues.map(({ path }) => path),
    ['parameters.photo'],
  )
})
