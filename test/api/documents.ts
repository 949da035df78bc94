/** Rejected documents of workflows: all issues together, each with its path. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { canvas, naming, scale } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Project, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

const sheet = { type: 'canvas', params: { width: 8, height: 6 } }
const base = (nodes: Record<string, unknown>, output: unknown = { node: 'a' }) => ({ name: 'x', nodes, output })
const withParameters = (...parameters: unknown[]) => ({ ...canvas(), parameters })

const wrong: [what: string, document: unknown, paths: string[]][] = [
  ['no name', { nodes: { a: sheet }, output: { node: 'a' } }, ['name']],
  ['an empty name', { ...canvas(), name: '' }, ['name']],
  ['a name of spaces', { ...canvas(), name: ' \n ' }, ['name']],
  ['a name of spaces, and another problem', { name: ' ', output: { node: 'a' } }, ['name', 'nodes']],
  [
    'an unknown format of a parameter with a default',
    withParameters({ name: 'photo', type: 'string', format: 'imgae', default: 'x' }),
    ['parameters.0.format'],
  ],
  [
    'an enum that is not a list',
    withParameters({ name: 'size', type: 'string', enum: 'small', default: 'small' }),
    ['parameters.0.enum'],
  ],
  [
    'a schema that is invalid, and an example of its parameter',
    {
      ...withParameters({
        name: 'rows',
        type: 'string',
        format: 'json',
        schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: {} } },
      }),
      examples: [{ name: 'one', parameters: { rows: [{ a: 'x' }] } }],
    },
    ['parameters.0.schema.items.required'],
  ],
  ['no nodes', { name: 'x', output: { node: 'a' } }, ['nodes']],
  ['no output', { name: 'x', nodes: { a: sheet } }, ['output']],
  ['an unknown field', { ...canvas(), colour: 'red' }, ['colour']],
  ['an unknown field of a node', base({ a: { ...sheet, parms: {} } }), ['nodes.a.parms']],
  ['a node without a type', base({ a: { params: {} } }), ['nodes.a.type']],
  ['an unknown operation', base({ a: { type: 'resise' } }), ['nodes.a.type']],
  ['a missing socket', base({ a: { type: 'flip' } }), ['nodes.a.inputs.image']],
  ['an unknown socket', base({ a: { ...sheet, inputs: { image: 'b' } }, b: sheet }), ['nodes.a.inputs.image']],
  [
    'a misspelt socket',
    base({ a: { type: 'flip', inputs: { image: 'b', over: 'b' } }, b: sheet }),
    ['nodes.a.inputs.over'],
  ],
  [
    'an unknown param',
    base({ a: { type: 'canvas', params: { width: 8, height: 6, colour: 'red' } } }),
    ['nodes.a.params.colour'],
  ],
  ['a missing param', base({ a: { type: 'canvas', params: { width: 8 } } }), ['nodes.a.params.height']],
  [
    'a param below its bounds',
    base({ a: { type: 'canvas', params: { width: 0, height: 6 } } }),
    ['nodes.a.params.width'],
  ],
  [
    'a param above its bounds',
    base({ a: { type: 'canvas', params: { width: 8, height: 1e9 } } }),
    ['nodes.a.params.height'],
  ],
  [
    'a param of the wrong type',
    base({ a: { type: 'canvas', params: { width: 'wide', height: 6 } } }),
    ['nodes.a.params.width'],
  ],
  ['a number in quotes', base({ a: { type: 'canvas', params: { width: '8', height: 6 } } }), ['nodes.a.params.width']],
  [
    'an invalid colour',
    base({ a: { type: 'canvas', params: { width: 8, height: 6, color: 'redd' } } }),
    ['nodes.a.params.color'],
  ],
  [
    'a wire from a node that does not exist',
    base({ a: { type: 'flip', inputs: { image: 'b' } } }),
    ['nodes.a.inputs.image'],
  ],
  ['the output of a node that does not exist', base({ a: sheet }, { node: 'b' }), ['output.node']],
  ['an unknown format', base({ a: sheet }, { node: 'a', format: 'bmp' }), ['output.format']],
  ['svg as the format of an output', base({ a: sheet }, { node: 'a', format: 'svg' }), ['output.format']],
  ['a quality of 0', base({ a: sheet }, { node: 'a', format: 'jpeg', quality: 0 }), ['output.quality']],
  [
    'an option that the format does not have',
    base({ a: sheet }, { node: 'a', format: 'gif', chroma: '4:2:0' }),
    ['output.chroma'],
  ],
  ['a quality of 101', base({ a: sheet }, { node: 'a', format: 'jpeg', quality: 101 }), ['output.quality']],
  ['an unknown field of the output', base({ a: sheet }, { node: 'a', size: 1 }), ['output.size']],
  ['a template that does not parse', naming('{{ a'), ['output.name']],
  ['a block that is not closed', naming('{% if true %}a'), ['output.name']],
  ['a tag that does not exist', naming('{% fly %}'), ['output.name']],
  ['a filter that does not exist', naming('{{ "a" | fly }}'), ['output.name']],
  [
    'a template that names something undeclared',
    naming('{{ titel }}', [{ name: 'title', type: 'string' }]),
    ['output.name'],
  ],
  ['a template that names an unknown node', naming('{{ nodes.photo.width }}'), ['output.name']],
  ['a template that names an unknown value of a node', naming('{{ nodes.sheet.weight }}'), ['output.name']],
  ['a template in a param that names something undeclared', canvas({ width: '{{ w }}' }), ['nodes.sheet.params.width']],
  ['a condition that names something undeclared', base({ a: { ...sheet, when: '{{ w }}' } }), ['nodes.a.when']],
  [
    'two parameters with the same name',
    withParameters({ name: 'a', type: 'string' }, { name: 'a', type: 'number' }),
    ['parameters.1.name'],
  ],
  [
    'a string as the default of a number',
    withParameters({ name: 'a', type: 'number', default: '5' }),
    ['parameters.0.default'],
  ],
  [
    'a number as the default of a string',
    withParameters({ name: 'a', type: 'string', default: 5 }),
    ['parameters.0.default'],
  ],
  [
    'a default below its minimum',
    withParameters({ name: 'a', type: 'number', default: 1, minimum: 2 }),
    ['parameters.0.default'],
  ],
  [
    'a default outside its enum',
    withParameters({ name: 'a', type: 'string', default: 'x', enum: ['y'] }),
    ['parameters.0.default'],
  ],
  ['a type that is neither string nor number', withParameters({ name: 'a', type: 'boolean' }), ['parameters.0.type']],
  ['an enum of a number', withParameters({ name: 'a', type: 'number', enum: [1] }), ['parameters.0.enum']],
  ['a parameter without a type', withParameters({ name: 'a' }), ['parameters.0.type']],
]

/** The reported node of a cycle may be any of its nodes. */
const wrongSomewhere: [what: string, document: unknown, path: RegExp][] = [
  ['a node that feeds itself', base({ a: { type: 'flip', inputs: { image: 'a' } } }), /^nodes(\.a|$)/],
  [
    'two nodes that feed each other',
    base({ a: { type: 'flip', inputs: { image: 'b' } }, b: { type: 'flip', inputs: { image: 'a' } } }),
    /^nodes(\.[ab]|$)/,
  ],
  [
    'a cycle through a template',
    base({
      a: { type: 'canvas', params: { width: '{{ nodes.b.width }}', height: 6 } },
      b: { type: 'flip', inputs: { image: 'a' } },
    }),
    /^nodes(\.[ab]|$)/,
  ],
  ['a node id with a capital', base({ A: sheet, a: sheet }), /^nodes/],
  ['a node id of 65 characters', base({ ['a'.repeat(65)]: sheet, a: sheet }), /^nodes/],
  ['a node id that begins with a digit', base({ '1a': sheet, a: sheet }), /^nodes/],
  ['no nodes', base({}), /^(nodes|output)/],
  ['a list of nodes', { name: 'x', nodes: [sheet], output: { node: 'a' } }, /^nodes/],
]

area('a workflow is not saved', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  for (const [label, document, paths] of wrong) {
    test(`with ${label}, and the issue has the path`, async () => {
      assert.deepEqual(issuePaths(await api.post('/workflows', document)), paths)
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

  test('in any of these cases, and nothing is stored', async () => {
    const { id: projectId } = ok(await api.post<Project>('/projects', { name: 'Stays empty' }), 201)
    for (const [, document] of wrong) issuePaths(await api.post('/workflows', { ...(document as object), projectId }))
    assert.equal(ok(await api.get<Workflows>('/workflows', { projectId })).total, 0)
  })

  test('and validation reports the same issues', async () => {
    for (const [label, document] of wrong) {
      const [saved, validated] = [
        await api.post('/workflows', document),
        await api.post('/workflows/validate', document),
      ]
      assert.deepEqual([label, validationPaths(validated)], [label, issuePaths(saved)])
    }
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
