import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../limits.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { createChecker } from './check.ts'

const check = createChecker(testCatalogue)

/** Paths and messages of the problems of a document around these nodes. */
function problems(nodes: unknown, more: object = {}, output: unknown = { node: 'a' }): Record<string, string> {
  const { issues = [] } = check({ name: 'Test', nodes, output, ...more })
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]))
}

const a = { type: 'make' }

describe('saving rejects a document that cannot be executed, with the path of the problem:', () => {
  it('an unknown operation, with a suggestion', () => {
    assert.match(problems({ a: { type: 'maker' } })['nodes.a.type'] ?? '', /Did you mean "make"/)
  })
  it('an unknown socket, a missing socket, a list for a single socket, a wire from an unknown node', () => {
    const found = problems({ a, b: { type: 'join', inputs: { imag: 'a', overlay: ['a'], more: ['a', 'nowhere'] } } })
    assert.deepEqual(Object.keys(found).sort(), [
      'nodes.b.inputs.imag',
      'nodes.b.inputs.image',
      'nodes.b.inputs.more.1',
      'nodes.b.inputs.overlay',
    ])
  })
  it('an unknown param, even if its value is a template', () => {
    const found = problems({ a: { type: 'make', params: { widht: 3, colour: '{{ 1 }}' } } })
    assert.deepEqual(Object.keys(found).sort(), ['nodes.a.params.colour', 'nodes.a.params.widht'])
  })
  it('a param out of bounds or of the wrong type, at any depth', () => {
    const found = problems({
      a: { type: 'make', params: { width: 0, color: 'nope', flag: 'true' } },
      b: { type: 'join', inputs: { image: 'a' }, params: { box: { x: 'left', y: 1 } } },
    })
    assert.deepEqual(Object.keys(found).sort(), [
      'nodes.a.params.color',
      'nodes.a.params.flag',
      'nodes.a.params.width',
      'nodes.b.params.box.x',
      'nodes.b.params.box.y',
    ])
  })
  it('a cycle, even through a template', () => {
    assert.match(
      Object.values(
        problems({ a: { type: 'join', inputs: { image: 'b' } }, b: { type: 'join', inputs: { image: 'a' } } }),
      ).join(),
      /cycle: a -> b -> a|cycle: b -> a -> b/,
    )
    const byTemplate = problems(
      { a: { type: 'make', params: { width: '{{ nodes.b.width }}' } }, b: { type: 'join', inputs: { image: 'a' } } },
      {},
      { node: 'b' },
    )
    assert.match(Object.values(byTemplate).join(), /cycle/)
  })
  it('a template that cannot be parsed, or refers to an unknown name', () => {
    const found = problems({
      a: {
        type: 'make',
        params: {
          width: '{{ width',
          height: '{{ nodes.z.width }}',
          color: '{{ nodes.b.text }}',
          flag: '{{ x | nofilter }}',
        },
      },
      b: a,
      c: { type: 'make', when: '{{ nodes }}', params: { width: '{{ missing }}' } },
    })
    assert.deepEqual(Object.keys(found).sort(), [
      'nodes.a.params.color',
      'nodes.a.params.flag',
      'nodes.a.params.height',
      'nodes.a.params.width',
      'nodes.c.params.width',
      'nodes.c.when',
    ])
  })
  it('a template that reads a property that texts or numbers do not have', () => {
    const parameters = [
      { name: 'title', type: 'string' },
      { name: 'count', type: 'number' },
    ]
    for (const text of [
      '{{ title.constructor }}',
      '{{ title.anything }}',
      '{{ count.size }}',
      '{{ nodes.b.width.x }}',
      '{{ title[0] }}',
      '{{ title.size.x }}',
    ]) {
      assert.ok(
        'nodes.a.params.color' in problems({ a: { type: 'make', params: { color: text } }, b: a }, { parameters }),
        text,
      )
    }
    assert.deepEqual(problems({ a: { type: 'make', params: { width: '{{ title.size }}' } } }, { parameters }), {})
  })
  it('template tags that read files', () => {
    for (const tag of ['include', 'render', 'layout', 'block']) {
      assert.match(
        problems({ a: { type: 'make', params: { color: `{% ${tag} "/etc/passwd" %}` } } })['nodes.a.params.color'] ??
          '',
        /tag/,
        tag,
      )
    }
  })
  it('an unknown output node, or output settings that no encoder accepts', () => {
    assert.deepEqual(Object.keys(problems({ a }, {}, { node: 'z', format: 'bmp', quality: 101 })).sort(), [
      'output.format',
      'output.node',
      'output.quality',
    ])
  })
  it('an output name that is a path, or could forge a header', () => {
    for (const name of ['../../x', 'a/b.png', 'a\\b', 'a\nb', '..', '', 'x'.repeat(256)]) {
      assert.deepEqual(Object.keys(problems({ a }, {}, { node: 'a', name })), ['output.name'], JSON.stringify(name))
    }
    assert.deepEqual(problems({ a }, {}, { node: 'a', name: 'Größe 1200 x 630.png' }), {})
  })
  it('duplicate parameters, and defaults of the wrong type or out of bounds', () => {
    const parameters = [
      { name: 'x', type: 'string' },
      { name: 'x', type: 'number' },
      { name: 'n', type: 'number', default: 5, maximum: 4 },
      { name: 's', type: 'string', default: 'c', enum: ['a', 'b'] },
      { name: 'm', type: 'number', minimum: 2, maximum: 1 },
      { name: 'nodes', type: 'string' },
    ]
    assert.deepEqual(Object.keys(problems({ a }, { parameters })).sort(), [
      'parameters.1.name',
      'parameters.2.default',
      'parameters.3.default',
      'parameters.4.minimum',
      'parameters.5.name',
    ])
  })
  it('more nodes or bytes than allowed', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`n${i}`, a]))
    assert.ok('nodes' in problems({ ...many, a }))
    assert.match(problems({ a }, { layout: 'x'.repeat(600_000) })[''] ?? '', /bytes/)
  })
  it('a conditional output without an image to pass on', () => {
    assert.ok(
      'output.node' in
        problems({ a: { type: 'make', when: '{{ x }}' } }, { parameters: [{ name: 'x', type: 'string' }] }),
    )
    const chain = { a: { type: 'make', when: '{{ x }}' }, b: { type: 'join', inputs: { image: 'a' } } }
    assert.ok('output.node' in problems(chain, { parameters: [{ name: 'x', type: 'string' }] }, { node: 'b' }))
  })
  it('all problems together', () => {
    assert.equal(
      Object.keys(
        problems({ a: { type: 'x' }, b: { type: 'y' }, c: { type: 'make', params: { width: -1 } } }, {}, { node: 'd' }),
      ).length,
      4,
    )
  })
  it('problems of its shape and its meaning together', () => {
    const document = {
      nope: 1,
      parameters: [{ name: 'x', type: 'number', default: 'x' }, 7],
      nodes: {
        a: { type: 'mak' },
        b: { type: 'make', extra: 1, params: { width: -1, color: '{{ y }}' } },
        c: { type: 'join', inputs: { image: 'z' } },
        D: 3,
      },
      output: { node: 'q', format: 'bmp' },
    }
    const paths = Object.keys(
      Object.fromEntries((check(document).issues ?? []).map(({ path, message }) => [path, message])),
    )
    for (const path of [
      'name',
      'nope',
      'parameters.0.default',
      'parameters.1',
      'nodes.a.type',
      'nodes.b.extra',
      'nodes.b.params.width',
      'nodes.b.params.color',
      'nodes.c.inputs.image',
      'nodes.D',
      'output.node',
      'output.format',
    ]) {
      assert.ok(paths.includes(path), `${path} in ${paths.join(' ')}`)
    }
    assert.equal(new Set(paths).size, paths.length)
  })
  it('a value that is not a document', () => {
    for (const value of [null, 1, 'x', [], undefined]) assert.equal(check(value).issues?.length, 1)
  })
})

describe('saving accepts a document that can be executed:', () => {
  it('with unused nodes as warnings, which are not in the order', () => {
    const { workflow } = check({ name: 'Test', nodes: { a, lost: a }, output: { node: 'a' } })
    assert.deepEqual(
      workflow?.warnings.map(({ path }) => path),
      ['nodes.lost'],
    )
    assert.deepEqual(workflow?.order, ['a'])
  })
  it('with an edge to a node that only a template names', () => {
    const { workflow } = check({
      name: 'Test',
      nodes: { b: { type: 'make', params: { width: '{{ nodes.a.width }}' } }, a },
      output: { node: 'b' },
    })
    assert.deepEqual(workflow?.order, ['a', 'b'])
  })
  it('with templates for numbers, colours, enums and output settings', () => {
    const parameters = ['w', 'c', 'm', 'f', 'q'].map((name) => ({ name, type: 'string' }))
    const nodes = {
      a: { type: 'make', params: { width: '{{ w }}', color: '{{ c }}' } },
      b: { type: 'join', inputs: { image: 'a' }, params: { mode: '{{ m }}' } },
    }
    assert.deepEqual(problems(nodes, { parameters }, { node: 'b', format: '{{ f }}', quality: '{{ q }}' }), {})
  })
  it('with a conditional output that has an image to pass on', () => {
    const nodes = { a, b: { type: 'join', when: '{{ x }}', inputs: { image: 'a' } } }
    assert.deepEqual(problems(nodes, { parameters: [{ name: 'x', type: 'string' }] }, { node: 'b' }), {})
  })
})

describe('lists', () => {
  const cards = { type: 'make', each: ['x', 'y'], params: { color: '{{ item }}' } }
  const all = { type: 'join', inputs: { image: 'one', more: ['cards'] } }
  const whole = { one: a, cards, all }

  it('are accepted by sockets for many images, and rejected as the output', () => {
    assert.deepEqual(problems(whole, {}, { node: 'all' }), {})
    assert.match(problems(whole, {}, { node: 'cards' })['output.node'] ?? '', /list of images \(`each` of "cards"\)/)
    const behind = { ...whole, b: { type: 'join', inputs: { image: 'cards' } } }
    assert.match(problems(behind, {}, { node: 'b' })['output.node'] ?? '', /`each` of "cards"/)
  })
  it('only nodes of a list have an item', () => {
    const elsewhere = { ...whole, b: { type: 'make', params: { color: '{{ item }}', width: '{{ index }}' } } }
    const found = problems(elsewhere, {}, { node: 'all' })
    assert.match(found['nodes.b.params.color'] ?? '', /only available in nodes with `each`/)
    assert.match(found['nodes.b.params.width'] ?? '', /only available in nodes with `each`/)
    const cyclic = { ...whole, cards: { ...cards, each: '{{ index }}' } }
    assert.match(problems(cyclic, {}, { node: 'all' })['nodes.cards.each'] ?? '', /only available in nodes/)
  })
  it('rejects an `each` that is neither a list nor a count, or is too long', () => {
    for (const each of [-1, 1.5, 101, true, 'a,b', Array.from({ length: 101 }, () => 1), { a: 1 }, null]) {
      const found = problems({ ...whole, cards: { ...cards, each } }, {}, { node: 'all' })
      assert.match(Object.entries(found).join(), /nodes\.cards\.each/, JSON.stringify(each))
    }
  })
  it('rejects a parameter that hides the item, if there are lists', () => {
    const parameters = [{ name: 'item', type: 'string' }]
    const found = problems(whole, { parameters }, { node: 'all' })
    assert.match(found['parameters.0.name'] ?? '', /Choose another name/)
    assert.deepEqual(problems({ a: { type: 'make', params: { color: '{{ item }}' } } }, { parameters }), {})
  })
})

it(`accepts ${limits.templatesMax} templates in a document, and rejects one more`, () => {
  const document = (count: number) => {
    const each = [Array.from({ length: count }, () => '{{ 1 }}')]
    const base = { type: 'make' }
    const all = { type: 'join', inputs: { image: 'base', more: ['many'] } }
    return { name: 'Many', nodes: { many: { type: 'make', each }, base, all }, output: { node: 'all' } }
  }
  assert.equal(check(document(limits.templatesMax)).issues, undefined)
  assert.deepEqual(check(document(limits.templatesMax + 1)).issues, [
    { path: '', message: 'must have at most 2000 templates, not 2001' },
  ])
})
