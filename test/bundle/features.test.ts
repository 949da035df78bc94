/** Features that need separate packages, programs and files, in an installation that has the bundle and no sources. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../harness/area.ts'
import { createClient, ok } from '../harness/client.ts'
import { installBundle } from '../harness/installation.ts'
import type { Execution } from '../harness/types.ts'

await installBundle()
const { startService } = await import('../harness/service.ts')
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
  'slow-storage',
])
  await import(`../api/${name}.ts`)

area('examples', {}, () => {
  test('every example completes', async () => {
    const service = await startService()
    try {
      const api = await createClient(service, service.key)
      const { workflows } = ok(
        await api.get<{ workflows: { id: string; name: string }[] }>('/workflows', { limit: 100 }),
      )
      assert.ok(workflows.length >= 15, `found ${workflows.length}`)
      for (const { id, name } of workflows) {
        const { status } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
        assert.equal(status, 'completed', name)
      }
    } finally {
      await service.remove()
    }
  })
})
