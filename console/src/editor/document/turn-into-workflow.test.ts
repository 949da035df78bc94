import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { testCatalogue } from './test-catalogue.ts'
import { turnIntoWorkflow } from './turn-into-workflow.ts'

const names = { name: 'Badge', slug: 'badge' }

function turn(document: Partial<WorkflowDocument>, ...ids: string[]) {
  const result = turnIntoWorkflow({ name: 'Card', nodes: {}, ...document }, ids, names, testCatalogue)
  assert.ok(!('problem' in result), JSON.stringify(result))
  return result
}

function problem(document: Partial<WorkflowDocument>, ...ids: string[]): string {
  const result = turnIntoWorkflow({ name: 'Card', nodes: {}, ...document }, ids, names, testCatalogue)
  return 'problem' in result ? result.problem : assert.fail('it was turned')
}

const width = { name: 'width', type: 'number', default: 7 } as const
const color = { name: 'color', type: 'string', format: 'color', required: true, description: 'Of the bar' } as const
const card: WorkflowDocument = {
  name: 'Card',
  parameters: [width, color],
  nodes: {
    photo: { type: 'make', params: { width: '{{ width }}' } },
    bar: { type: 'make', params: { color: '{{ color }}' } },
    both: { type: 'lay', inputs: { image: 'photo', overlay: 'bar' } },
    end: { type: 'blur', inputs: { image: 'both' }, params: { size: '{{ nodes.both.width }}' } },
  },
  output: { node: 'end', format: 'png' },
  outputs: { bar: { node: 'bar' } },
  layout: { photo: [0, 0], bar: [0, 300], both: [300, 0], end: [600, 0] },
}

test('images from outside and the read parameters become parameters, and read images become outputs', () => {
  const before = structuredClone(card)
  const { inner, outer, node } = turn(card, 'bar', 'both', '$output', '$note-1')
  assert.deepEqual(card, before)
  assert.equal(node, 'badge')
  assert.deepEqual(inner, {
    name: 'Badge',
    parameters: [color, { name: 'photo', type: 'string', format: 'image', required: true }],
    nodes: {
      photo: { type: 'image', params: { source: '{{ photo }}' } },
      bar: { type: 'make', params: { color: '{{ color }}' } },
      both: { type: 'lay', inputs: { image: 'photo', overlay: 'bar' } },
    },
    output: { node: 'both' },
    outputs: { bar: { node: 'bar' } },
    layout: { bar: [0, 300], both: [300, 0] },
  })
  assert.deepEqual(outer, {
    ...card,
    nodes: {
      photo: card.nodes.photo,
      end: { type: 'blur', inputs: { image: 'badge' }, params: { size: '{{ nodes.badge.width }}' } },
      badge: {
        type: 'workflow',
        workflow: 'badge@1',
        inputs: { photo: 'photo' },
        params: { color: '{{ color }}' },
      },
    },
    outputs: { bar: { node: 'badge.bar' } },
    layout: { photo: [0, 0], end: [600, 0], badge: [300, 0] },
  })
})

test('all nodes of a workflow become a workflow without images from outside', () => {
  const { inner, outer } = turn(card, ...Object.keys(card.nodes))
  assert.deepEqual(inner.nodes, card.nodes)
  assert.deepEqual(inner.parameters, card.parameters)
  assert.deepEqual(Object.keys(outer.nodes), ['badge'])
  assert.deepEqual([outer.output?.node, outer.outputs], ['badge', { bar: { node: 'badge.bar' } }])
})

test('names are unique: of the node, of parameters and of named outputs of used workflows', () => {
  const { inner, outer, node } = turn(
    {
      parameters: [
        { ...color, name: 'photo' },
        { ...color, name: 'index-2' },
      ],
      nodes: {
        badge: { type: 'make' },
        photo: { type: 'make' },
        index: { type: 'make' },
        card: { type: 'workflow', workflow: 'card@1' },
        story: { type: 'blur', inputs: { image: 'card.story' }, params: { color: '{{ photo }}{{ index-2 }}' } },
        page: {
          type: 'lay',
          inputs: { image: 'photo', overlay: 'index', mask: 'story' },
          params: { css: 'url(node:card.story)' },
        },
        all: { type: 'grid', inputs: { images: ['badge', 'page', 'story'] } },
      },
      output: { node: 'all' },
    },
    'story',
    'page',
  )
  assert.equal(node, 'badge-2')
  assert.deepEqual(
    inner.parameters?.map(({ name }) => name),
    ['photo', 'index-2', 'card-story', 'photo-2', 'index-3'],
  )
  assert.deepEqual(outer.nodes['badge-2']?.inputs, {
    'card-story': 'card.story',
    'photo-2': 'photo',
    'index-3': 'index',
  })
  assert.deepEqual(inner.nodes.story?.inputs, { image: 'card-story' })
  assert.deepEqual(inner.nodes.page?.params, { css: 'url(node:card-story)' })
  assert.deepEqual(outer.nodes.all?.inputs, { images: ['badge', 'badge-2', 'badge-2.story'] })
})

test('a named output of a selected node with a workflow becomes an output of the new one', () => {
  const { inner, outer } = turn(
    {
      nodes: {
        card: { type: 'workflow', workflow: 'card@1' },
        end: {
          type: 'lay',
          inputs: { image: 'card', overlay: 'card.story' },
          params: { html: '<img src="node:card.story">' },
        },
      },
      output: { node: 'end' },
    },
    'card',
  )
  assert.deepEqual([inner.output, inner.outputs], [{ node: 'card' }, { 'card-story': { node: 'card.story' } }])
  assert.deepEqual(outer.nodes.end, {
    type: 'lay',
    inputs: { image: 'badge', overlay: 'badge.card-story' },
    params: { html: '<img src="node:badge.card-story">' },
  })
})

test('brand values and items of lists inside of the selection stay', () => {
  const { inner } = turn(
    {
      nodes: {
        dots: { type: 'make', each: 3, params: { width: '{{ item }}', color: '{{ brand.primary }}' } },
        soft: { type: 'blur', inputs: { image: 'dots' }, params: { size: '{{ index }}' } },
        all: { type: 'grid', inputs: { images: 'soft' } },
      },
      output: { node: 'all' },
    },
    'dots',
    'soft',
    'all',
  )
  assert.equal(inner.parameters, undefined)
})

test('a node that runs once for each image of a list can be turned', () => {
  const { outer } = turn(listed, 'soft')
  assert.deepEqual(outer.nodes.badge?.inputs, { dots: 'dots' })
})

const listed: Partial<WorkflowDocument> = {
  nodes: {
    dots: { type: 'make', each: 3 },
    other: { type: 'make' },
    soft: { type: 'blur', inputs: { image: 'dots' } },
    softer: { type: 'blur', inputs: { image: 'soft' }, params: { size: '{{ item }}' } },
    all: { type: 'grid', inputs: { images: 'softer' } },
    end: { type: 'lay', inputs: { image: 'all', overlay: 'other' } },
  },
  output: { node: 'end' },
}
const texts: Partial<WorkflowDocument> = {
  nodes: {
    words: { type: 'write' },
    a: { type: 'make', params: { text: '{{ nodes.words.text }}' } },
    b: { type: 'blur', inputs: { image: 'a' } },
    c: {
      type: 'lay',
      inputs: { image: 'b', overlay: 'a' },
      params: { size: '{{ nodes.a.width | plus: nodes.b.width }}' },
    },
  },
  output: { node: 'c' },
}

const optional: Partial<WorkflowDocument> = {
  nodes: {
    photo: { type: 'make' },
    logo: { type: 'make', when: '{{ logo }}' },
    soft: { type: 'blur', inputs: { image: 'logo' } },
    end: { type: 'lay', inputs: { image: 'photo', overlay: 'soft' } },
  },
  output: { node: 'end' },
}

test('a node that is skipped can be turned with the nodes around it', () => {
  assert.deepEqual(Object.keys(turn(optional, 'logo', 'soft', 'end').inner.nodes), ['photo', 'logo', 'soft', 'end'])
})

const refusals: [what: string, document: Partial<WorkflowDocument>, ids: string[], reason: RegExp][] = [
  ['nothing', card, ['$output', 'gone'], /No node is selected/],
  ['a node that nothing reads', { nodes: { a: { type: 'make' } } }, ['a'], /no other node and no output reads/i],
  ['a node that reads a value of another one', texts, ['a'], /^a reads a value of words.*select words, too/],
  ['a node whose text another one reads', texts, ['words'], /^a reads nodes\.words\.text.*Select a, too/],
  ['two nodes whose sizes others read', texts, ['words', 'a', 'b'], /Values of a and of b are read outside/],
  ['nodes around another one', texts, ['words', 'a', 'c'], /^b is between selected nodes.*Select b, too/],
  ['an image that may be missing', optional, ['logo', 'soft'], /^soft may have no image.*Select end, which/],
  ['a node that reads an image that may be missing', optional, ['soft', 'end'], /^logo may have no image.*Select logo/],
  [
    'a list whose size another node reads',
    {
      nodes: { a: { type: 'make', each: 2 }, b: { type: 'make', params: { width: '{{ nodes.a.width }}' } } },
      output: { node: 'b' },
    },
    ['a'],
    /^a returns a list of images/,
  ],
  ['a list', listed, ['dots'], /^dots returns a list of images/],
  ['a node that reads an item', listed, ['softer'], /^softer reads an item of “each” of dots/],
  ['a node that combines a list', listed, ['all'], /^all combines the images of dots at images/],
  ['a list and one image', { ...listed, outputs: { o: { node: 'other' } } }, ['other', 'soft'], /^other is one image/],
  [
    '`each` at a list',
    { ...listed, nodes: { ...listed.nodes, soft: { type: 'blur', each: 2, inputs: { image: 'dots' } } } },
    ['soft', 'softer', 'all'],
    /^soft has “each” and reads the list of dots/,
  ],
]
for (const [label, document, ids, reason] of refusals)
  test(`refuses ${label}`, () => assert.match(problem(document, ...ids), reason))
