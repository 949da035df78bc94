import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../limits.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { createChecker } from './check.ts'
import { pruneDraft } from './prune.ts'

const check = createChecker(testCatalogue)

function pruned(draft: Record<string, unknown>, node?: string) {
  const result = pruneDraft(draft, node)
  assert.ok(!('issues' in result), JSON.stringify(result))
  return result
}
const remainingNodes = (draft: Record<string, unknown>, node?: string) =>
  Object.keys(pruned(draft, node).document.nodes as object)

test('keeps the nodes that are wired, listed or named in a template on the way, and no others', () => {
  const nodes = {
    loose: { type: 'make' },
    wire: { type: 'make' },
    listed: { type: 'make' },
    inParams: { type: 'make' },
    inWhen: { type: 'make' },
    inEach: { type: 'make' },
    inOutput: { type: 'make' },
    deep: { type: 'make' },
    step: {
      type: 'join',
      inputs: { image: 'wire', more: ['listed', 'listed'] },
      params: { box: { x: ['{% if nodes.inParams.width > 1 %}1{% endif %}'] } },
      when: '{{ nodes.inWhen.width }}',
      each: '{{ nodes.inEach.width }}',
    },
    behind: { type: 'join', inputs: { image: 'step', overlay: 'deep' } },
    reader: { type: 'join', inputs: { image: 'behind' } },
  }
  const output = { node: 'behind', name: '{{ nodes.inOutput.width }}' }
  const all = Object.keys(nodes)
  assert.deepEqual(
    remainingNodes({ nodes, output }),
    all.filter((id) => id !== 'loose' && id !== 'reader'),
  )
  const toStep = ['wire', 'listed', 'inParams', 'inWhen', 'inEach', 'step']
  assert.deepEqual(remainingNodes({ nodes, output }, 'step'), toStep)
  assert.deepEqual(remainingNodes({ nodes }, 'deep'), ['deep'])
})

test('keeps nodes on a cycle and unknown names, so that the check reports them', () => {
  const nodes = { a: { inputs: { image: 'b' } }, b: { inputs: { image: 'a', overlay: 'gone' } }, c: 1, d: null }
  assert.deepEqual(remainingNodes({ nodes }, 'a'), ['a', 'b'])
  assert.deepEqual(pruned({ nodes }, 'c').document.nodes, { c: 1 })
  assert.deepEqual(pruned({ nodes }, 'd').document.nodes, { d: null })
})

test('keeps valid unused parameters, and requires none of them for a single node', () => {
  const parameters = [
    { name: 'wrong', type: 'number', minimum: 2, maximum: 1 },
    { name: 'loose', type: 'string', required: true },
    'nothing',
    { name: 'loose', type: 'number' },
    { name: 'used', type: 'number', required: true, default: 'x' },
    { type: 'string' },
  ]
  const draft = { parameters, nodes: { a: { type: 'make', params: { width: '{{ used }}' } } }, output: { node: 'a' } }
  assert.deepEqual(pruned(draft).document.parameters, [parameters[1], parameters[4]])
  const { document, mapIssue } = pruned(draft, 'a')
  assert.deepEqual(document.parameters, [{ ...(parameters[1] as object), required: false }, parameters[4]])
  const { issues = [] } = check(document)
  assert.deepEqual(
    issues.map(mapIssue).map(({ path }) => path),
    ['parameters.4.default'],
  )
  assert.deepEqual(pruned({ ...draft, parameters: 'none' }).document.parameters, 'none')
  assert.equal(Object.hasOwn(pruned({ nodes: {}, output: 1 }).document, 'parameters'), false)
})

test('reports a duplicate name with the paths of the draft', () => {
  const parameters = [{ broken: true }, { name: 'w', type: 'number' }, 5, { name: 'w', type: 'number' }]
  const draft = { parameters, nodes: { a: { type: 'make', params: { width: '{{ w }}' } } }, output: { node: 'a' } }
  const { document, mapIssue } = pruned(draft)
  const { issues = [] } = check(document)
  assert.deepEqual(issues.map(mapIssue), [
    { path: 'parameters.3.name', message: 'is "w", which is already declared at parameters.1. Choose another name.' },
  ])
})

test('stops at a pinned node, and a run to a node can have the format of its image', () => {
  const nodes = {
    wish: { type: 'make' },
    made: { type: 'join', inputs: { image: 'wish' }, pinned: 'img_06h15xnfhw00snp469yjg5mdfjbs' },
    small: { type: 'join', inputs: { image: 'made' } },
  }
  assert.deepEqual(remainingNodes({ nodes, output: { node: 'small' } }), ['made', 'small'])
  const toNode = pruneDraft({ nodes }, 'wish', 'png')
  assert.deepEqual('document' in toNode && toNode.document.output, { node: 'wish', format: 'png' })
})

test('reports an unknown node as the requested node, and a missing output as the output', () => {
  const of = (draft: Record<string, unknown>, node?: string) => {
    const result = pruneDraft(draft, node)
    return 'issues' in result
      ? result.issues.map(({ path }) => path)
      : result.mapIssue({ path: 'output.node', message: '' })
  }
  assert.deepEqual(of({ nodes: {} }, 'a'), ['node'])
  assert.deepEqual(of({ nodes: {} }, 'toString'), ['node'])
  assert.deepEqual(of({}, 'a'), ['node'])
  assert.deepEqual(of({}), ['output'])
  assert.deepEqual(of({ nodes: { a: {} } }, 'a'), { path: 'node', message: '' })
  assert.deepEqual(of({ nodes: { a: {} }, output: { node: 'a' } }), { path: 'output.node', message: '' })
})

test('an issue keeps its correction, wherever its path is in the draft', () => {
  const parameters = ['nothing', { name: 'w', type: 'nubmer' }]
  const nodes = { back: { type: 'make', params: { width: '{{ w }}' } } }
  const fixesOf = ({ document, mapIssue }: ReturnType<typeof pruned>) =>
    check(document)
      .issues?.map(mapIssue)
      .map(({ path, fix }) => [path, fix])
  assert.deepEqual(fixesOf(pruned({ parameters, nodes }, 'back')), [['parameters.1.type', { value: 'number' }]])
  assert.deepEqual(fixesOf(pruned({ nodes: { back: { type: 'mkae' } } }, 'back')), [
    ['nodes.back.type', { value: 'make' }],
  ])
  const fix = { value: 'make' }
  assert.deepEqual(pruned({ nodes }, 'back').mapIssue({ path: 'output.node', message: '', fix }), {
    path: 'node',
    message: '',
    fix,
  })
  const unknown = pruneDraft({ nodes }, 'bakc')
  assert.deepEqual('issues' in unknown && unknown.issues[0]?.fix, { value: 'back' })
})

test('reads at most as many templates as a document may have', () => {
  const text = Array.from({ length: limits.templatesMax + 1 }, () => '{{ nodes.b.width }}')
  const nodes = { a: { type: 'make', params: { box: text } }, b: { type: 'make', when: '{{ nodes.c.width }}' }, c: {} }
  // One too many is read of `a` alone, and so none of `b`.
  const { document } = pruned({ nodes }, 'a')
  assert.deepEqual(Object.keys(document.nodes as object), ['a', 'b'])
  assert.match(check(document).issues?.[0]?.message ?? '', /at most 2000/)
})

/** Documents that are whole: each node needs some of those before it. */
const whole = fc
  .array(fc.record({ wires: fc.array(fc.nat(), { maxLength: 3 }), named: fc.option(fc.nat()), when: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((steps) => fc.record({ steps: fc.constant(steps), output: fc.nat({ max: steps.length - 1 }) }))
  .map(({ steps, output }) => ({
    name: 'Any',
    parameters: [{ name: 'w', type: 'number', default: 5 }],
    nodes: Object.fromEntries(
      steps.map(({ wires, named, when }, i) => {
        const [first, ...rest] = wires.map((wire) => `n${wire % Math.max(i, 1)}`)
        const width = named === null || i === 0 ? '{{ w }}' : `{{ nodes.n${named % i}.width }}`
        if (i === 0 || first === undefined) return [`n${i}`, { type: 'make', params: { width } }]
        const more = rest.length > 0 ? { more: rest } : {}
        return [`n${i}`, { type: 'join', inputs: { image: first, ...more }, ...(when ? { when: width } : {}) }]
      }),
    ),
    output: { node: `n${output}` },
  }))

test('a document and the executed part of a draft have the same steps in the same order', () => {
  fc.assert(
    fc.property(whole, (document) => {
      const all = check(document)
      const part = check(pruned(document).document)
      assert.deepEqual(all.issues, undefined)
      assert.deepEqual(part.issues, undefined)
      const order = (result: typeof all) => result.workflow?.order.toSorted()
      assert.deepEqual(order(part), order(all))
      assert.deepEqual(part.workflow?.warnings, [])
    }),
  )
})

test('executes the needed part, even if the rest is broken', () => {
  const draft = fc.tuple(whole, fc.dictionary(fc.stringMatching(/^x[a-z]{0,5}$/), fc.jsonValue(), { maxKeys: 4 }))
  fc.assert(
    fc.property(draft, ([document, beside]) => {
      const { issues } = check(pruned({ ...document, nodes: { ...beside, ...document.nodes } }).document)
      assert.deepEqual(issues, undefined)
    }),
  )
})

test('analyses any draft without an internal error', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.jsonValue(),
      fc.jsonValue(),
      fc.option(fc.string()),
      (nodes, output, parameters, node) => {
        const result = pruneDraft({ nodes, output, parameters }, node ?? undefined)
        const issues = 'issues' in result ? result.issues : (check(result.document).issues ?? []).map(result.mapIssue)
        assert.ok(issues.length > 0)
      },
    ),
  )
})
