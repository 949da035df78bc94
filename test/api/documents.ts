/** Rejected documents of workflows: all issues together, each with its path. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { canvas, naming, scale } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Project, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

const sheet = { type: 'canvas', params: { width: 8, height: 6 } }
const base = (nodes: Record<string, unknown>, output: unknown = { node: 'a' }) => ({ name: 'x', nodes, output })
const text = { name: 'title', type: 'string' }
const number = { name: 'size', type: 'number' }
const withParameters = (...parameters: unknown[]) => ({ ...canvas(), parameters })

const withParams = (params: object) => base({ a: { type: 'canvas', params: { width: 8, height: 6, ...params } } })
const rows = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: {} } }
const json = { name: 'rows', type: 'string', format: 'json', schema: rows }

/** The checker's own tests have the other mistakes. */
const wrong: [what: string, document: unknown, ...paths: string[]][] = [
  ['no name', { nodes: { a: sheet }, output: { node: 'a' } }, 'name'],
  ['a name of spaces', { ...canvas(), name: ' \n ' }, 'name'],
  ['a name of spaces, and another problem', { name: ' ', output: { node: 'a' } }, 'name', 'nodes'],
  ['an unknown format', withParameters({ ...text, format: 'imgae', default: 'x' }), 'parameters.0.format'],
  ['an enum that is not a list', withParameters({ ...text, enum: 'small', default: 'small' }), 'parameters.0.enum'],
  [
    'a schema that is invalid, and an example of its parameter',
    { ...withParameters(json), examples: [{ name: 'one', parameters: { rows: [{ a: 'x' }] } }] },
    'parameters.0.schema.items.required',
  ],
  ['no nodes', { name: 'x', output: { node: 'a' } }, 'nodes'],
  ['no output', { name: 'x', nodes: { a: sheet } }, 'output'],
  ['an unknown field', { ...canvas(), colour: 'red' }, 'colour'],
  ['an unknown field of a node', base({ a: { ...sheet, parms: {} } }), 'nodes.a.parms'],
  ['a node without a type', base({ a: { params: {} } }), 'nodes.a.type'],
  ['an unknown operation', base({ a: { type: 'resise' } }), 'nodes.a.type'],
  ['a missing socket', base({ a: { type: 'flip' } }), 'nodes.a.inputs.image'],
  ['an unknown param', withParams({ colour: 'red' }), 'nodes.a.params.colour'],
  ['a missing param', base({ a: { type: 'canvas', params: { width: 8 } } }), 'nodes.a.params.height'],
  ['a number in quotes', withParams({ width: '8' }), 'nodes.a.params.width'],
  ['an invalid colour', withParams({ color: 'redd' }), 'nodes.a.params.color'],
  ['the output of a node that does not exist', base({ a: sheet }, { node: 'b' }), 'output.node'],
  ['svg as the format of an output', base({ a: sheet }, { node: 'a', format: 'svg' }), 'output.format'],
  ['an option of another format', base({ a: sheet }, { node: 'a', format: 'gif', chroma: '4:2:0' }), 'output.chroma'],
  ['an unknown field of the output', base({ a: sheet }, { node: 'a', size: 1 }), 'output.size'],
  ['a template that does not parse', naming('{{ a'), 'output.name'],
  ['a template that names something undeclared', naming('{{ titel }}', [text]), 'output.name'],
  ['a condition that names something undeclared', base({ a: { ...sheet, when: '{{ w }}' } }), 'nodes.a.when'],
  ['two parameters with the same name', withParameters(text, text), 'parameters.1.name'],
  ['a default below its minimum', withParameters({ ...number, default: 1, minimum: 2 }), 'parameters.0.default'],
  ['a type that is neither string nor number', withParameters({ name: 'a', type: 'boolean' }), 'parameters.0.type'],
  ['an enum of a number', withParameters({ ...number, enum: [1] }), 'parameters.0.enum'],
  ['a parameter without a type', withParameters({ name: 'a' }), 'parameters.0.type'],
]

/** The reported node of a cycle may be any of its nodes. */
const wrongSomewhere: [what: string, document: unknown, path: RegExp][] = [
  ['a node that feeds itself', base({ a: { type: 'flip', inputs: { image: 'a' } } }), /^nodes(\.a|$)/],
  ['a node id with a capital', base({ A: sheet, a: sheet }), /^nodes/],
  ['no nodes', base({}), /^(nodes|output)/],
  ['a list of nodes', { name: 'x', nodes: [sheet], output: { node: 'a' } }, /^nodes/],
]

area('a workflow is not saved', { concurrency: 4 }, () => {
  let api: Client
  let empty: string
  before(async () => {
    api = await firstAccount()
    empty = ok(await api.post<Project>('/projects', { name: 'Stays empty' }), 201).id
  })
  after(async () => {
    assert.equal(ok(await api.get<Workflows>('/workflows', { projectId: empty })).total, 0)
  })

  for (const [label, document, ...paths] of wrong) {
    test(`with ${label}: the issue has the path, and validation reports the same`, async () => {
      const reply = await api.post('/workflows', { ...(document as object), projectId: empty })
      assert.deepEqual(issuePaths(reply), paths)
      assert.deepEqual(validationPaths(await api.post('/workflows/validate', document)), paths)
    })
  }

  for (const [label, document, path] of wrongSomewhere) {
    test(`with ${label}, and the issue has the path`, async () => {
      const paths = issuePaths(await api.post('/workflows', document))
      assert.ok(
        paths.some((each) => path.test(each)),
        paths.join(' '),
      )
    })
  }

  test('with many issues, and all are reported together', async () => {
    const paths = issuePaths(
      await api.post('/workflows', {
        name: 'Many',
        parameters: [{ name: 'a', type: 'number', default: 'x' }],
        nodes: {
          one: { type: 'resise' },
          two: { type: 'canvas', params: { width: -1, height: '{{ nope }}' } },
          three: { type: 'flip', inputs: { image: 'missing' } },
        },
        output: { node: 'four', format: 'bmp' },
      }),
    )
    assert.deepEqual(paths, [
      'nodes.one.type',
      'nodes.three.inputs.image',
      'nodes.two.params.height',
      'nodes.two.params.width',
      'output.format',
      'output.node',
      'parameters.0.default',
    ])
  })
})

area('validation of a workflow', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  test('of a valid document finds no issues and saves nothing', async () => {
    const document = { ...scale(), name: 'Only validated' }
    assert.deepEqual(validationPaths(await api.post('/workflows/validate', document)), [])
    assert.ok(!(await api.get('/workflows', { limit: 100 })).text.includes('Only validated'))
  })

  test('warns about a node that the output does not need, and accepts it', async () => {
    const reply = await api.post('/workflows/validate', base({ a: sheet, lonely: { ...sheet, when: 'x' } }))
    assert.deepEqual(validationPaths(reply), [])
    assert.match(reply.text, /lonely/)
  })
})

area('a dry run', { concurrency: 1 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const document = {
    name: 'Dry run',
    parameters: [{ name: 'width', type: 'number', default: 20 }],
    nodes: {
      sheet,
      small: { type: 'resize', inputs: { image: 'sheet' }, params: { width: '{{ width }}', height: 10 } },
      soft: { type: 'blur', inputs: { image: 'small' }, params: {} },
    },
    output: { node: 'soft', format: 'webp', quality: '{{ width }}' },
  }
  const dryRun = async (parameters?: object) =>
    ok(await api.post<DryRun>('/workflows/validate', { document, ...(parameters ? { parameters } : {}) }))

  test('shows the effective values, and the steps that are fused', async () => {
    const { steps, output } = await dryRun({ width: 30 })
    const [, small, soft] = steps
    assert.deepEqual([small?.params?.width, small?.params?.fit, soft?.params?.sigma], [30, 'cover', 3])
    assert.deepEqual([small?.fusedWith, soft?.fusedWith], ['soft', 'soft'])
    assert.deepEqual(output, { format: 'webp', quality: 30 })
  })

  test('estimates the duration from earlier runs of the operations', async () => {
    const { id } = await save(api, document)
    ok(await api.post('/workflows/execute', { workflowId: id }), 200)
    const { expectedDuration, steps } = await dryRun({})
    assert.ok(expectedDuration !== null && expectedDuration > 0)
    for (const step of steps) assert.ok(step.expectedDuration !== null, step.node)
  })
})

interface DryRun {
  expectedDuration: number | null
  output: Record<string, unknown> | null
  steps: {
    node: string
    params: Record<string, unknown> | null
    fusedWith: string | null
    expectedDuration: number | null
  }[]
}

/** The sorted paths of the reported issues. */
function validationPaths(reply: { status: number; text: string; body: unknown }): string[] {
  const { issues = [] } = reply.body as { issues?: { path: string }[] }
  assert.equal(reply.status, 200, reply.text)
  return [...new Set(issues.map((issue) => issue.path))].sort()
}
