import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Direction, type GraphNode, graphOf, neighbour } from './graph.ts'
import { historyOf } from './history.ts'
import { action, manifest, part } from './test-manifests.ts'

/** A card that was made from a photo and a logo; the photo was made from a raw file. */
function card() {
  const raw = part('raw.tiff', null, 'parentOf')
  const photo = part('photo.jpg', manifest({ actions: [action('opened')], ingredients: [raw] }), 'parentOf')
  const actions = [action('opened'), action('placed'), action('resized')]
  return historyOf(manifest({ actions, ingredients: [photo, part('logo.png')] }), 'card.png')
}

const wide = (count: number) => {
  const parts = Array.from({ length: count }, (_, index) => part(`${index}.png`))
  return historyOf(manifest({ actions: [action('created')], ingredients: parts }), 'grid.png')
}

test('ingredients lead to the actions, and the actions to the image', () => {
  const edges = graphOf(card()).flatMap(({ id, next }) => (next === undefined ? [] : [`${id} -> ${next}`]))
  assert.deepEqual(edges.sort(), [
    '0 actions -> 0',
    '0.0 -> 0 actions',
    '0.0 actions -> 0.0',
    '0.0.0 -> 0.0 actions',
    '0.1 -> 0 actions',
  ])
})

test('without actions, the ingredients lead to the image', () => {
  const nodes = graphOf(historyOf(manifest({ ingredients: [part('a.png')] }), 'b.png'))
  assert.deepEqual(
    nodes.map(({ id, next }) => [id, next]),
    [
      ['0.0', '0'],
      ['0', undefined],
    ],
  )
})

test('each card is to the right of its sources, and no cards overlap', () => {
  for (const root of [card(), wide(3), wide(50)]) {
    const nodes = graphOf(root)
    const byId = new Map(nodes.map((node) => [node.id, node]))
    for (const { id, next, x, width } of nodes) {
      const target = byId.get(next ?? '')
      if (next !== undefined) assert.ok(target && x + width < target.x, `${id} is left of ${next}`)
    }
    for (const [index, a] of nodes.entries())
      for (const b of nodes.slice(index + 1)) assert.ok(!overlap(a, b), `${a.id} and ${b.id}`)
  }
})

test('ingredients keep their order from top to bottom', () => {
  const tops = graphOf(wide(6)).filter(({ id }) => id.startsWith('0.'))
  assert.deepEqual(
    tops.toSorted((a, b) => a.y - b.y).map(({ id }) => id),
    ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5'],
  )
})

test('of many ingredients, the first ones are shown, and a card stands for the others', () => {
  const root = wide(300)
  const [more, ...others] = graphOf(root).filter(({ kind }) => kind === 'more')
  assert.ok(more?.kind === 'more' && others.length === 0)
  assert.equal(more.count, 292)
  const all = graphOf(root, new Map([['0', 300]]))
  assert.equal(all.filter(({ kind }) => kind === 'image').length, 301)
  assert.equal(all.filter(({ kind }) => kind === 'more').length, 0)
})

const moves: [from: string, key: Direction, to: string | undefined][] = [
  ['0', 'ArrowLeft', '0 actions'],
  ['0', 'ArrowRight', undefined],
  ['0 actions', 'ArrowRight', '0'],
  ['0.0', 'ArrowRight', '0 actions'],
  ['0.0', 'ArrowDown', '0.1'],
  ['0.1', 'ArrowUp', '0.0'],
  ['0.1', 'ArrowDown', undefined],
  ['0.1', 'ArrowLeft', undefined],
  ['0.1', 'Home', '0'],
  ['0', 'End', '0.0.0'],
]
for (const [from, key, to] of moves)
  test(`${key} on ${from} leads to ${to ?? 'no other card'}`, () =>
    assert.equal(neighbour(graphOf(card()), from, key)?.id, to))

function overlap(a: GraphNode, b: GraphNode): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
