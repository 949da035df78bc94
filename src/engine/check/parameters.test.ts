import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../limits.ts'
import { bindParameters, checkDeclarations } from './parameters.ts'

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

test('issues of declarations are bounded, also for schemas with many wrong names', () => {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  const properties = Object.fromEntries(names('known', 190).map((name) => [name, { type: 'string' as const }]))
  const schema = { type: 'object' as const, properties, required: names('wrong', 200) }
  const declarations = names('p', 15).map((name) => ({
    name,
    type: 'string' as const,
    format: 'json' as const,
    schema,
  }))
  assert.equal(checkDeclarations(declarations).length, limits.issuesMax)
})
