import assert from 'node:assert/strict'
import { test } from 'node:test'
import { document } from '../../../test/contract/records.ts'
import type { OpenAi } from '../../domain/workflows/openai.ts'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import { checkOpenAi } from './check-openai.ts'

const parameters = [
  { name: 'headline', type: 'string', required: true },
  { name: 'photo', type: 'string', format: 'image' },
  { name: 'data', type: 'string', format: 'json' },
  { name: 'ratio', type: 'string', format: 'enum', enum: ['1024x1024'] },
  { name: 'w', type: 'number', default: 1 },
  { name: 'h', type: 'number', required: true, default: 1 },
] as ParameterDeclaration[]
const issues = (openai: OpenAi | undefined, declared = parameters) =>
  checkOpenAi({ ...document(), parameters: declared, ...(openai && { openai }) })
const paths = (openai: OpenAi) => issues(openai).map(({ path }) => path)

test('a document without openai has no rules, and one whose names fit is valid', () => {
  assert.deepEqual(issues(undefined), [])
  assert.deepEqual(paths({ prompt: 'headline' }), [])
  assert.deepEqual(paths({ prompt: 'headline', image: 'photo', size: 'ratio', width: 'w', height: 'h', n: 4 }), [])
})

test('a name that is unknown, of another type, or used twice is an issue with a hint', () => {
  const [unknown] = issues({ prompt: 'headlin' })
  assert.equal(unknown?.path, 'openai.prompt')
  assert.match(unknown?.message ?? '', /Did you mean "headline"\?/)
  assert.deepEqual(paths({ prompt: 'headline', image: 'data' }), ['openai.image'])
  assert.deepEqual(paths({ prompt: 'headline', image: 'headline' }), ['openai.image'])
  assert.deepEqual(paths({ prompt: 'headline', size: 'w' }), ['openai.size'])
  assert.deepEqual(paths({ prompt: 'headline', width: 'photo', height: 'h' }), ['openai.width'])
  assert.deepEqual(paths({ prompt: 'headline', width: 'w' }), ['openai.height'])
})

test('a required parameter without a default must be named, because no request could pass it', () => {
  const [issue, ...more] = issues({ prompt: 'title' }, [
    { name: 'title', type: 'string' },
    { name: 'headline', type: 'string', required: true },
  ])
  assert.deepEqual([issue?.path, more], ['openai', []])
  assert.match(issue?.message ?? '', /headline/)
})
