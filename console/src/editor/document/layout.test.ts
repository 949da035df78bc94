import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { align, distribute } from './align.ts'
import { addMissingPositions, arrange, cardSize, positionsOf } from './layout.ts'
import { testCatalogue as catalogue } from './test-catalogue.ts'
import { outputId, sourcesOf } from './wires.ts'

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

function overlaps(document: WorkflowDocument, positions: ReadonlyMap<string, { x: number; y: number }>): string[] {
  const boxes = [...positions].map(([id, position]) => ({ id, ...position, ...cardSize(document, id, catalogue) }))
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.id} ${b.id}`),
  )
}

test('arranging puts every card to the right of its dependencies, without overlaps', async () => {
  const positions = await arrange(card, catalogue)
  const x = (id: string) => positions.get(id)?.x ?? Number.NaN
  assert.ok(x('photo') < x('soft') && x('soft') < x('card') && x('card') < x(outputId))
  assert.ok(x('words') < x('told'))
  assert.deepEqual(overlaps(card, positions), [])
})

/** Nodes of a document, and ids that must be below each other in this order. */
const ordered: Record<string, { nodes: WorkflowDocument['nodes']; columns: string[][] }> = {
  'images of a list': {
    nodes: { ...makes('a', 'b', 'c', 'd'), all: { type: 'grid', inputs: { images: ['a', 'b', 'c', 'd'] } } },
    columns: [['a', 'b', 'c', 'd']],
  },
  'images of a list whose nodes are in another order': {
    nodes: { all: { type: 'grid', inputs: { images: ['c', 'a', 'd', 'b'] } }, ...makes('a', 'b', 'c', 'd') },
    columns: [['c', 'a', 'd', 'b']],
  },
  'two branches': {
    nodes: {
      ...makes('code', 'photo'),
      small: { type: 'blur', inputs: { image: 'code' } },
      soft: { type: 'blur', inputs: { image: 'photo' } },
      card: { type: 'lay', inputs: { image: 'soft', overlay: 'small' } },
    },
    columns: [
      ['photo', 'code'],
      ['soft', 'small'],
    ],
  },
  'a short branch above a long one': {
    nodes: {
      ...makes('photo', 'ground'),
      soft: { type: 'blur', inputs: { image: 'photo' } },
      softer: { type: 'blur', inputs: { image: 'soft' } },
      card: { type: 'lay', inputs: { image: 'ground', overlay: 'softer' } },
    },
    columns: [['ground', 'softer']],
  },
  'a short branch below a long one': {
    nodes: {
      ...makes('ground', 'photo'),
      soft: { type: 'blur', inputs: { image: 'photo' } },
      softer: { type: 'blur', inputs: { image: 'soft' } },
      card: { type: 'lay', inputs: { image: 'softer', overlay: 'ground' } },
    },
    columns: [['softer', 'ground']],
  },
  'branches of one source': {
    nodes: {
      ...makes('photo'),
      a: { type: 'blur', inputs: { image: 'photo' } },
      b: { type: 'blur', inputs: { image: 'photo' } },
      c: { type: 'blur', inputs: { image: 'photo' } },
      all: { type: 'grid', inputs: { images: ['b', 'c', 'a'] } },
    },
    columns: [['b', 'c', 'a']],
  },
  'a source that a branch and the card share': {
    nodes: {
      ...makes('photo', 'words'),
      soft: { type: 'blur', inputs: { image: 'photo' } },
      shaded: { type: 'lay', inputs: { image: 'soft', overlay: 'photo' } },
      card: { type: 'lay', inputs: { image: 'shaded', overlay: 'words' } },
    },
    columns: [['shaded', 'words']],
  },
  'branches of branches': {
    nodes: {
      ...makes('d', 'c', 'b', 'a'),
      lower: { type: 'lay', inputs: { image: 'c', overlay: 'd' } },
      upper: { type: 'lay', inputs: { image: 'a', overlay: 'b' } },
      all: { type: 'grid', inputs: { images: ['upper', 'lower'] } },
    },
    columns: [
      ['a', 'b', 'c', 'd'],
      ['upper', 'lower'],
    ],
  },
  'inputs in the order of the sockets on the card': {
    nodes: { ...makes('a', 'b', 'c'), all: { type: 'lay', inputs: { mask: 'a', overlay: 'b', image: 'c' } } },
    columns: [['c', 'b', 'a']],
  },
  'inputs above nodes that only a template reads': {
    nodes: {
      words: { type: 'write' },
      ...makes('photo'),
      all: { type: 'blur', inputs: { image: 'photo' }, params: { x: '{{ nodes.words.text }}' } },
    },
    columns: [['photo', 'words']],
  },
  'two cards with a common source, without crossing wires': {
    nodes: {
      ...makes('photo', 'common'),
      upper: { type: 'blur', inputs: { image: 'common' } },
      lower: { type: 'lay', inputs: { image: 'photo', overlay: 'common' } },
      all: { type: 'grid', inputs: { images: ['upper', 'lower'] } },
    },
    columns: [
      ['upper', 'lower'],
      ['common', 'photo'],
    ],
  },
}

function makes(...ids: string[]): WorkflowDocument['nodes'] {
  return Object.fromEntries(ids.map((id) => [id, { type: 'make' }]))
}

for (const [name, { nodes, columns }] of Object.entries(ordered)) {
  test(`arranging keeps the order of the inputs: ${name}`, async () => {
    const document = { name, nodes, output: { node: Object.keys(nodes).find((id) => id === 'all') ?? 'card' } }
    const positions = await arrange(document, catalogue)
    for (const column of columns)
      assert.deepEqual(
        column.toSorted((a, b) => (positions.get(a)?.y ?? 0) - (positions.get(b)?.y ?? 0)),
        column,
      )
    assert.deepEqual(overlaps(document, positions), [])
  })
}

test('arranging puts nodes that lead nowhere below the branches of the output, and above an output without a wire', async () => {
  const nodes = { ...makes('alone'), ...card.nodes }
  const connected = await arrange({ ...card, nodes }, catalogue)
  for (const id of ['photo', 'soft', 'card', outputId])
    assert.ok((connected.get(id)?.y ?? 0) < (connected.get('alone')?.y ?? 0), id)
  const part = await arrange({ name: 'Part', nodes: makes('alone') }, catalogue)
  assert.deepEqual(part.get('alone'), { x: 0, y: 0 })
  assert.ok((part.get(outputId)?.y ?? 0) > 0)
})

test('arranging puts the sources of every card below each other in order, if each node has one successor', async () => {
  // The number of nodes without a successor that each new node takes as its sources.
  const trees = fc.array(fc.nat(3), { minLength: 4, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(trees, async (counts) => {
      const nodes: WorkflowDocument['nodes'] = {}
      const free: string[] = []
      for (const [index, count] of counts.entries()) {
        const images = free.splice(0, count)
        nodes[`n${index}`] = images.length === 0 ? { type: 'make' } : { type: 'grid', inputs: { images } }
        free.push(`n${index}`)
      }
      nodes.all = { type: 'grid', inputs: { images: free } }
      const positions = await arrange({ name: 'Tree', nodes, output: { node: 'all' } }, catalogue)
      for (const { inputs } of Object.values(nodes)) {
        const tops = sourcesOf(inputs?.images).map((id) => positions.get(id)?.y ?? Number.NaN)
        assert.deepEqual(
          tops.toSorted((a, b) => a - b),
          tops,
        )
      }
    }),
    { numRuns: 60 },
  )
})

test('cards without a position are put to the right of their sources, without overlaps', () => {
  const positions = addMissingPositions(card, catalogue, new Map([['photo', { x: 50, y: 70 }]]))
  assert.deepEqual(positions.get('photo'), { x: 50, y: 70 })
  assert.ok((positions.get('soft')?.x ?? 0) > 50 && (positions.get('card')?.x ?? 0) > (positions.get('soft')?.x ?? 0))
  assert.equal(positions.size, 6)
  assert.deepEqual(overlaps(card, positions), [])
})

test('invalid values in a layout are ignored', () => {
  const layout = { photo: [1, 2], soft: 'x', gone: [3, 4], card: [null, 1], [outputId]: [5, 6], notes: { a: 1 } }
  assert.deepEqual(
    [...positionsOf({ ...card, layout })],
    [
      ['photo', { x: 1, y: 2 }],
      [outputId, { x: 5, y: 6 }],
    ],
  )
  for (const nothing of [undefined, null, 5, []]) assert.equal(positionsOf({ ...card, layout: nothing }).size, 0)
})

test('aligned cards share a side, and distributed ones their gaps', () => {
  const boxes = new Map([
    ['a', { x: 0, y: 0, width: 100, height: 50 }],
    ['b', { x: 130, y: 20, width: 50, height: 50 }],
    ['c', { x: 400, y: 10, width: 100, height: 100 }],
  ])
  const xs = (positions: ReadonlyMap<string, { x: number }>) => ['a', 'b', 'c'].map((id) => positions.get(id)?.x)
  const ys = (positions: ReadonlyMap<string, { y: number }>) => ['a', 'b', 'c'].map((id) => positions.get(id)?.y)
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
  const positions = await arrange({ name: 'Odd', nodes, output: { node: 'gone' } }, catalogue)
  assert.deepEqual([...positions.keys()].toSorted(), [...Object.keys(nodes), outputId].toSorted())
  assert.ok([...positions.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)))
})
