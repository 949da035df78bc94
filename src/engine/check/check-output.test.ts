import assert from 'node:assert/strict'
import { it } from 'node:test'
import { planExecution } from '../plan/plan.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { createChecker } from './check.ts'

const check = createChecker(testCatalogue)
const documentWith = (output: object, parameters: object[] = []) => ({
  name: 'Test',
  parameters,
  nodes: { a: { type: 'make' } },
  output: { node: 'a', ...output },
})
const problemsOf = (output: object) =>
  Object.fromEntries((check(documentWith(output)).issues ?? []).map(({ path, message }) => [path, message]))

it('rejects an option that the format does not have when the workflow is saved, and lists the options of the format', () => {
  assert.match(
    problemsOf({ format: 'webp', chroma: '4:4:4' })['output.chroma'] ?? '',
    /not an option of the format "webp".*quality/,
  )
  assert.deepEqual(Object.keys(problemsOf({ format: 'gif', profile: 'p3', density: 72, metadata: 'keep' })).sort(), [
    'output.density',
    'output.metadata',
    'output.profile',
  ])
  assert.deepEqual(Object.keys(problemsOf({ format: 'tiff', maxBytes: 5_000 })), ['output.maxBytes'])
})

it('rejects an option of another format before the execution starts, if the format is a template', () => {
  const parameters = [{ name: 'format', type: 'string', required: true }]
  const { workflow, issues } = check(documentWith({ format: '{{ format }}', chroma: '4:4:4' }, parameters))
  assert.deepEqual(issues, undefined)
  assert.ok(workflow)
  assert.equal(planExecution(workflow, { format: 'jpeg' }).issues, undefined)
  assert.deepEqual(
    planExecution(workflow, { format: 'webp' }).issues?.map(({ path }) => path),
    ['output.chroma'],
  )
})

it('ignores an option whose template is an omitted parameter, so that one workflow supports every format', () => {
  const parameters = [
    { name: 'format', type: 'string', required: true },
    { name: 'quality', type: 'number' },
  ]
  const { workflow } = check(documentWith({ format: '{{ format }}', quality: '{{ quality }}' }, parameters))
  assert.ok(workflow)
  assert.deepEqual(planExecution(workflow, { format: 'png' }).plan?.outputs[0].settings, { format: 'png' })
  assert.deepEqual(planExecution(workflow, { format: 'avif', quality: 70 }).plan?.outputs[0].settings, {
    format: 'avif',
    quality: 70,
  })
  // A quality may be there for all of them: what loses nothing takes no notice.
  assert.equal(planExecution(workflow, { format: 'gif', quality: 70 }).issues, undefined)
})

it('accepts only the options of PNG and JPEG without a format', () => {
  assert.deepEqual(problemsOf({ quality: 70, progressive: true, lossless: true, chroma: '4:4:4' }), {})
})

it('rejects quality together with lossless, unless the format is always lossy', () => {
  assert.ok('output.quality' in problemsOf({ format: 'webp', lossless: true, quality: 80 }))
  assert.ok('output.chroma' in problemsOf({ format: 'avif', lossless: true, chroma: '4:2:0' }))
  assert.deepEqual(problemsOf({ format: 'png', quality: 80 }), {})
  assert.deepEqual(problemsOf({ format: 'tiff', quality: 80 }), {})
  assert.deepEqual(problemsOf({ format: 'png', quality: 80, lossless: false }), {})
  assert.deepEqual(problemsOf({ format: 'webp', lossless: false, quality: 80 }), {})
})

it('rejects values outside their bounds at their path, even if the document has other problems', () => {
  const wrong = {
    effort: 'most',
    chroma: '4:1:1',
    maxBytes: 99,
    density: 0,
    profile: 'adobe',
    metadata: true,
    progressive: 'yes',
    lossless: 1,
  }
  const paths = Object.keys(wrong).map((name) => `output.${name}`)
  assert.deepEqual(Object.keys(problemsOf(wrong)).sort(), paths.sort())
  const { issues } = check({ ...documentWith(wrong), name: 7 })
  assert.deepEqual(issues?.map(({ path }) => path).sort(), ['name', ...paths].sort())
})
