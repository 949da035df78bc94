/** Accounts that are suspended or deleted by a command next to the running service, and projects that are deleted. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import { openEventsAt } from '../harness/event-stream.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, newAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Images, Project, Workflows } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { run, save, upload } from '../harness/workflows.ts'

interface Removed {
  rows: Record<string, number>
  blobs: number
  isGone: boolean
}

interface Batch {
  status: string
  pauseReason?: string
  counts: Record<string, number>
}

area('accounts that end', {}, () => {
  let outside: SourceHost
  before(async () => {
    outside = await startSourceHost()
  })
  after(() => outside.close())

  const start = async (api: Client, source: string) => {
    const { id } = await save(api, scale())
    const body = { workflowId: id, parameters: { source }, async: true }
    return ok(await api.post<Execution>('/workflows/execute', body), 202).executionId
  }

  for (const [label, end, begin] of [
    ['a suspended account', ['suspend'], ['resume']],
    ['an account on a plan without API access', ['set-plan', 'free'], ['set-plan', 'pro']],
  ] as const) {
    test(`${label} is refused, its executions and event streams end, and its batch waits until it has access again`, async () => {
      const { api, accountId } = await newAccount()
      const hold = outside.hold()
      const { id: workflowId } = await save(api, scale())
      const ids: string[] = []
      // More than the service runs at the same time.
      for (let n = 0; n < 8; n += 1) {
        const body = { workflowId, parameters: { source: hold.url, width: n + 1 }, async: true }
        ids.push(ok(await api.post<Execution>('/workflows/execute', body), 202).executionId)
      }
      await hold.waiting()
      const batch = ok(await api.post<{ id: string }>('/batches', { workflowId }), 201).id
      const rows = Buffer.from(`key,source\na,${hold.url}\nb,${hold.url}\n`)
      ok(await api.call('PUT', `/batches/${batch}/items`, { body: rows, headers: { 'content-type': 'text/csv' } }))
      ok(await api.post(`/batches/${batch}/start`))
      const readBatch = async () => ok(await api.get<Batch>(`/batches/${batch}`))
      const paths = [...ids.map((id) => `/workflows/executions/${id}`), `/batches/${batch}`]
      const streams = await Promise.all(paths.map((path) => openEventsAt(api, `${path}/events`)))
      const command = ([name, ...more]: readonly string[]) =>
        tintypeJson<Record<string, unknown>>(api.service, 'accounts', String(name), accountId, ...more)
      const ended = await command(end)
      assert.equal(ended.suspendedAt === null, end[0] === 'set-plan')
      const reply = await api.get('/workflows')
      refused(reply, 'forbidden')
      assert.match(reply.bytes.toString(), end[0] === 'suspend' ? /is suspended/ : /doesn't include API access/)
      await Promise.all(streams.map((stream) => stream.rest()))
      assert.deepEqual(new Set(streams.map((stream) => stream.how())), new Set(['ended']))
      await command(begin)
      for (const id of ids) {
        const { status, error } = ok(await api.get<Execution>(`/workflows/executions/${id}`))
        assert.deepEqual([status, error?.details?.reason], ['failed', 'account_suspended'])
      }
      const { status, pauseReason, counts } = await readBatch()
      assert.deepEqual([status, pauseReason, counts.pending], ['paused', 'suspended', 2])
      hold.release()
      const again = ok(await api.post<Execution>(`/workflows/executions/${ids[0]}/resume`))
      assert.equal(again.status, 'completed')
      ok(await api.post(`/batches/${batch}/resume`))
      const whole = await until('the end of the batch', async () => {
        const read = await readBatch()
        return read.status === 'completed' ? read : undefined
      })
      assert.deepEqual([whole.counts.completed, whole.counts.failed], [2, 0])
    })
  }

  test('a deleted account with a running execution leaves nothing, and another account notices nothing', async () => {
    const [{ api, accountId }, other] = [await newAccount(), await newAccount()]
    const image = await upload(api, await plain('png'))
    const kept = await upload(other.api, await plain('png'))
    const { id } = await save(api, canvas())
    await run(api, id)
    const hold = outside.hold()
    const running = await start(api, hold.url)
    await hold.waiting()
    const statusOfUrl = async (url: string) => (await api.root('GET', new URL(url).pathname)).status
    assert.equal(await statusOfUrl(image.url), 200)
    const removed = await tintypeJson<Removed>(api.service, 'accounts', 'delete', accountId)
    assert.equal(removed.isGone, true)
    assert.deepEqual(
      [removed.rows.images, removed.rows.executions, removed.rows.accounts],
      [2, 2, 1],
      JSON.stringify(removed),
    )
    assert.ok(removed.blobs >= 2)
    hold.release()
    refused(await api.get('/workflows'), 'unauthorized')
    refused(await api.get(`/workflows/executions/${running}`), 'unauthorized')
    assert.equal(await statusOfUrl(image.url), 404)
    assert.equal(await statusOfUrl(kept.url), 200)
    const folder = path.join(api.service.dataDir, 'blobs')
    if (existsSync(folder)) {
      const files = readdirSync(folder, { recursive: true }).map(String)
      assert.ok(!files.some((file) => file.includes(image.id)))
    }
    const again = await tintype(api.service, 'accounts', 'delete', accountId)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /was not found/)
    ok(await other.api.get('/workflows'))
  })

  test('a project is deleted with its contents, or they move', async () => {
    const api = await firstAccount()
    const add = async (name: string) => ok(await api.post<Project>('/projects', { name }), 201).id
    const [moved, target, removed] = [await add('Moved'), await add('Target'), await add('Removed')]
    for (const project of [moved, removed])
      ok(await api.upload([field('projectId', project), file(await plain('png'))]), 201)
    const [a, b] = [await save(api, canvas(), moved), await save(api, canvas(), removed)]
    assert.deepEqual(issuePaths(await api.delete(`/projects/${moved}`)), ['contents'])
    assert.deepEqual(issuePaths(await api.delete(`/projects/${moved}?contents=move&moveTo=${moved}`)), ['moveTo'])
    assert.deepEqual(issuePaths(await api.delete(`/projects/${moved}?contents=move&moveTo=proj_x`)), ['moveTo'])
    const first = ok(await api.delete<object>(`/projects/${moved}?contents=move&moveTo=${target}`))
    assert.deepEqual(first, { deleted: true, images: 1, workflows: 1 })
    const second = ok(await api.delete<object>(`/projects/${removed}?contents=delete`))
    assert.deepEqual(second, { deleted: true, images: 1, workflows: 1 })
    const { workflows } = ok(await api.get<Workflows>('/workflows', { projectId: target }))
    assert.deepEqual(
      workflows.map(({ id }) => id),
      [a.id],
    )
    refused(await api.get(`/workflows/${b.id}`), 'not_found')
    for (const id of [moved, removed]) refused(await api.get(`/projects/${id}`), 'not_found')
    refused(await api.delete(`/projects/${moved}?contents=delete`), 'not_found')
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId: target })).total, 1)
  })
})
