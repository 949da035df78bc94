import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planExecution } from '../plan/plan.ts'
import { modelCatalogue, scriptedModels } from '../test-models.ts'
import { createChecker } from './check.ts'

const check = createChecker(modelCatalogue, scriptedModels())

function issuesOf(nodes: object, output: object | string = 'a', parameters: object[] = []): [string, string][] {
  const settings = typeof output === 'string' ? { node: output } : output
  const { issues = [] } = check({ name: 'T', parameters, nodes, output: settings })
  return issues.map(({ path, message }) => [path, message])
}
const pathsOf = (...given: Parameters<typeof issuesOf>) => issuesOf(...given).map(([path]) => path)
const paint = (params: object, inputs = {}) => ({ a: { type: 'paint', params, inputs } })

test('rejects a request that the model cannot fulfil when the workflow is saved, at the param that requires it', () => {
  assert.deepEqual(issuesOf(paint({ model: 'a/plain', seed: 1 })), [['nodes.a.params.seed', 'a/plain knows no seed']])
  assert.deepEqual(pathsOf(paint({ seed: 1, width: 5, height: 5, clear: true })), [
    'nodes.a.params.width',
    'nodes.a.params.seed',
    'nodes.a.params.clear',
  ])
  assert.deepEqual(pathsOf(paint({ model: 'a/rich', seed: 1, width: 5, height: 5 })), [])
})

test('rejects an unknown model at `model`, and an unknown fallback at its index', () => {
  assert.deepEqual(pathsOf(paint({ model: 'a/odd' })), ['nodes.a.params.model'])
  assert.deepEqual(pathsOf(paint({ model: 'a/rich', fallback: ['a/rich', 'a/odd'] })), ['nodes.a.params.fallback.1'])
})

test('rejects images that the model does not accept at the socket', () => {
  const nodes = (images: string[]) => ({ m: { type: 'make' }, ...paint({}, { images }) })
  assert.deepEqual(pathsOf(nodes(['m', 'm'])), ['nodes.a.inputs.images'])
  assert.deepEqual(pathsOf(paint({})), [])
})

test('does not guess the number of images of a list when the workflow is saved', () => {
  const nodes = { m: { type: 'make', each: 3 }, ...paint({}, { images: ['m'] }) }
  assert.deepEqual(pathsOf(nodes), [])
})

test('counts a param with a template as a requirement, whatever its value will be', () => {
  const parameters = [{ name: 'n', type: 'number', default: 5 }]
  assert.deepEqual(pathsOf(paint({ seed: '{{ n }}' }), 'a', parameters), ['nodes.a.params.seed'])
  assert.deepEqual(pathsOf(paint({ width: '{{ n }}', height: 7 }), 'a', parameters), ['nodes.a.params.width'])
  // It may be false.
  assert.deepEqual(pathsOf(paint({ clear: '{{ n }}' }), 'a', parameters), [])
})

test('reports only the schema problem of an invalid param', () => {
  assert.deepEqual(pathsOf(paint({ model: 'a/odd', seed: 'x' })), ['nodes.a.params.seed'])
})

test('checks the model of a template when its value is known: when the execution is accepted', () => {
  const parameters = [{ name: 'model', type: 'string', required: true }]
  const { workflow } = check({
    name: 'T',
    parameters,
    nodes: paint({ model: '{{ model }}', seed: 1 }),
    output: { node: 'a' },
  })
  assert.ok(workflow)
  const issuesWith = (model: string) => planExecution(workflow, { model }).issues?.map(({ path }) => path)
  assert.deepEqual(issuesWith('a/plain'), ['nodes.a.params.seed'])
  assert.deepEqual(issuesWith('a/odd'), ['nodes.a.params.model'])
  assert.equal(issuesWith('a/rich'), undefined)
})

test('skips the checks if there are no models', () => {
  const { workflow } = createChecker(modelCatalogue)({
    name: 'T',
    nodes: paint({ model: 'a/odd', seed: 1 }),
    output: { node: 'a' },
  })
  assert.ok(workflow)
})

test('rejects wires and outputs from a node without an image', () => {
  const nodes = { s: { type: 'say' }, a: { type: 'join', inputs: { image: 's' } } }
  const [issue, ...others] = issuesOf(nodes)
  assert.deepEqual(others, [])
  assert.equal(issue?.[0], 'nodes.a.inputs.image')
  assert.match(issue?.[1] ?? '', /"say" returns no image.*"text"/)
  assert.deepEqual(pathsOf({ s: { type: 'say' }, ...paint({}, { images: ['s'] }) }), [
    'nodes.a.inputs.images.0',
    'nodes.a.inputs.images',
  ])
  assert.match(issuesOf({ a: { type: 'say' } })[0]?.join(' ') ?? '', /^output.node .*"say" returns no image/)
})

test('templates read the values of a node without an image, but not its width', () => {
  const nodes = (text: string) => ({
    s: { type: 'say' },
    m: { type: 'make' },
    a: { type: 'join', inputs: { image: 'm' }, params: { text } },
  })
  assert.deepEqual(pathsOf(nodes('{{ nodes.s.text }}')), [])
  assert.match(issuesOf(nodes('{{ nodes.s.width }}'))[0]?.join(' ') ?? '', /^nodes.a.params.text .*Available: "text"/)
})
