/** Features that need packages, programs and files of their own, in an installation that has the bundle and no sources. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../harness/area.ts'
import { ok } from '../harness/client.ts'
import { installBundle } from '../harness/installation.ts'
import type { Execution } from '../harness/types.ts'

await installBundle()
const { firstAccount } = await import('../harness/shared.ts')
/** HTML, fonts, PDF, SVG, PSD, credentials, ONNX models, adapters of providers, the reference page and the command. */
for (const name of [
  'cli',
  'credentials',
  'documents',
  'fonts',
  'html',
  'named-outputs',
  'onnx-models',
  'pictures',
  'providers',
  'reference',
])
  await import(`../api/${name}.ts`)

area('examples', { concurrency: 2 }, () => {
  test('every example that needs no provider completes', async () => {
    const api = await firstAccount()
    const { workflows } = ok(await api.get<{ workflows: { id: string; name: string }[] }>('/workflows', { limit: 100 }))
    const examples = workflows.filter(({ name }) => !/^product (cut-out|scene)$/i.test(name))
    assert.ok(examples.length >= 15, `found ${examples.length}`)
    for (const { id, name } of examples) {
      const { status } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
      assert.equal(status, 'completed', name)
    }
  })
})
