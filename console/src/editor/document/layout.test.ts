import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { align, distribute } from './align.ts'
import { arrange, cardSize, placeOthers, placesOf } from './layout.ts'
import { testCatalogue as catalogue } from './test-catalogue.ts'
import { outputId } from './wires.ts'

const card: WorkflowDocument = {
  name: 'Card',
  nodes: {
    card: { type: 'lay', inputs: { image: 'soft', overlay: 'photo' } },
    soft: { type: 'blur', inputs: { image: 'photo' } },
    photo: { type: 'make' },
    words: { type: 'write' },
    told: { type: 'make', params: { x: '{{ nodes.words.text }}' } },
  },
  output: { node: 'card' },
}

function overlaps(document: WorkflowDocument, places: ReadonlyMap<string, { x: number; y: number }>): string[] {
  const boxes = [...places].map(([id, place]) => ({ id, ...place, ...cardSize(document, id, catalogue) }))
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.id} ${b.id}`),
  )
}

test('arranging puts every card to the right of its dependencies, without overlaps', async () => {
  const places = await arrange(card, catalogue)
  const x = (id: string) => places.get(id)?.x ?? Number.NaN
  assert.ok(x('photo') < x('soft') && x('soft') < x('card') && x('card') < x(outputId))
  assert.ok(x('words') < x('told'))
  assert.deepEqual(overlaps(card, places), [])
})

test('cards without a position are put to the right of their sources, without overlaps', () => {
  const places = placeOthers(card, catalogue, new Map([['photo', { x: 50, y: 70 }]]))
  assert.deepEqual(places.get('photo'), { x: 50, y: 70 })
  assert.ok((places.get('soft')?.x ?? 0) > 50 && (places.get('card')?.x ?? 0) > (places.get('soft')?.x ?? 0))
  assert.equal(places.size, 6)
  assert.deepEqual(overlaps(card, places), [])
})

test('invalid values in a layout are ignored', () => {
  const layout = { photo: [1, 2], soft: 'x', gone: [3, 4], card: [null, 1], [outputId]: [5, 6], notes: { a: 1 } }
  assert.deepEqual(
    [...placesOf({ ...card, layout })],
    [
      ['photo', { x: 1, y: 2 }],
      [outputId, { x: 5, y: 6 }],
    ],
  )
  for (const nothing of [undefined, null, 5, []]) assert.equal(placesOf({ ...card, layout: nothing }).size, 0)
})

test('aligned cards share a side, and distributed ones their gaps', () => {
  const boxes = new Map([
    ['a', { x: 0, y: 0, width: 100, height: 50 }],
    ['b', { x: 130, y: 20, width: 50, height: 50 }],
    ['c', { x: 400, y: 10, width: 100, height: 100 }],
  ])
  const xs = (places: ReadonlyMap<string, { x: number }>) => ['a', 'b', 'c'].map((id) => places.get(id)?.x)
  const ys = (places: ReadonlyMap<string, { y: number }>) => ['a', 'b', 'c'].map((id) => places.get(id)?.y)
  assert.deepEqual(xs(align(boxes, 'right')), [400, 450, 400])
  assert.deepEqual(ys(align(boxes, 'top')), [0, 0, 0])
  assert.deepEqual(ys(align(boxes, 'middle')), [30, 30, 5])
  assert.deepEqual(xs(distribute(boxes, 'x')), [0, 225, 400])
})

test('arranges nodes with any names, and ignores wires from unknown nodes', async () => {
  const nodes = {
    constructor: { type: 'make' },
    valueof: { type: 'blur', inputs: { image: 'constructor' } },
    lost: { type: 'blur', inputs: { image: 'nowhere' } },
    round: { type: 'blur', inputs: { image: 'round' } },
  }
  const places = await arrange({ name: 'Odd', nodes, output: { node: 'gone' } }, catalogue)
  assert.deepEqual([...places.keys()].toSorted(), [...Object.keys(nodes), outputId].toSorted())
  assert.ok([...places.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)))
})
