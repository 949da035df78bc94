/** Quotas by plan, at their limits over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { canvas } from '../harness/documents.ts'
import { file } from '../harness/multipart.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { newAccount } from '../harness/shared.ts'
import { deliver, deliveryUrl, newSigningKey } from '../harness/signed-urls.ts'
import type { ErrorDetails, Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

interface Use {
  quota: string
  used: number
  limit: number | null
  title: string
}

const callers = 40

area('quotas', {}, () => {
  let service: Service
  before(async () => {
    service = await startWithoutExamples({
      IMAGES_MAX: 'enterprise=6',
      EXECUTIONS_PER_MONTH_MAX: 'pro=5,enterprise=none',
      WORKFLOWS_MAX: '3',
      PROJECTS_MAX: '2',
      CACHE_MAX_BYTES: 'starter=0',
    })
  })
  after(() => service.remove())

  const ofPlan = (plan: string) => newAccount({ service, plan })
  const usesOf = async (api: Client) => {
    const { quotas } = ok(await api.get<{ quotas: Use[] }>('/usage'))
    return new Map(quotas.map((use) => [use.quota, use]))
  }
  const detailsOf = (reply: Reply<unknown>) => {
    const { quota, limit, used } = refused(reply, 'forbidden') as ErrorDetails & { quota: string; used: number }
    return { quota, limit, used }
  }
  const run = (api: Client, workflowId: string, more = {}) =>
    api.post<Execution>('/workflows/execute', { workflowId, ...more })

  test('of 40 uploads and executions at the same time, exactly the maximum of images is stored, and a deletion gives back', async () => {
    const { api } = await ofPlan('enterprise')
    const { id } = await save(api, canvas())
    const png = await plain('png')
    const upload = () => api.upload([file(png, 'photo.png', 'image/png')])
    const replies = await Promise.all(
      Array.from({ length: callers }, (_, i): Promise<Reply<unknown>> => (i % 2 ? upload() : run(api, id))),
    )
    const stored = replies.filter(({ status }) => status < 300)
    for (const reply of replies)
      if (reply.status >= 300) assert.deepEqual(detailsOf(reply), { quota: 'images', limit: 6, used: 6 })
    assert.equal(stored.length, 6)
    const { images } = ok(await api.get<{ images: { id: string }[] }>('/storage/images'))
    assert.equal(images.length, 6)
    const use = (await usesOf(api)).get('images')
    assert.deepEqual(use, { quota: 'images', used: 6, limit: 6, title: 'Images' })
    ok(await api.delete(`/storage/images/${images[0]?.id}`))
    ok(await upload(), 201)
    detailsOf(await upload())
  })

  test('a file of a workflow with several outputs counts as an image from the start of its execution', async () => {
    const { api } = await ofPlan('enterprise')
    const outputs = { card: { node: 'sheet', widths: [4, 6] } }
    const { id } = await save(api, Object.assign(canvas(), { outputs }))
    const replies = await Promise.all(Array.from({ length: 6 }, () => run(api, id, { async: true })))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [202, 202, 403, 403, 403, 403])
    await until('six images', async () => {
      const { images } = ok(await api.get<{ images: object[] }>('/storage/images'))
      return images.length === 6 || undefined
    })
    assert.equal((await usesOf(api)).get('images')?.used, 6)
  })

  test('executions of the month: 40 callers start exactly the maximum, and another plan applies to the next one', async () => {
    const { api, accountId } = await ofPlan('pro')
    const { id } = await save(api, canvas())
    const replies = await Promise.all(Array.from({ length: callers }, (_, i) => run(api, id, { async: i % 2 === 0 })))
    assert.equal(replies.filter(({ status }) => status < 300).length, 5)
    ok(await api.call('DELETE', '/storage/images?source=output'))
    const reply = await run(api, id)
    assert.deepEqual(detailsOf(reply), { quota: 'executions', limit: 5, used: 5 })
    const { resetsAt } = refused(reply, 'forbidden') as ErrorDetails & { resetsAt: string }
    assert.match(resetsAt, /^\d{4}-\d\d-01T00:00:00.000Z$/)
    assert.ok(Date.parse(resetsAt) > Date.now())
    assert.deepEqual((await usesOf(api)).get('executions')?.used, 5)
    await runCommand(service, 'accounts', 'set-plan', accountId, 'enterprise')
    ok(await run(api, id))
  })

  test('a batch is paused at the maximum of images, and continues after a deletion', async () => {
    const { api } = await ofPlan('enterprise')
    const { id: workflowId } = await save(api, {
      ...canvas(),
      parameters: [{ name: 'name', type: 'string', required: true }],
    })
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId }), 201)
    const rows = Buffer.from(`name\n${Array.from({ length: 9 }, (_, i) => i).join('\n')}\n`)
    ok(await api.call('PUT', `/batches/${id}/items`, { body: rows, headers: { 'content-type': 'text/csv' } }))
    ok(await api.post(`/batches/${id}/start`))
    const reach = (status: string) =>
      until(`a ${status} batch`, async () => {
        const batch = ok(
          await api.get<{ status: string; pauseReason?: string; counts: { completed: number } }>(`/batches/${id}`),
        )
        return batch.status === status ? batch : undefined
      })
    const paused = await reach('paused')
    assert.equal(paused.pauseReason, 'quota')
    await until('six outputs', async () => (await reach('paused')).counts.completed === 6 || undefined)
    ok(await api.call('DELETE', '/storage/images?source=output'))
    ok(await api.post(`/batches/${id}/resume`))
    assert.equal((await reach('completed')).counts.completed, 9)
  })

  test('files of delivery URLs count as executions; at the maximum, visitors get files that exist, the fallback image or 503', async () => {
    const { api } = await ofPlan('pro')
    const { id: fallback } = ok<{ id: string }>(await api.upload([file(await plain('png', 3, 3))]), 201)
    const document = (slug: string, delivery: object) =>
      Object.assign(canvas({ width: '{{ width }}' }), {
        slug,
        parameters: [{ name: 'width', type: 'number', default: 8 }],
        delivery: { parameters: ['width'], ...delivery },
      })
    await save(api, document('covered', { fallback }))
    await save(api, document('plain', {}))
    const key = await newSigningKey(api)
    const get = (slug: string, width: number) => deliver(api, deliveryUrl(key, `${slug}.png`, { width: String(width) }))
    const widthOf = async (slug: string, width: number) => {
      const reply = await get(slug, width)
      assert.equal(reply.status, 200)
      return (await sizeOf(reply.bytes)).width
    }
    for (let width = 11; width <= 15; width += 1) assert.equal(await widthOf('covered', width), width)
    assert.equal((await usesOf(api)).get('executions')?.used, 5)
    assert.equal((await usesOf(api)).get('images')?.used, 1)
    assert.equal(await widthOf('covered', 15), 15)
    assert.equal(await widthOf('covered', 16), 3)
    const { deliveryStatus, quota } = refused(await get('plain', 11), 'unavailable') as ErrorDetails & {
      deliveryStatus?: string
      quota?: string
    }
    assert.deepEqual([deliveryStatus, quota], ['busy', undefined])
    assert.equal((await usesOf(api)).get('executions')?.used, 5)
  })

  test('workflows and projects have the maximum of the settings, and the errors name it with its use', async () => {
    const { api } = await ofPlan('enterprise')
    const replies = await Promise.all(Array.from({ length: callers }, () => api.post('/workflows', canvas())))
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    for (const reply of replies)
      if (reply.status !== 201) assert.deepEqual(detailsOf(reply), { quota: 'workflows', limit: 3, used: 3 })
    const [first] = ok(await api.get<{ workflows: { id: string }[] }>('/workflows')).workflows
    ok(await api.delete(`/workflows/${first?.id}`))
    ok(await api.post('/workflows', canvas()), 201)
    const project = ok(await api.post<{ id: string }>('/projects', { name: 'One' }), 201)
    assert.deepEqual(detailsOf(await api.post('/projects', { name: 'Two' })), { quota: 'projects', limit: 2, used: 2 })
    ok(await api.call('DELETE', `/projects/${project.id}?contents=move`))
    ok(await api.post('/projects', { name: 'Two' }), 201)
  })

  test('every quota is in the usage with its use, also in that of the command, and storage is one of them', async () => {
    const { api, accountId } = await ofPlan('starter')
    const uses = await usesOf(api)
    const { storage } = ok(await api.get<{ storage: { bytes: number; maxBytes: number } }>('/usage'))
    const bytes = uses.get('storageBytes')
    assert.deepEqual([bytes?.used, bytes?.limit], [storage.bytes, storage.maxBytes])
    assert.equal(bytes?.limit, 10 * 2 ** 30)
    assert.equal(uses.get('keys')?.used, 1)
    assert.deepEqual([uses.get('fonts')?.limit, uses.get('drafts')?.limit], [200, 10_000])
    assert.equal(uses.get('cacheBytes')?.limit, 0)
    assert.equal(uses.get('images')?.limit, null)
    const other = await ofPlan('enterprise')
    assert.equal((await usesOf(other.api)).get('cacheBytes')?.limit, 2 ** 30)
    const listed = await tintypeJson<{ quotas: { quota: string; used: number; limit: number | null }[] }>(
      service,
      'usage',
      '--account',
      accountId,
    )
    assert.deepEqual(
      listed.quotas.map(({ quota, limit }) => [quota, limit]),
      Array.from(uses.values(), ({ quota, limit }) => [quota, limit]),
    )
  })
})
