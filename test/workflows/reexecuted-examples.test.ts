/** Every shipped example without a model gives the same pixels when it is executed again, also in another installation. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { file } from '../harness/multipart.ts'
import { repetitions } from '../harness/repetitions.ts'
import { newPlace, startService } from '../harness/service.ts'
import type { Execution, Verified, Workflows } from '../harness/types.ts'
import { fetchImage, save } from '../harness/workflows.ts'

type Example = Document & { examples?: { name: string; parameters?: object }[] }

test('an export has what another installation needs to execute every example again', async (t) => {
  const service = await startService()
  let current = service
  t.after(() => current.remove())
  const api = await createClient(service, service.key)
  const { workflows } = ok(await api.get<Workflows>('/workflows?limit=100'))
  assert.ok(workflows.length >= 16)
  const signed: { name: string; bytes: Buffer }[] = []
  for (const { id, name } of workflows.slice(0, repetitions(3, workflows.length))) {
    const document = ok(await api.get<Example>(`/workflows/${id}/document`))
    const { id: signedId } = await save(api, { ...document, output: { ...document.output, credentials: 'always' } })
    const { parameters = {} } = document.examples?.[0] ?? {}
    const reply = await api.post<Execution>('/workflows/execute', { workflowId: signedId, parameters })
    const { output } = ok(reply)
    signed.push({ name, bytes: await fetchImage(api, output?.url ?? '') })
  }
  for (const { name, bytes } of signed) await assertEqual(api, name, bytes, 'trusted')

  const archive = path.join(service.dataDir, 'all.tar')
  await tintypeJson(service, 'export', archive)
  const place = await newPlace({})
  await tintypeJson(place, 'import', archive)
  const { key } = service
  await service.remove()
  current = await place.start()
  const moved = await createClient(current, key)
  // The other installation has another certificate.
  for (const { name, bytes } of signed) await assertEqual(moved, name, bytes, 'valid')
})

async function assertEqual(api: Client, name: string, bytes: Buffer, state: string): Promise<void> {
  const reply = await api.call<Verified>('POST', '/verify?reexecute=true', { parts: [file(bytes, 'image')] })
  const { credentials, reexecution } = ok(reply)
  assert.equal(credentials?.state, state, name)
  assert.equal(reexecution?.result, 'equal', `${name}: ${JSON.stringify(reexecution)}`)
  const notRepeated = reexecution.steps.filter(
    ({ result, message }) => result === 'different' || (result === 'skipped' && message !== 'Its condition is false.'),
  )
  assert.deepEqual(notRepeated, [], name)
}
