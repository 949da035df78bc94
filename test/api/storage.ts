/** The maximum of bytes that an account stores. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { scale } from '../harness/documents.ts'
import { file } from '../harness/multipart.ts'
import { noise } from '../harness/pictures.ts'
import { newAccount, sharedService } from '../harness/shared.ts'
import type { ErrorDetails, Image } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'

const storageOf = async (api: Client) =>
  ok(await api.get<{ storage: { bytes: number; maxBytes: number | null } }>('/usage')).storage

const quotaOf = (reply: Reply<unknown>) =>
  refused(reply, 'forbidden') as ErrorDetails & { quota?: string; limit?: number; used?: number }

const refusal = async (api: Client, png: Buffer) => quotaOf(await api.upload([file(png, 'photo.png', 'image/png')]))

/** All of them. */
async function imagesOf(api: Client): Promise<Image[]> {
  const images: Image[] = []
  for (;;) {
    const page = ok(await api.get<{ images: Image[] }>('/storage/images', { limit: 100, offset: images.length })).images
    images.push(...page)
    if (page.length < 100) return images
  }
}

async function removeAll(api: Client, images: Image[]): Promise<void> {
  for (const { id } of images) ok(await api.delete(`/storage/images/${id}`))
}

area('the storage of an account', { concurrency: 2 }, () => {
  test('the usage has the number of days for which executions are stored', async () => {
    const { api } = await newAccount()
    const { retention } = ok(await api.get<{ retention: { executionsDays: number } }>('/usage'))
    assert.deepEqual(retention, { executionsDays: 90 })
  })

  test('at its maximum, uploads and executions are refused, and accepted after a deletion', async () => {
    const { api, accountId } = await newAccount()
    const service = await sharedService()
    const png = await noise('png', 40, 30)
    assert.deepEqual(await storageOf(api), { bytes: 0, maxBytes: null })
    const set = (bytes: string) =>
      runCommand<{ storageMaxBytes: unknown }>(service, 'accounts', 'storage', accountId, bytes)
    const max = png.length
    assert.equal((await set(String(max - 1))).storageMaxBytes, max - 1)
    const { id: workflowId } = await save(api, scale())
    const tooLarge = await refusal(api, png)
    assert.deepEqual([tooLarge.quota, tooLarge.limit, tooLarge.used], ['storageBytes', max - 1, 0])
    await set(String(max))
    const first = await upload(api, png)
    const { quota, limit, used } = await refusal(api, png)
    assert.deepEqual([quota, limit, used], ['storageBytes', max, max])
    const run = () => api.post('/workflows/execute', { workflowId, parameters: { source: first.id } })
    assert.equal(quotaOf(await run()).quota, 'storageBytes')
    const images = await imagesOf(api)
    assert.deepEqual(await storageOf(api), { bytes: max, maxBytes: max })
    await removeAll(api, images)
    assert.equal((await storageOf(api)).bytes, 0)
    ok(await api.upload([file(png, 'photo.png', 'image/png')]), 201)
    assert.equal((await set('none')).storageMaxBytes, 'none')
    ok(await api.upload([file(png, 'photo.png', 'image/png')]), 201)
    assert.equal((await set('default')).storageMaxBytes, 'default')
  })

  test('a batch is paused, and continues when it is resumed after a deletion', async () => {
    const { api, accountId } = await newAccount()
    const service = await sharedService()
    const png = await noise('png', 40, 30)
    const workflow = await save(api, {
      name: 'Sheets',
      parameters: [{ name: 'width', type: 'number', required: true }],
      nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 5, color: 'red' } } },
      output: { node: 'sheet', format: 'png' },
    })
    const created = async () => ok(await api.post<{ id: string }>('/batches', { workflowId: workflow.id }), 201)
    const { id } = await created()
    const headers = { 'content-type': 'text/csv' }
    ok(await api.call('PUT', `/batches/${id}/items`, { body: Buffer.from('width\n10\n11\n'), headers }))
    await upload(api, png)
    await runCommand(service, 'accounts', 'storage', accountId, String((await storageOf(api)).bytes))
    await refusal(api, png)
    ok(await api.post(`/batches/${id}/start`))
    const reach = (status: string) =>
      until(`a ${status} batch`, async () => {
        const batch = ok(await api.get<{ status: string; pauseReason?: string }>(`/batches/${id}`))
        return batch.status === status ? batch : undefined
      })
    assert.equal((await reach('paused')).pauseReason, 'storage')
    const more = { body: Buffer.from('width\n1\n'), headers }
    const refusedRows = await api.call('PUT', `/batches/${(await created()).id}/items`, more)
    assert.equal(quotaOf(refusedRows).quota, 'storageBytes')
    await removeAll(api, await imagesOf(api))
    ok(await api.post(`/batches/${id}/resume`))
    await reach('completed')
  })

  test('long brand values count once for all executions of a batch, which all have them, and refuse executions at the maximum', async () => {
    const { api, accountId } = await newAccount()
    const service = await sharedService()
    const names = Array.from({ length: 15 }, (_, i) => `text${i}`)
    const values = Object.fromEntries(names.map((name) => [name, 'x'.repeat(4_000)]))
    const brand = Object.fromEntries(names.map((name) => [name, { type: 'text', value: values[name] }]))
    ok(await api.call('PUT', '/brand', { json: { values: brand } }))
    const workflow = await save(api, {
      name: 'Branded',
      parameters: [{ name: 'width', type: 'number', default: 1 }],
      nodes: {
        blank: { type: 'canvas', params: { width: '{{ width }}', height: 1 } },
        sized: {
          type: 'resize',
          when: names.map((name) => `{{ brand.${name} | size }}`).join(''),
          inputs: { image: 'blank' },
          params: { width: 2 },
        },
      },
      output: { node: 'sized', format: 'png' },
    })
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId: workflow.id }), 201)
    const body = Buffer.from(`width\n${'1\n'.repeat(12)}`)
    ok(await api.call('PUT', `/batches/${id}/items`, { body, headers: { 'content-type': 'text/csv' } }))
    ok(await api.post(`/batches/${id}/start`))
    await until('a completed batch', async () => {
      const { status } = ok(await api.get<{ status: string }>(`/batches/${id}`))
      return status === 'completed' ? status : undefined
    })
    const images = (await imagesOf(api)).reduce((sum, { size = 0 }) => sum + size, 0)
    const { bytes } = await storageOf(api)
    assert.ok(bytes - images > 60_000 && bytes - images < 90_000, `${bytes - images} bytes without images`)
    const { executions } = ok(await api.get<{ executions: { executionId: string }[] }>('/workflows/executions'))
    assert.equal(executions.length, 12)
    for (const { executionId } of executions)
      assert.deepEqual(ok(await api.get<{ brand: object }>(`/workflows/executions/${executionId}`)).brand, values)
    await runCommand(service, 'accounts', 'storage', accountId, '60000')
    assert.equal(quotaOf(await api.post('/workflows/execute', { workflowId: workflow.id })).quota, 'storageBytes')
  })
})
