import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limits } from '../../limits.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { createChecker } from './check.ts'

const check = createChecker(testCatalogue)
const parameters = [
  { name: 'title', type: 'string', required: true },
  { name: 'width', type: 'number', default: 10, maximum: 20 },
]
const problemsOf = (examples: unknown, more: object = {}) =>
  (
    check({ name: 'Test', parameters, nodes: { a: { type: 'make' } }, output: { node: 'a' }, examples, ...more })
      .issues ?? []
  ).map(({ path }) => path)

it('accepts examples with valid parameters, which do not change the meaning of the workflow', () => {
  assert.deepEqual(
    problemsOf([
      { name: 'short', parameters: { title: 'x' } },
      { name: 'wide', parameters: { title: 'x', width: 20 } },
    ]),
    [],
  )
  assert.deepEqual(problemsOf([]), [])
})

it('rejects an example at its path when it is saved, if an execution would reject it', () => {
  assert.deepEqual(
    problemsOf([
      { name: 'none' },
      { name: 'wide', parameters: { title: 'x', width: 21 } },
      { name: 'typed', parameters: { title: 5, hue: 1 } },
    ]),
    [
      'examples.0.parameters.title',
      'examples.1.parameters.width',
      'examples.2.parameters.hue',
      'examples.2.parameters.title',
    ],
  )
})

it('requires unique names of examples that are valid file names', () => {
  const one = { parameters: { title: 'x' } }
  assert.deepEqual(
    problemsOf([
      { name: 'a', ...one },
      { name: 'b', ...one },
      { name: 'a', ...one },
    ]),
    ['examples.2.name'],
  )
  for (const name of ['', 'A', '../../a', 'a/b', 'a b', '-a', 'x'.repeat(65), 7])
    assert.deepEqual(problemsOf([{ name, ...one }]), ['examples.0.name'], String(name))
})

it('accepts examples up to the limit', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `e${i}`, parameters: { title: 'x' } }))
  assert.deepEqual(problemsOf(many(limits.examplesMax)), [])
  assert.deepEqual(problemsOf(many(limits.examplesMax + 1)), ['examples'])
})

it('checks examples even if the document has other problems', () => {
  assert.deepEqual(problemsOf([{ name: 'a', parameters: {} }, 'x', { name: 'b', parameters: 3 }], { name: 4 }).sort(), [
    'examples.0.parameters.title',
    'examples.1',
    'examples.2.parameters',
    'name',
  ])
})
