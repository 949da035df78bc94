import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Catalogue, defineOperation } from '../../operations/define.ts'
import { createChecker } from '../check/check.ts'
import type { CheckedWorkflow, UsableWorkflows } from '../check/checked-workflow.ts'
import { imageOf, testCatalogue } from '../test-catalogue.ts'
import { type Json, keysOf, libraryOf } from '../test-plans.ts'
import { type Plan, planExecution } from './plan.ts'

const load = defineOperation({
  id: 'load',
  version: 1,
  title: 'Load',
  summary: 'Reads an image.',
  keywords: [],
  group: 'source',
  inputs: {},
  params: Type.Object({ source: Type.String() }, { additionalProperties: false }),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  reads: { sources: ['source'] },
  examples: [],
  run: async () => ({ image: imageOf(1) }),
})
const catalogue: Catalogue = new Map([...testCatalogue, ['load', load]])
const check = createChecker(catalogue)

const library = (documents: Record<string, Json>) => libraryOf(check, documents)

function planned(document: Json, usable: UsableWorkflows, values: Json = {}): Plan {
  const { workflow, issues } = check({ name: 'T', ...document }, usable)
  assert.deepEqual(issues, undefined)
  const { plan, issues: wrong } = planExecution(workflow as CheckedWorkflow, values)
  assert.deepEqual(wrong, undefined)
  return plan as Plan
}

function issuesOf(document: Json, usable: UsableWorkflows): Issue[] {
  return check({ name: 'T', ...document }, usable).issues ?? []
}

const photoUrl = 'https://example.test/photo.png'
const image = { name: 'photo', type: 'string', format: 'image' }

/** A photo that is joined with a made image. */
const badge = {
  parameters: [
    { ...image, required: true },
    { name: 'size', type: 'number', default: 7 },
  ],
  nodes: {
    photo: { type: 'load', params: { source: '{{ photo }}' } },
    dot: { type: 'make', params: { width: '{{ size }}' } },
    both: { type: 'join', inputs: { image: 'photo', overlay: 'dot' } },
  },
  output: { node: 'both' },
  outputs: { dot: { node: 'dot', format: 'png' } },
}

describe('a workflow as an operation', () => {
  it('has the keys, the inputs and the fused steps of the same nodes written by hand', async () => {
    const parameters = [{ name: 'width', type: 'number', required: true }]
    const nested = planned(
      {
        parameters,
        nodes: {
          back: { type: 'make', params: { width: '{{ width }}' } },
          badge: {
            type: 'workflow',
            workflow: 'badge@1',
            inputs: { photo: 'back' },
            params: { size: '{{ width | times: 2 }}' },
          },
          end: { type: 'join', inputs: { image: 'badge', overlay: 'badge.dot' } },
        },
        output: { node: 'end' },
      },
      library({ badge }),
      { width: 5 },
    )
    const byHand = planned(
      {
        parameters,
        nodes: {
          back: { type: 'make', params: { width: '{{ width }}' } },
          dot: { type: 'make', params: { width: '{{ width | times: 2 }}' } },
          both: { type: 'join', inputs: { image: 'back', overlay: 'dot' } },
          end: { type: 'join', inputs: { image: 'both', overlay: 'dot' } },
        },
        output: { node: 'end' },
      },
      new Map(),
      { width: 5 },
    )
    const [keys, expected] = [await keysOf(nested), await keysOf(byHand)]
    assert.deepEqual([...keys.keys()].sort(), ['back', 'badge/both', 'badge/dot', 'end'])
    for (const [used, other] of [
      ['end', 'end'],
      ['badge/both', 'both'],
      ['badge/dot', 'dot'],
    ] as const) {
      assert.equal(typeof keys.get(used), 'string')
      assert.equal(keys.get(used), expected.get(other))
    }
  })

  it('passes an image id in a param to the nodes that read it', async () => {
    const usable = library({ badge })
    const node = (params: Json) => ({ type: 'workflow', workflow: 'badge@1', params })
    const document = { nodes: { badge: node({ photo: photoUrl }) }, output: { node: 'badge' } }
    const plan = planned(document, usable)
    const photo = plan.steps.find((step) => step.node.id === 'badge/photo')
    assert.deepEqual(photo?.params, { source: photoUrl })
  })

  it('passes on a JSON value whose fields are partly absent', () => {
    const people = {
      name: 'people',
      type: 'string',
      format: 'json',
      schema: {
        type: 'array',
        items: { type: 'object', properties: { color: { type: 'string' }, size: { type: 'number' } } },
      },
    }
    const dots = {
      parameters: [people],
      nodes: {
        dot: { type: 'make', each: '{{ people }}', params: { width: '{{ item.size | default: 5 }}' } },
        all: { type: 'gather', inputs: { images: 'dot' } },
      },
      output: { node: 'all' },
    }
    const use = { type: 'workflow', workflow: 'dots@1', params: { people: '{{ people }}' } }
    const document = { parameters: [people], nodes: { dots: use }, output: { node: 'dots' } }
    const plan = planned(document, library({ dots }), { people: [{ color: 'red' }, { size: 7 }] })
    assert.ok(plan.steps.some(({ node }) => node.id === 'dots/dot'))
  })

  it('reads parameters that wait for values of nodes when these have run', async () => {
    const usable = library({ badge, twice: twiceOf('badge@1') })
    const plan = planned(
      {
        nodes: {
          back: { type: 'make' },
          twice: {
            type: 'workflow',
            workflow: 'twice@1',
            inputs: { photo: 'back' },
            params: { size: '{{ nodes.back.width }}' },
          },
        },
        output: { node: 'twice' },
      },
      usable,
    )
    const dot = plan.steps.find(({ node }) => node.id === 'twice/one/dot')
    assert.equal(dot?.params, undefined)
    assert.deepEqual(dot?.node.needs, ['back'])
  })

  it('reads brand values at each level, and reports missing ones with the path of the reader', () => {
    const dot = { nodes: { dot: { type: 'make', params: { width: '{{ brand.size }}' } } }, output: { node: 'dot' } }
    const around = { nodes: { in: { type: 'workflow', workflow: 'dot@1' } }, output: { node: 'in' } }
    const document = { name: 'T', nodes: { top: { type: 'workflow', workflow: 'around@1' } }, output: { node: 'top' } }
    const { workflow } = check(document, library({ dot, around }))
    assert.deepEqual(workflow?.brandUses, [{ name: 'size', path: 'nodes.top/in/dot.params.width' }])
    const { plan } = planExecution(workflow as CheckedWorkflow, {}, { size: '7', other: 'a' })
    assert.deepEqual(plan?.steps.find(({ node }) => node.id === 'top/in/dot')?.params?.width, 7)
    const [issue] = planExecution(workflow as CheckedWorkflow, {}, {}).issues ?? []
    assert.equal(issue?.path, 'nodes.top/in/dot.params.width')
  })

  it('is placed once for each item, three levels deep', () => {
    const level = (inner: string | undefined) => ({
      parameters: [{ name: 'n', type: 'number', default: 1 }],
      nodes: {
        one: inner
          ? { type: 'workflow', workflow: inner, each: '{{ n }}', params: { n: '{{ item }}' } }
          : { type: 'make', params: { width: '{{ n }}' } },
        all: { type: 'gather', inputs: { images: 'one' } },
      },
      output: { node: 'all' },
    })
    const usable = library({ c: level(undefined), b: level('c@1'), a: level('b@1') })
    const plan = planned(level('a@1'), usable, { n: 3 })
    const widths = plan.steps.flatMap(({ node, params }) => (node.operation.id === 'make' ? [params?.width] : []))
    // For n in 1..3, for m in 1..n, for k in 1..m: an image of width k.
    assert.deepEqual(widths.sort(), [1, 1, 1, 1, 1, 1, 2, 2, 2, 3].sort())
    assert.ok(plan.steps.some(({ node }) => node.id === 'one/3/one/2/one/1/one'))
  })

  it('leaves out the nodes of a workflow whose `when` is false', () => {
    const usable = library({ badge })
    const node = (when: string) => ({ type: 'workflow', workflow: 'badge@1', inputs: { photo: 'back' }, when })
    const document = (when: string) => ({
      parameters: [{ name: 'on', type: 'string', default: '' }],
      nodes: { back: { type: 'make' }, badge: node(when), end: { type: 'join', inputs: { image: 'badge' } } },
      output: { node: 'end' },
    })
    const skipped = planned(document('{{ on }}'), usable)
    assert.deepEqual(
      skipped.steps.map(({ node, action }) => [node.id, action]),
      [
        ['back', 'run'],
        ['badge', 'skip'],
        ['end', 'run'],
      ],
    )
    assert.equal(planned(document('{{ on }}'), usable, { on: 'yes' }).steps.length, 4)
  })
})

function twiceOf(name: string) {
  const use = { type: 'workflow', workflow: name, params: { size: '{{ size }}', photo: '{{ photo }}' } }
  return {
    parameters: badge.parameters,
    nodes: { one: use, two: use, all: { type: 'gather', inputs: { images: ['one', 'two'] } } },
    output: { node: 'all' },
  }
}

describe('the check of nodes with workflows', () => {
  const usable = library({ badge })
  const use = (node: Json, others: Json = {}) =>
    issuesOf(
      { nodes: { back: { type: 'make' }, ...others, badge: { type: 'workflow', ...node } }, output: { node: 'badge' } },
      usable,
    )

  for (const [label, node, path, message] of [
    ['no workflow', {}, 'nodes.badge.workflow', /is required: the slug or id/],
    ['another form', { workflow: 'badge' }, 'nodes.badge.workflow', /as link-card@7/],
    ['an unknown workflow', { workflow: 'other@1' }, 'nodes.badge.workflow', /is "other@1"/],
    [
      'an unknown parameter',
      { workflow: 'badge@1', inputs: { photo: 'back' }, params: { sise: 1 } },
      'nodes.badge.params.sise',
      /size/,
    ],
    [
      'a value of another type',
      { workflow: 'badge@1', inputs: { photo: 'back' }, params: { size: 'big' } },
      'nodes.badge.params.size',
      /must be a number/,
    ],
    ['a missing image', { workflow: 'badge@1' }, 'nodes.badge.inputs.photo', /is required by "badge@1"/],
    [
      'an image twice',
      { workflow: 'badge@1', inputs: { photo: 'back' }, params: { photo: photoUrl } },
      'nodes.badge.params.photo',
      /is also an input/,
    ],
    [
      'an unknown input',
      { workflow: 'badge@1', inputs: { foto: 'back' }, params: { photo: photoUrl } },
      'nodes.badge.inputs.foto',
      /photo/,
    ],
    [
      'an unknown output',
      { workflow: 'badge@1', inputs: { photo: 'back.big' } },
      'nodes.badge.inputs.photo',
      /only nodes of the type "workflow"/,
    ],
    [
      '`each` that waits for a node',
      { workflow: 'badge@1', inputs: { photo: 'back' }, each: '{{ nodes.back.width }}' },
      'nodes.badge.each',
      /before any node runs/,
    ],
  ] as [string, Json, string, RegExp][]) {
    it(`refuses ${label}, with the path and the fix`, () => {
      const found = use(node).find((each) => each.path === path)
      assert.match(found?.message ?? '', message)
    })
  }

  it('refuses `workflow` on other operations, and an output that the workflow does not have', () => {
    const [issue] = issuesOf({ nodes: { a: { type: 'make', workflow: 'badge@1' } }, output: { node: 'a' } }, usable)
    assert.equal(issue?.path, 'nodes.a.workflow')
    const badgeNode = { type: 'workflow', workflow: 'badge@1', params: { photo: photoUrl } }
    const [unknown] = issuesOf({ nodes: { badge: badgeNode }, output: { node: 'badge.dit' } }, usable)
    assert.equal(unknown?.path, 'output.node')
    assert.match(unknown?.message ?? '', /does not have. Did you mean "dot"/)
  })

  it('refuses an image of a node where the workflow uses the text of the parameter', () => {
    const label = {
      parameters: [image],
      nodes: { a: { type: 'make', params: { color: '{{ photo }}' } } },
      output: { node: 'a' },
    }
    const [issue] = issuesOf(
      {
        nodes: { back: { type: 'make' }, a: { type: 'workflow', workflow: 'label@1', inputs: { photo: 'back' } } },
        output: { node: 'a' },
      },
      library({ label }),
    )
    assert.equal(issue?.path, 'nodes.a.inputs.photo')
    assert.match(issue?.message ?? '', /as text at nodes.a.params.color. Pass an image id/)
  })

  it('runs once for each image of a list at an input, and refuses workflows that would mix them', () => {
    const all = { ...badge, nodes: { ...badge.nodes, both: { type: 'gather', inputs: { images: ['photo', 'dot'] } } } }
    const document = (name: string) => ({
      nodes: {
        backs: { type: 'make', each: 3 },
        one: { type: 'workflow', workflow: name, inputs: { photo: 'backs' } },
        end: { type: 'gather', inputs: { images: 'one' } },
      },
      output: { node: 'end' },
    })
    const single = { ...badge, outputs: {} }
    const mixed = library({ badge: single, all: { ...all, outputs: {} } })
    assert.deepEqual(issuesOf(document('badge@1'), mixed), [])
    const [issue] = issuesOf(document('all@1'), mixed)
    assert.equal(issue?.path, 'nodes.one.inputs.photo')
    assert.match(issue?.message ?? '', /because of nodes.both.inputs.images/)
  })

  it('bounds the depth and the nodes of nested workflows before it makes any', () => {
    const documents: Record<string, Json> = { l1: { nodes: { a: { type: 'make' } }, output: { node: 'a' } } }
    for (let level = 2; level <= limits.workflowDepthMax; level += 1)
      documents[`l${level}`] = {
        nodes: { a: { type: 'workflow', workflow: `l${level - 1}@1` } },
        output: { node: 'a' },
      }
    const deep = library(documents)
    const [issue] = issuesOf(
      { nodes: { a: { type: 'workflow', workflow: `l${limits.workflowDepthMax}@1` } }, output: { node: 'a' } },
      deep,
    )
    assert.match(issue?.message ?? '', /at most 8 workflows inside one another, not 9/)

    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}`, i]))
    const of = (node: Json) => ({
      nodes: {
        ...Object.fromEntries(Object.keys(ten).map((id) => [id, node])),
        all: { type: 'gather', inputs: { images: Object.keys(ten) } },
      },
      output: { node: 'all' },
    })
    const wide = library({ w1: of({ type: 'make' }), w2: of({ type: 'workflow', workflow: 'w1@1' }) })
    const [tooMany] = issuesOf(of({ type: 'workflow', workflow: 'w2@1' }), wide)
    assert.match(tooMany?.message ?? '', /at most 1000 nodes with those of the workflows that it uses, not 1111/)
  })

  it('bounds the nodes of lists of workflows before it makes any', () => {
    const level = (inner: string | undefined) => ({
      nodes: {
        one: inner ? { type: 'workflow', workflow: inner, each: 100 } : { type: 'make' },
        all: { type: 'gather', inputs: { images: 'one' } },
      },
      output: { node: 'all' },
    })
    const nested = library({ a: level(undefined), b: level('a@1'), c: level('b@1') })
    const { workflow } = check({ name: 'T', ...level('c@1') }, nested)
    const { issues } = planExecution(workflow as CheckedWorkflow, {})
    assert.match(issues?.[0]?.path ?? '', /^nodes\.one.*\.each$/)
    assert.match(issues?.[0]?.message ?? '', /has 100 items, but an execution can have at most 1000 nodes/)
  })
})
