import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config/config.ts'
import { Fault } from '../errors.ts'
import { createOffline } from './offline.ts'

const documentOf = (model: string) => ({
  name: 'T',
  nodes: { a: { type: 'generate', params: { prompt: 'A cup.', model } } },
  output: { node: 'a' },
})

test('rejects workflow files with an unavailable model, without any key', async (t) => {
  const { dryRuns, close } = await createOffline(readConfig({}))
  t.after(close)
  await assert.rejects(
    dryRuns.check(documentOf('openai/gpt-imagine-1')),
    (error) => error instanceof Fault && error.details.issues?.[0]?.path === 'nodes.a.params.model',
  )
  await dryRuns.check(documentOf('openai/gpt-image-1'))
})
