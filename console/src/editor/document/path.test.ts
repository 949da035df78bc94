import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, isMissing, isWithin, joinPath, pathAndParents, pathBelow, pathKeys, setAt } from './path.ts'
import { outputId } from './wires.ts'

test('digits are the index of a list, and other parts are names', () => {
  assert.deepEqual(pathKeys('parameters.0.default'), ['parameters', 0, 'default'])
  assert.equal(joinPath('', 'nodes', 'title', 2), 'nodes.title.2')
})

test('a path is within its parents, and not within a longer name', () => {
  assert.ok(isWithin('nodes.title.params', 'nodes.title'))
  assert.ok(!isWithin('nodes.title-2', 'nodes.title'))
  assert.equal(pathBelow('nodes.title.params.box', 'nodes.title'), 'params.box')
  assert.equal(pathBelow('nodes.title-2', 'nodes.title'), '')
  assert.deepEqual(pathAndParents('output.name'), ['output.name', 'output'])
})

test('an issue belongs to the card of its node or of the output', () => {
  assert.equal(cardOf('nodes.title.params.size'), 'title')
  assert.equal(cardOf('output.format'), outputId)
  assert.equal(cardOf('parameters.0'), undefined)
})

test('a value is missing until something is at its path', () => {
  assert.ok(isMissing({ nodes: {} }, 'nodes.title.params'))
  assert.ok(!isMissing({ list: [{ name: null }] }, 'list.0.name'))
})

test('setting a value creates its parents, and removing it leaves no gap', () => {
  const params: Record<string, unknown> = { list: ['a', 'b', 'c'] }
  setAt(params, 'box.x', 4)
  setAt(params, 'series.0.values', [1])
  setAt(params, 'list.1', undefined)
  setAt(params, 'none.deep', undefined)
  assert.deepEqual(params, { list: ['a', 'c'], box: { x: 4 }, series: [{ values: [1] }] })
  setAt(params, 'box.x', undefined)
  assert.deepEqual(params.box, {})
})
