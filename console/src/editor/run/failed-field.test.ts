import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../api/types.ts'
import { failedField } from './failed-field.ts'

const resize = {
  params: { properties: { width: {}, fit: {}, position: {} }, required: ['width'] },
  inputs: [{ name: 'image' }],
} as unknown as Operation
const flip = { params: { properties: {} }, inputs: [{ name: 'image' }] } as unknown as Operation
const failure = (message: string, details = {}) => ({ message, details })

test('the path of the first issue is the field', () => {
  const issues = [{ path: 'output.delay', message: 'is too long' }]
  assert.equal(failedField(failure('It failed.', { issues }), 'small', resize), 'output.delay')
})

test('a param that the message names is the field', () => {
  const error = failure('position "attention" is for fit "cover".')
  assert.equal(failedField(error, 'small', resize), 'nodes.small.params.position')
})

test('without a name it is the required field, or the source of the image', () => {
  const error = failure('The image is damaged.')
  assert.equal(failedField(error, 'small', resize), 'nodes.small.params.width')
  assert.equal(failedField(error, 'turned', flip), 'nodes.turned.inputs.image')
  assert.equal(failedField(error, 'gone', undefined), 'nodes.gone.id')
})
