import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Parameter } from '../../api/run-link.ts'
import { budgetTime, failureText, problemText, waitText } from './plain-errors.ts'
import { defaultValues, exampleValues, kindOf, labelOf, parametersOf } from './values.ts'

const parameters: Parameter[] = [
  { name: 'photo_url', type: 'string', format: 'image', required: true },
  { name: 'cardWidth', type: 'number', default: 300 },
  { name: 'isBright', type: 'string', format: 'boolean', default: 'true' },
  { name: 'people', type: 'string', format: 'json', default: ['Ada'] },
  { name: 'tone', type: 'string', enum: ['warm', 'cold'] },
]
const page = { parameters }

test('names are labels, and each format has its kind of field', () => {
  assert.deepEqual(parameters.map(labelOf), ['Photo url', 'Card width', 'Is bright', 'People', 'Tone'])
  assert.deepEqual(parameters.map(kindOf), ['image', 'number', 'boolean', 'json', 'choice'])
})

test('values of the form become parameters: files are uploaded, and empty fields left out', async () => {
  const values = exampleValues(page, { name: 'small', parameters: { cardWidth: 20 } }, defaultValues(page))
  assert.deepEqual(values, { photo_url: '', cardWidth: '20', isBright: true, people: '[\n  "Ada"\n]', tone: '' })
  const file = new File(['x'], 'me.jpg')
  const passed = await parametersOf(
    page,
    { ...values, photo_url: file, people: '' },
    async ({ name }) => `img of ${name}`,
  )
  assert.deepEqual(passed, { photo_url: 'img of me.jpg', cardWidth: 20, isBright: true })
})

test('a used budget is available again on the next day or in the next month, in UTC, and a limit after its time', () => {
  const now = new Date('2026-12-31T23:30:00Z')
  assert.equal(budgetTime('key day', now)?.toISOString(), '2027-01-01T00:00:00.000Z')
  assert.equal(budgetTime('key month', now)?.toISOString(), '2027-01-01T00:00:00.000Z')
  assert.equal(budgetTime('execution', now), undefined)
  const run = {
    executionId: 'exec_1',
    status: 'failed',
    error: { code: 'workflow_failed', message: 'Too dark.' },
  } as const
  assert.equal(failureText(run, now), 'Too dark.')
  assert.equal(waitText(1), 'There are too many runs with this link. You can run again in 1 second.')
  assert.match(waitText(600), / in 10 minutes\.$/)
  assert.match(waitText(86_000), / in 24 hours\.$/)
  assert.equal(problemText('must be at most 5, not 6'), 'This value must be at most 5, not 6.')
  assert.equal(problemText('The image is corrupt.'), 'The image is corrupt.')
})
