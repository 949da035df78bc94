import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limits } from '../../limits.ts'
import { planExecution } from '../plan/plan.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { createChecker } from './check.ts'
import { pruneDraft } from './prune.ts'

const check = createChecker(testCatalogue)
const nodes = {
  a: { type: 'make' },
  b: { type: 'make', params: { width: 5 } },
  list: { type: 'make', each: 3 },
  maybe: { type: 'make', when: '{{ text }}' },
}
const parameters = [{ name: 'text', type: 'string', default: '' }]
const documentWith = (outputs: unknown) => ({ name: 'Test', parameters, nodes, output: { node: 'a' }, outputs })

/** Path to message. */
function problemsOf(outputs: unknown): Record<string, string> {
  return Object.fromEntries((check(documentWith(outputs)).issues ?? []).map(({ path, message }) => [path, message]))
}

/** The only problem of one output. */
function assertProblem(output: object, path: string, message: RegExp): void {
  const problems = problemsOf({ card: { node: 'b', ...output } })
  assert.deepEqual(Object.keys(problems), [`outputs.card${path && `.${path}`}`])
  assert.match(Object.values(problems)[0] ?? '', message)
}

it('accepts an image, a set and a PDF, with templates', () => {
  const outputs = {
    story: { node: 'b', format: 'jpeg', maxBytes: 200_000, width: '{{ text | size | plus: 100 }}' },
    hero: { node: 'b', widths: [480, '{{ 960 }}'], formats: ['avif', 'jpeg'], quality: 70, name: 'hero-{{ text }}' },
    print: { node: ['a', 'list', 'maybe'], format: 'pdf', pageSize: 'A4', margin: 10, density: 150 },
    own: { node: 'list', format: 'pdf', pageWidth: 100, pageHeight: '{{ 50 }}' },
  }
  assert.deepEqual(problemsOf(outputs), {})
})

it('rejects an output of a node that does not exist, has a list, or may have no image', () => {
  assertProblem({ node: 'c' }, 'node', /"c", which does not exist/)
  assertProblem({ node: 'list' }, 'node', /list of images.*"format" to "pdf"/)
  assertProblem({ node: 'maybe' }, 'node', /the output would have no image/)
  assertProblem({ node: ['maybe'], format: 'pdf' }, 'node', /the output would have no image/)
  assertProblem({ node: ['a', 'b'], format: 'webp' }, 'node', /one node id, not a list/)
  assertProblem({ node: ['a', 'c'], format: 'pdf' }, 'node.1', /"c", which does not exist/)
  assert.deepEqual(Object.keys(problemsOf({ card: {}, list: [], text: 'b' })), [
    'outputs.card.node',
    'outputs.list',
    'outputs.text',
  ])
})

it('rejects names that can not be part of a file name', () => {
  for (const name of ['Card', '1st', 'a b', '-x', 'a'.repeat(65), '__proto__x', 'ü'])
    assert.match(problemsOf({ [name]: { node: 'b' } })[`outputs.${name}`] ?? '', /not an allowed name/)
})

it('rejects settings of another kind of output', () => {
  assertProblem({ pageSize: 'A4' }, 'pageSize', /requires `format: pdf`/)
  assertProblem({ format: 'pdf', widths: [100] }, 'widths', /not an option of the format "pdf"/)
  assertProblem({ format: 'pdf', maxBytes: 5_000 }, 'maxBytes', /not an option of the format "pdf"/)
  assertProblem({ format: 'pdf', credentials: 'always' }, 'credentials', /PDF can't be signed/)
  assertProblem({ width: 10, widths: [10] }, 'width', /together with "widths"/)
  assertProblem({ format: 'png', formats: ['png'] }, 'format', /together with "formats"/)
  assertProblem({ format: 'pdf', lossless: true, quality: 80 }, 'quality', /no effect/)
  assertProblem({ format: 'pdf', orientation: 'landscape' }, 'orientation', /requires "pageSize"/)
  assertProblem({ format: 'pdf', pageWidth: 100 }, 'pageHeight', /required if "pageWidth"/)
  assertProblem({ format: 'pdf', pageSize: 'A4', pageWidth: 9, pageHeight: 9 }, 'pageSize', /together with/)
})

it('rejects formats that do not fit, and values outside their bounds', () => {
  assertProblem({ format: 'heic' }, 'format', /must be one of.*"pdf"/)
  assertProblem({ formats: ['webp', 'pdf'] }, 'formats.1', /must be one of/)
  assertProblem({ formats: [] }, 'formats', /at least 1 item/)
  assertProblem({ formats: ['webp', 'tiff'], maxBytes: 5_000 }, 'maxBytes', /format "tiff"/)
  assertProblem({ formats: ['webp', 'gif'], chroma: '4:4:4' }, 'chroma', /format "webp or gif"/)
  assert.deepEqual(problemsOf({ card: { node: 'b', formats: ['webp', 'avif'], chroma: '4:4:4' } }), {})
  assertProblem({ widths: [limits.sidePixelsMax + 1] }, 'widths.0', /at most 16384/)
  assertProblem({ width: 0 }, 'width', /at least 1/)
  assertProblem({ widths: [1.5] }, 'widths.0', /whole number/)
  assertProblem({ format: 'pdf', pageSize: 'A9' }, 'pageSize', /"Letter"/)
  assertProblem({ format: 'pdf', pageSize: 'A4', margin: 105 }, 'margin', /less than half of the page/)
  assertProblem({ format: 'pdf', pageSize: 'A3', density: 1_200 }, 'density', /19843 pixels/)
})

it('rejects a file that is made twice, and more files than an execution stores', () => {
  assert.match(problemsOf({ same: { node: 'a' } })['outputs.same'] ?? '', /same file as "output"/)
  const twice = problemsOf({ one: { node: 'b', width: 9, format: 'png' }, two: { format: 'png', width: 9, node: 'b' } })
  assert.match(twice['outputs.two'] ?? '', /same file as "outputs.one"/)
  assertProblem({ widths: [8, 9, 8] }, 'widths.2', /same as "outputs.card.widths.0"/)
  assertProblem({ formats: ['webp', 'png', 'webp'] }, 'formats.2', /same as "outputs.card.formats.0"/)
  const widths = Array.from({ length: limits.outputFilesMax / 2 }, (_, i) => i + 1)
  assert.match(
    problemsOf({ hero: { node: 'b', widths, formats: ['png', 'webp'] } }).outputs ?? '',
    /at most 32 files.*33/,
  )
  const many = Object.fromEntries(widths.map((width) => [`w${width}`, { node: 'b', widths: [width, width + 100] }]))
  assert.match(problemsOf(many).outputs ?? '', /at most 32 files/)
})

it('rejects values of parameters that break these rules before the execution starts', () => {
  const schema = { type: 'array', items: { type: 'integer' } }
  const document = {
    ...documentWith({ hero: { node: 'b', format: '{{ format }}', widths: '{{ sizes }}' } }),
    parameters: [
      ...parameters,
      { name: 'sizes', type: 'string', format: 'json', schema },
      { name: 'format', type: 'string' },
    ],
  }
  const { workflow, issues } = check(document)
  assert.ok(workflow, JSON.stringify(issues))
  const pathsOf = (values: object) => planExecution(workflow, { ...values }).issues?.map(({ path }) => path)
  assert.equal(pathsOf({ sizes: [1, 2], format: 'webp' }), undefined)
  assert.deepEqual(pathsOf({ sizes: [1, 1], format: 'pdf' }), ['outputs.hero.format', 'outputs.hero.widths.1'])
  assert.deepEqual(pathsOf({ sizes: Array.from({ length: 32 }, (_, i) => i + 1) }), ['outputs'])
})

it('counts a node of an output as needed, and keeps outputs when a draft is executed', () => {
  const warned = (outputs: object) => check(documentWith(outputs)).workflow?.warnings.map(({ path }) => path)
  assert.deepEqual(warned({}), ['nodes.b', 'nodes.list', 'nodes.maybe'])
  assert.deepEqual(warned({ card: { node: 'b' }, pages: { node: 'list', format: 'pdf' } }), ['nodes.maybe'])
  const named = { card: { node: 'a', name: '{{ nodes.b.width }}' } }
  assert.deepEqual(warned(named), ['nodes.list', 'nodes.maybe'])
  const draft = pruneDraft(documentWith({ ...named, pages: { node: ['list'], format: 'pdf' } }))
  assert.ok('document' in draft)
  assert.deepEqual(Object.keys(draft.document.nodes as object), ['a', 'b', 'list'])
  assert.deepEqual(Object.keys(draft.document.outputs as object), ['card', 'pages'])
  const toNode = pruneDraft(documentWith(named), 'list')
  assert.ok('document' in toNode)
  assert.equal(toNode.document.outputs, undefined)
})
