/** Corrections of documents: each is the most likely one, and the document is valid with it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogue } from '../../operations/index.ts'
import { createChecker } from './check.ts'

const check = createChecker(catalogue)

const valid = {
  name: 'Card',
  parameters: [{ name: 'title', type: 'string', default: 'Hello' }],
  nodes: {
    back: { type: 'canvas', params: { width: 400, height: 200 } },
    code: { type: 'qr', params: { text: 'https://example.com', size: 100 } },
    card: { type: 'composite', inputs: { image: 'back', overlay: 'code' } },
    title: {
      type: 'text',
      inputs: { image: 'card' },
      params: { text: '{{ title | upcase }}', size: '{{ nodes.back.width | times: 0.1 }}' },
    },
  },
  output: { node: 'title' },
}
type Node = { inputs?: Record<string, unknown>; params?: Record<string, unknown> }
const withNode = (id: keyof typeof valid.nodes, change: Node) => {
  const node = valid.nodes[id] as Node
  const changed = {
    ...node,
    inputs: { ...node.inputs, ...change.inputs },
    params: { ...node.params, ...change.params },
  }
  return { ...valid, nodes: { ...valid.nodes, [id]: changed } }
}
const first = (document: object) => {
  const { path, fix } = check(document).issues?.[0] ?? {}
  return [path, fix]
}

describe('the first issue has the correction', () => {
  for (const [mistake, document, path, fix] of [
    [
      'a misspelt parameter in a template',
      withNode('title', { params: { text: '{{ titel | upcase }}' } }),
      'nodes.title.params.text',
      '{{ title | upcase }}',
    ],
    [
      'a misspelt filter',
      withNode('title', { params: { text: '{{ title | upcas }}' } }),
      'nodes.title.params.text',
      '{{ title | upcase }}',
    ],
    [
      'a missing brace',
      withNode('title', { params: { text: '{{ title }' } }),
      'nodes.title.params.text',
      '{{ title }}',
    ],
    [
      'a missing end of a block',
      withNode('title', { params: { text: '{% if title %}x' } }),
      'nodes.title.params.text',
      '{% if title %}x{% endif %}',
    ],
    [
      'a misspelt node in a template',
      withNode('title', { params: { size: '{{ nodes.bakc.width }}' } }),
      'nodes.title.params.size',
      '{{ nodes.back.width }}',
    ],
    [
      'a misspelt value of a node',
      withNode('title', { params: { size: '{{ nodes.back.widht }}' } }),
      'nodes.title.params.size',
      '{{ nodes.back.width }}',
    ],
    [
      'a misspelt node in a wire',
      withNode('card', { inputs: { overlay: 'cdoe' } }),
      'nodes.card.inputs.overlay',
      'code',
    ],
    ['an output without a node', { ...valid, output: {} }, 'output.node', 'title'],
    ['a document without an output', { ...valid, output: undefined }, 'output', { node: 'title' }],
    [
      'a missing wire to a node that nothing reads',
      withNode('card', { inputs: { overlay: undefined } }),
      'nodes.card.inputs.overlay',
      'code',
    ],
    [
      'a missing param',
      withNode('code', { params: { text: undefined } }),
      'nodes.code.params.text',
      'https://example.com/tickets/4217',
    ],
  ] as const)
    test(mistake, () => {
      const [foundPath, found] = first(JSON.parse(JSON.stringify(document)) as object)
      assert.equal(foundPath, path)
      assert.ok(found && typeof found === 'object' && 'value' in found)
      if (mistake !== 'a missing param') assert.deepEqual(found.value, fix)
    })

  test('a cycle, at the wire that leaves a node without a reader', () => {
    const { card } = valid.nodes
    const title = { ...valid.nodes.title, params: { text: 'Hello' } }
    const nodes = { ...valid.nodes, title, card: { ...card, inputs: { ...card.inputs, image: 'title' } } }
    assert.deepEqual(first({ ...valid, nodes }), ['nodes.card.inputs.image', { value: 'back' }])
  })

  test('the only input of an operation, whatever the name is', () => {
    const document = { ...valid, nodes: { ...valid.nodes, title: { ...valid.nodes.title, inputs: { img: 'card' } } } }
    assert.deepEqual(first(document), ['nodes.title.inputs.img', { rename: 'image' }])
  })

  test('a misspelt param has a correction, and the required param that it stands for has none', () => {
    const nodes = { ...valid.nodes, back: { type: 'shape', params: { kind: 'ellipse', width: 400, height: 200 } } }
    assert.deepEqual(
      check(JSON.parse(JSON.stringify({ ...valid, nodes }))).issues?.map(({ path, fix }) => [path, fix]),
      [
        ['nodes.back.params.kind', { rename: 'shape' }],
        ['nodes.back.params.shape', undefined],
      ],
    )
  })

  test('the type of an operation, by a task that is a keyword of one operation', () => {
    const document = { ...valid, nodes: { ...valid.nodes, back: { type: 'sepia', params: {} } } }
    const [issue] = check(JSON.parse(JSON.stringify(document))).issues ?? []
    assert.deepEqual(issue?.fix, { value: 'tint' })
    assert.match(issue?.message ?? '', /Operations for it: "tint"\.$/)
  })

  test('a format as the type of a parameter, and templates may use its name', () => {
    const parameters = [
      { name: 'title', type: 'json', schema: { type: 'array' } },
      { name: 'count', type: 'integer' },
    ]
    const issues = check(JSON.parse(JSON.stringify({ ...valid, parameters }))).issues ?? []
    assert.deepEqual(
      issues.map(({ path, fix }) => [path, fix]),
      [
        ['parameters.0.type', { value: 'string' }],
        ['parameters.1.type', { value: 'number' }],
      ],
    )
    assert.match(issues[0]?.message ?? '', /Use `type: string` and `format: json`\.$/)
  })

  test('a name in a text of a template stays', () => {
    const document = withNode('title', { params: { text: "titel {{ titel | default: 'titel' }}" } })
    assert.deepEqual(first(document)[1], { value: "titel {{ title | default: 'titel' }}" })
  })
})

test('a wire whose name can be that of no input, and which is not a text, is an issue like others', () => {
  const { title } = valid.nodes
  for (const wire of [false, 5, null, { x: 1 }, [{}]]) {
    const document = { ...valid, nodes: { ...valid.nodes, card: { type: 'composite', inputs: { '': wire } }, title } }
    const paths = check(document).issues?.map(({ path }) => path)
    assert.deepEqual(paths, ['nodes.card.inputs.', 'nodes.card.inputs.image', 'nodes.card.inputs.overlay'])
  }
})
