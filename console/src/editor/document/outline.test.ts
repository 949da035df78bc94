import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlineOf } from './outline.ts'

test('A node is drawn to the right of all its sources', () => {
  const { nodes, lines } = outlineOf({
    name: 'Card',
    nodes: {
      card: { type: 'composite', inputs: { image: 'cover', overlay: 'shade' } },
      cover: { type: 'resize', inputs: { image: 'photo' } },
      shade: { type: 'gradient' },
      photo: { type: 'image' },
    },
    output: { node: 'card' },
  })
  const x = (id: string) => nodes.find((node) => node.id === id)?.x ?? Number.NaN
  assert.ok(x('photo') < x('cover'))
  assert.ok(x('cover') < x('card'))
  assert.equal(x('shade'), x('photo'))
  assert.equal(lines.length, 3)
})

test('A cycle and an empty document can be drawn', () => {
  const circle = outlineOf({
    name: '',
    nodes: { a: { type: 'blur', inputs: { image: 'b' } }, b: { type: 'blur', inputs: { image: 'a' } } },
  })
  assert.equal(circle.nodes.length, 2)
  assert.equal(outlineOf({ name: '', nodes: {} }).nodes.length, 0)
})

test('a long chain continues in a new row instead of becoming too small', () => {
  const ids = Array.from({ length: 20 }, (_, index) => `n${index}`)
  const nodes = Object.fromEntries(
    ids.map((id, index) => [id, { type: 'blur', ...(index > 0 ? { inputs: { image: `n${index - 1}` } } : {}) }]),
  )
  const { width, nodes: drawn } = outlineOf({ name: '', nodes })
  assert.ok(width < 8 * 90, `${width}`)
  assert.equal(new Set(drawn.map(({ x, y }) => `${x} ${y}`)).size, 20)
})
