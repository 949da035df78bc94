/** Run links: keys that can only run one workflow, for people without an account. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AiExecution, drawn, startAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type Client, createClient, issuePaths, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import type { OpenApiDocument } from '../harness/openapi.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { until } from '../harness/wait.ts'
import { draw, fetchImage, run, save, upload } from '../harness/workflows.ts'
import { bodyOf, linkRoutes, otherRoutes, routes } from './routes.ts'

interface Link {
  id: string
  key: string
  runUrl?: string
  permissions: string[]
  workflowId?: string
  executionsPerMinute?: number
  exampleImageId?: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
  spentTodayUsd?: number
  expiresAt?: string
}

interface Page {
  name: string
  description?: string
  parameters: { name: string }[]
  examples: unknown[]
  exampleImage?: { url: string }
  usesModels: boolean
  executionsPerMinute: number
  expiresAt?: string
}

interface ErrorBody {
  error: { message: string }
}

interface LinkExecution {
  executionId: string
  status: string
  output?: { url: string; width: number }
  error?: { code: string; message: string; reason?: string; budget?: string }
}

async function link(api: Client, body: object): Promise<Link & { as: Client }> {
  const created = ok(await api.post<Link>('/keys', body), 201)
  createdKeys.push(created.key)
  return { ...created, as: await createClient(api.service, created.key) }
}

async function execute(as: Client, parameters: object = {}): Promise<LinkExecution> {
  const { executionId } = ok(await as.post<LinkExecution>('/run-link/executions', { parameters }), 202)
  return ended(as, executionId)
}

function ended(as: Client, executionId: string): Promise<LinkExecution> {
  return until(`the end of ${executionId}`, async () => {
    const body = ok(await as.get<LinkExecution>(`/run-link/executions/${executionId}`, { wait: 20 }))
    return body.status === 'pending' || body.status === 'running' ? undefined : body
  })
}

const textFile = file(Buffer.from('No image'), 'notes.txt')

area('run links', {}, () => {
  let tenant: Tenant
  let api: Client
  let workflowId: string
  let host: SourceHost
  before(async () => {
    tenant = await newAccount({ plan: 'enterprise' })
    api = tenant.api
    workflowId = (await save(api, scale())).id
    host = await startSourceHost()
  })
  after(() => host.close())

  test('a link has its defaults: 30 days, no budget for models, 10 executions per minute, and no permission', async () => {
    const created = await link(api, { workflowId })
    assert.match(created.key, /^tt_link_[0-9A-Za-z]{43}$/)
    // The service of this test has no console.
    assert.ok(!('runUrl' in created))
    assert.deepEqual(created.permissions, [])
    assert.deepEqual(
      [created.workflowId, created.executionsPerMinute, created.dailyBudgetUsd, created.monthlyBudgetUsd],
      [workflowId, 10, 0, undefined],
    )
    const days = (Date.parse(created.expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, String(days))
    const listed = ok(await api.get<{ keys: Link[]; total: number }>('/keys', { workflowId }))
    assert.deepEqual([listed.keys.map(({ id }) => id), listed.total], [[created.id], 1])
    const found = ok(await api.get<Link>(`/keys/${created.id}`))
    assert.equal(found.workflowId, workflowId)
    assert.ok(!('key' in found) && !('runUrl' in found))
  })

  test('the page has the form, and nothing of the nodes', async () => {
    const image = await upload(api, await plain('png'))
    const { as } = await link(api, { workflowId, exampleImageId: image.id, executionsPerMinute: 3, expiresInDays: 7 })
    const reply = await as.get<Page>('/run-link')
    const page = ok(reply)
    assert.deepEqual(
      [page.name, page.parameters.map(({ name }) => name), page.usesModels, page.executionsPerMinute],
      ['Scale', ['source', 'width'], false, 3],
    )
    assert.doesNotMatch(reply.text, /"nodes"|resize|"load"|wf_/)
    assert.deepEqual(await fetchImage(api, page.exampleImage?.url ?? ''), await plain('png'))
    ok(await api.delete(`/storage/images/${image.id}`))
    assert.ok(!('exampleImage' in ok(await as.get<Page>('/run-link'))))
  })

  test('examples are without their images', async () => {
    const { id: source } = await upload(api, await plain('png'))
    const [image, ...others] = scale().parameters ?? []
    const parameters = [{ ...image, format: 'image' }, ...others]
    const examples = [{ name: 'small', parameters: { source, width: 7 } }]
    const { id } = await save(api, { ...scale(), parameters, examples } as Document)
    const { as } = await link(api, { workflowId: id })
    assert.deepEqual(ok(await as.get<Page>('/run-link')).examples, [{ name: 'small', parameters: { width: 7 } }])
  })

  test('a person uploads an image, runs the workflow with it and gets the output', async () => {
    const { id, as } = await link(api, { workflowId })
    const sent = await as.call<{ imageId: string; expiresAt: string }>('POST', '/run-link/images', {
      parts: [file(await plain('jpeg'), 'photo.jpg')],
    })
    const { imageId, expiresAt } = ok(sent, 201)
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.ok(minutes > 59 && minutes < 61, String(minutes))
    const { status, output } = await execute(as, { source: imageId, width: 12 })
    assert.deepEqual([status, output?.width], ['completed', 12])
    await fetchImage(api, output?.url ?? '')
    const { executions } = ok(
      await api.get<{ executions: { parameters: object }[] }>('/workflows/executions', { workflowId }),
    )
    assert.deepEqual(executions[0]?.parameters, { source: imageId, width: 12 })
    ok(await api.delete(`/keys/${id}`))
  })

  test('wrong values, fields and files are refused with their paths', async () => {
    const { as } = await link(api, { workflowId })
    assert.deepEqual(issuePaths(await as.post('/run-link/executions', { parameters: { width: 0 } })).sort(), [
      'parameters.source',
      'parameters.width',
    ])
    assert.deepEqual(issuePaths(await as.post('/run-link/executions', { version: 1 })), ['version'])
    const large = Buffer.alloc(21_000_000)
    assert.deepEqual(issuePaths(await as.call('POST', '/run-link/images', { parts: [file(large)] })), ['file'])
    assert.deepEqual(issuePaths(await as.call('GET', '/run-link', { query: { nope: 1 } })), ['nope'])
    assert.deepEqual(issuePaths(await as.get('/run-link/executions/exec_1', { wait: 1_000 })), ['wait'])
    const cancel = await as.call('POST', '/run-link/executions/exec_1/cancel', { query: { nope: 1 }, json: {} })
    assert.deepEqual(issuePaths(cancel), ['nope'])
    const parts = [file(await plain('png')), field('projectId', 'proj_1')]
    assert.deepEqual(issuePaths(await as.call('POST', '/run-link/images', { parts })), ['projectId'])
  })

  test('it is refused at every other route of the reference, and no other key is accepted at its routes', async () => {
    const { as } = await link(api, { workflowId })
    const png = await plain('png')
    const document = ok(await api.get<OpenApiDocument>('/openapi.json'))
    const allowed = new Set(linkRoutes.map(({ method, path }) => `${method} ${path}`))
    const base = new URL(document.servers?.[0]?.url ?? '', 'http://x').pathname.replace(/\/v1$/, '')
    assert.equal(base, '')
    let refusals = 0
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [verb, operation] of Object.entries(item as Record<string, { security?: unknown[] }>)) {
        if (verb === 'servers' || operation.security?.length === 0 || path.startsWith('/run-link')) continue
        const method = verb.toUpperCase()
        const own = path.replaceAll(/\{\w*orkflowId\}/g, workflowId).replaceAll(/\{\w+\}/g, 'x')
        const reply = await as.call(method, own, { query: {}, ...(method === 'GET' ? {} : { json: {} }) })
        refused(reply, 'forbidden')
        refusals++
      }
    }
    assert.ok(refusals > 90, `${refusals} routes`)
    // A link has 240 requests per minute.
    const { as: second } = await link(api, { workflowId })
    for (const route of [...routes, ...otherRoutes])
      refused(await second.call(route.method, route.path, bodyOf(route, png)), 'forbidden')
    for (const route of linkRoutes) {
      refused(await api.call(route.method, route.path, bodyOf(route, png)), 'forbidden')
      assert.equal((await as.call(route.method, route.path, bodyOf(route, png))).status, route.expect, route.path)
      assert.ok(allowed.has(`${route.method} ${route.path}`))
    }
    refused(await as.get('/unknown'), 'forbidden')
    refused(await as.post('/session', { key: as.key }), 'forbidden')
    refused(await as.get('/workflows/executions'), 'forbidden')
  })

  test('it reads the executions that it has started, and no others', async () => {
    const [one, other] = [await link(api, { workflowId }), await link(api, { workflowId })]
    const png = await upload(api, await plain('png'))
    const { executionId } = await execute(one.as, { source: png.id })
    refused(await other.as.get(`/run-link/executions/${executionId}`), 'not_found')
    refused(await other.as.get(`/run-link/executions/${executionId}`, { wait: 1 }), 'not_found')
    await run(api, workflowId, { source: png.id })
    const { executions } = ok(
      await api.get<{ executions: { executionId: string }[] }>('/workflows/executions', { workflowId }),
    )
    refused(await one.as.get(`/run-link/executions/${executions[0]?.executionId}`), 'not_found')
    refused(await one.as.get('/run-link/executions/exec_00000000000000000000'), 'not_found')
  })

  test('it runs one execution at a time', async () => {
    const { as } = await link(api, { workflowId })
    const held = host.hold()
    const source = held.url
    const { executionId } = ok(await as.post<LinkExecution>('/run-link/executions', { parameters: { source } }), 202)
    const reply = await as.post('/run-link/executions', { parameters: { source } })
    const { limit, retryAfterSeconds } = refused(reply, 'rate_limited')
    assert.deepEqual([limit, retryAfterSeconds], [1, 3])
    assert.match(reply.text, /one execution at a time/)
    // Another link is not affected.
    const png = await upload(api, await plain('png'))
    await execute((await link(api, { workflowId })).as, { source: png.id })
    held.release()
    assert.equal((await ended(as, executionId)).status, 'completed')
    assert.equal((await execute(as, { source: png.id })).status, 'completed')
  })

  test('it cancels the executions that it has started, no others, and runs the next one immediately', async () => {
    const [one, other] = [await link(api, { workflowId }), await link(api, { workflowId })]
    const held = host.hold()
    const parameters = { source: held.url }
    const { executionId } = ok(await one.as.post<LinkExecution>('/run-link/executions', { parameters }), 202)
    await held.waiting()
    const path = `/run-link/executions/${executionId}/cancel`
    refused(await other.as.post(path, {}), 'not_found')
    refused(await api.post(path, {}), 'forbidden')
    refused(await one.as.post(`/workflows/executions/${executionId}/cancel`, {}), 'forbidden')
    refused(await (await newAccount({ plan: 'pro' })).api.post(path, {}), 'forbidden')
    assert.equal(ok(await one.as.get<LinkExecution>(`/run-link/executions/${executionId}`)).status, 'running')
    const waiting = ended(one.as, executionId)
    const { status, error } = ok(await one.as.post<LinkExecution>(path, {}))
    const cancelled = { code: 'workflow_failed', message: 'The run was cancelled.', reason: 'cancelled' }
    assert.deepEqual([status, error], ['failed', cancelled])
    assert.equal((await waiting).error?.reason, 'cancelled')
    const png = await upload(api, await plain('png'))
    const { executionId: next } = await execute(one.as, { source: png.id })
    const unchanged = ok(await one.as.post<LinkExecution>(`/run-link/executions/${next}/cancel`, {}))
    assert.equal(unchanged.status, 'completed')
    const { executionId: own } = ok(
      await api.post<LinkExecution>('/workflows/execute', { workflowId, parameters: { source: png.id } }),
    )
    refused(await one.as.post(`/run-link/executions/${own}/cancel`, {}), 'not_found')
    held.release()
  })

  test('its errors name values of the person by their labels, and no node, id or limit of the account', async () => {
    const hidden = /nodes|small|load|resize|wf_|acct_|param|plan|quota/
    const { as } = await link(api, { workflowId })
    const start = (parameters: object, by = as) => by.post<ErrorBody>('/run-link/executions', { parameters })
    const wrong = await start({ source: 'img_1', width: 0 })
    assert.deepEqual(issuePaths(wrong), ['parameters.width'])
    assert.equal(wrong.body.error.message, '"Width" must be at least 1, not 0.')
    assert.match((await start({})).body.error.message, /^"Source" is required/)
    const schema = { type: 'array', items: { type: 'string', format: 'image' } }
    const photos = { name: 'photos', type: 'string', format: 'json', schema }
    const many = await save(api, { ...canvas(), parameters: [photos] } as Document)
    const { as: ofMany } = await link(api, { workflowId: many.id })
    const tooMany = await start({ photos: Array(201).fill(host.url('/photo')) }, ofMany)
    assert.deepEqual(issuePaths(tooMany), ['parameters.photos.200'])
    assert.equal(
      tooMany.body.error.message,
      '"Photos (200)" is one of 201 images, and the maximum is 200. Remove some.',
    )

    const text = host.serve('/text', (_request, response) => response.end('No image'))
    const failed = await execute(as, { source: text })
    const sentence = 'This workflow could not make an image. Report it to the person who sent you this link: '
    assert.equal(failed.error?.message, `${sentence}execution ${failed.executionId}.`)
    assert.doesNotMatch(JSON.stringify(failed), hidden)

    // A value that the form accepts, and a node doesn't.
    const { nodes, ...rest } = scale()
    const params = { width: '{{ width | times: 1000000 }}' }
    const small = { type: 'resize', inputs: { image: 'load' }, params }
    const broken = await save(api, { ...rest, nodes: { ...nodes, small } } as Document)
    const { as: ofBroken } = await link(api, { workflowId: broken.id })
    const png = await upload(api, await plain('png'))
    const refusedStart = await start({ source: png.id, width: 400 }, ofBroken)
    const { requestId } = refused(refusedStart, 'invalid_request')
    assert.equal(refusedStart.body.error.message, `${sentence}request ${requestId}.`)
    assert.doesNotMatch(refusedStart.text.replace('invalid_request', ''), hidden)
    await until('the cause in the log', async () =>
      api.service.lines.find((line) => line.includes(requestId) && line.includes('nodes.small.params.width')),
    )

    ok(await api.delete(`/workflows/${broken.id}`))
    for (const reply of [await ofBroken.get('/run-link'), await start({ source: png.id }, ofBroken)]) {
      refused(reply, 'not_found')
      assert.doesNotMatch(reply.text, hidden)
    }
    const file = await as.call<ErrorBody>('POST', '/run-link/images', { parts: [textFile] })
    assert.deepEqual(issuePaths(file), ['file'])
    assert.match(file.body.error.message, /^"File": The file is not an image/)
  })

  test('a person sees nothing of the plan of the account', async () => {
    const owner = await newAccount({ plan: 'starter' })
    const { id } = await save(owner.api, canvas())
    const { as } = await link(owner.api, { workflowId: id })
    await runCommand(owner.api.service, 'accounts', 'set-plan', owner.accountId, 'free')
    const reply = await as.get<ErrorBody>('/run-link')
    refused(reply, 'forbidden')
    assert.match(reply.body.error.message, /^This link can’t be used at the moment/)
    assert.doesNotMatch(reply.text, /[Pp]lan|free/i)
  })

  test('it starts its executions per minute and no more, and the same request once', async () => {
    const { as } = await link(api, { workflowId, executionsPerMinute: 2 })
    const { id: source } = await upload(api, await plain('png'))
    const body = { parameters: { source } }
    const headers = { 'idempotency-key': 'one' }
    const first = ok(await as.post<LinkExecution>('/run-link/executions', body, headers), 202)
    await ended(as, first.executionId)
    const again = ok(await as.post<LinkExecution>('/run-link/executions', body, headers), 202)
    assert.equal(again.executionId, first.executionId)
    await execute(as, body.parameters)
    const reply = await as.post('/run-link/executions', body)
    const { limit, retryAfterSeconds } = refused(reply, 'rate_limited')
    assert.equal(limit, 2)
    assert.ok(Number(retryAfterSeconds) >= 1 && Number(retryAfterSeconds) <= 60)
  })

  test('an Idempotency-Key of a person is another one than the same key of another link or of the account', async () => {
    const { id: source } = await upload(api, await plain('png'))
    const body = { parameters: { source } }
    const headers = { 'idempotency-key': 'order-1' }
    const ids: string[] = []
    for (const { as } of [await link(api, { workflowId }), await link(api, { workflowId })]) {
      const { executionId } = ok(await as.post<LinkExecution>('/run-link/executions', body, headers), 202)
      await ended(as, executionId)
      ids.push(executionId)
    }
    const own = await api.post<LinkExecution>('/workflows/execute', { workflowId, ...body }, headers)
    assert.equal(new Set([...ids, ok(own).executionId]).size, 3)
  })

  test('its requests and uploads have limits, which are not those of the account', async () => {
    const owner = await newAccount({ plan: 'starter' })
    const { id } = await save(owner.api, canvas())
    const { as } = await link(owner.api, { workflowId: id })
    const png = await plain('png')
    const put = () => as.call('POST', '/run-link/images', { parts: [file(png)] })
    for (let n = 0; n < 20; n++) ok(await put(), 201)
    assert.match((await put()).text, /The run link has reached its limit of 20 uploads per minute/)
    // The body is not read.
    refused(await as.call('POST', '/run-link/images', { json: {} }), 'rate_limited')
    const page = () => as.get('/run-link')
    let reply = await page()
    for (let n = 1; n < 240; n++) reply = await page()
    assert.equal(reply.headers['x-ratelimit-limit'], '240')
    assert.equal(reply.headers['x-ratelimit-remaining'], '0')
    assert.match((await page()).text, /The run link has reached its limit of 240 requests/)
    refused(await as.get('/run-link/executions/exec_1'), 'rate_limited')
    refused(await as.post('/run-link/executions/exec_1/cancel', {}), 'rate_limited')
    ok(await owner.api.get('/projects'))
  })

  test('it runs the newest version, and ends with the workflow', async () => {
    const { id } = await save(api, canvas({ width: 8 }))
    const { as } = await link(api, { workflowId: id })
    assert.equal((await execute(as)).output?.width, 8)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    assert.equal((await execute(as)).output?.width, 9)
    ok(await api.delete(`/workflows/${id}`))
    refused(await as.get('/run-link'), 'not_found')
    refused(await as.post('/run-link/executions', {}), 'not_found')
  })

  test('it ends immediately when it is revoked, and at its expiry', async () => {
    const { id, as } = await link(api, { workflowId })
    ok(await as.get('/run-link'))
    ok(await api.delete(`/keys/${id}`))
    refused(await as.get('/run-link'), 'unauthorized')
    const short = await tenant.key('--workflow', workflowId, '--expires-in', '2s')
    const shortly = api.as(short.key)
    await until('the expiry of the link', async () => (await shortly.get('/run-link')).status === 401 || undefined)
  })

  test('a rotation makes another link with the same settings, and ends the first one', async () => {
    const first = await link(api, { workflowId, name: 'Shop', executionsPerMinute: 4, monthlyBudgetUsd: 2 })
    const rotated = ok(await api.post<Link>(`/keys/${first.id}/rotate`, { overlapSeconds: 0 }), 201)
    createdKeys.push(rotated.key)
    assert.match(rotated.key, /^tt_link_/)
    assert.deepEqual(
      [rotated.workflowId, rotated.executionsPerMinute, rotated.monthlyBudgetUsd, rotated.expiresAt],
      [workflowId, 4, 2, first.expiresAt],
    )
    refused(await first.as.get('/run-link'), 'unauthorized')
    ok(await api.as(rotated.key).get('/run-link'))
  })

  test('its settings can be changed, and those of an ordinary key have no rate', async () => {
    const { id, as } = await link(api, { workflowId, monthlyBudgetUsd: 1 })
    const changed = ok(await api.put<Link>(`/keys/${id}`, { executionsPerMinute: 5 }))
    assert.deepEqual([changed.executionsPerMinute, changed.dailyBudgetUsd, changed.monthlyBudgetUsd], [5, 0, undefined])
    assert.equal(ok(await as.get<Page>('/run-link')).executionsPerMinute, 5)
    const { id: ordinary } = ok(await api.post<Link>('/keys', {}), 201)
    assert.deepEqual(issuePaths(await api.put(`/keys/${ordinary}`, { executionsPerMinute: 5 })), [
      'executionsPerMinute',
    ])
  })

  test('its example image and its expiry can be changed, and nothing of it revives a link', async () => {
    const image = await upload(api, await plain('png'))
    const { id, as, expiresAt } = await link(api, { workflowId, name: 'Shop', exampleImageId: image.id })
    const put = (body: object) => api.put<Link>(`/keys/${id}`, body)
    const kept = ok(await put({ name: 'Fair', exampleImageId: image.id }))
    assert.deepEqual([kept.exampleImageId, kept.expiresAt], [image.id, expiresAt])
    const later = ok(await put({ exampleImageId: image.id, expiresInDays: 90 }))
    const days = (Date.parse(later.expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 89.9 && days <= 90, String(days))
    assert.equal(ok(await as.get<Page>('/run-link')).expiresAt, later.expiresAt)
    const { entries } = ok(
      await api.get<{ entries: { action: string; subject: string; after: Link }[] }>('/audit', { limit: 5 }),
    )
    const entry = entries.find(({ action, subject }) => action === 'key.update' && subject === id)
    assert.equal(entry?.after.expiresAt, later.expiresAt)

    assert.deepEqual(issuePaths(await put({ exampleImageId: 'img_1' })), ['exampleImageId'])
    // An image that was deleted doesn't prevent other changes.
    ok(await api.delete(`/storage/images/${image.id}`))
    ok(await put({ name: 'Market', exampleImageId: image.id }))
    assert.ok(!('exampleImageId' in ok(await put({ name: 'Market' }))))

    const { id: ordinary } = ok(await api.post<Link>('/keys', {}), 201)
    const settings = { expiresInDays: 1, exampleImageId: image.id }
    assert.deepEqual(issuePaths(await api.put(`/keys/${ordinary}`, settings)), ['exampleImageId', 'expiresInDays'])
    const wrong = await tintype(api.service, 'keys', 'update', ordinary, '--expires-in', '1d')
    assert.match(wrong.stderr, /"--expires-in" is a setting of run links\. Remove it: the key is not a run link\./)
    assert.doesNotMatch(wrong.stderr, /expiresInDays/)
    const weekly = ok(await api.post<Link>('/keys', { expiresInDays: 7 }), 201)
    createdKeys.push(weekly.key)
    assert.deepEqual(issuePaths(await api.as(weekly.key).put(`/keys/${id}`, { expiresInDays: 8 })), ['expiresInDays'])
    ok(await api.as(weekly.key).put(`/keys/${id}`, { expiresInDays: 6 }))
    await runCommand(api.service, 'keys', 'update', id, '--name', 'Market', '--expires-in', '2d')
    assert.ok(Date.parse(ok(await api.get<Link>(`/keys/${id}`)).expiresAt ?? '') < Date.now() + 2 * 86_400_000)
    ok(await api.delete(`/keys/${id}`))
    assert.deepEqual(issuePaths(await put({ expiresInDays: 30 })), ['expiresInDays'])
    refused(await as.get('/run-link'), 'unauthorized')
  })

  test('wrong fields of a new link are refused', async () => {
    refused(await api.post('/keys', { workflowId: 'wf_00000000000000000000' }), 'not_found')
    refused(await (await newAccount({ plan: 'pro' })).api.post('/keys', { workflowId }), 'not_found')
    for (const [body, paths] of [
      [{ workflowId, permissions: ['all'] }, ['permissions']],
      [{ workflowId, executionsPerMinute: 0 }, ['executionsPerMinute']],
      [{ workflowId, exampleImageId: 'img_1' }, ['exampleImageId']],
      [{ executionsPerMinute: 1, exampleImageId: 'img_1' }, ['exampleImageId', 'executionsPerMinute']],
    ] as const)
      assert.deepEqual(issuePaths(await api.post('/keys', body)), paths)
  })

  test('the audit log has the link with its workflow, and never its key', async () => {
    const { id, key } = await link(api, { workflowId, name: 'Audited' })
    const reply = await api.get<{ entries: { subjectId?: string; after?: { workflowId?: string } }[] }>('/audit')
    assert.match(reply.text, new RegExp(id))
    assert.match(reply.text, new RegExp(`"workflowId":"${workflowId}"`))
    assert.ok(!reply.text.includes(key))
  })

  test('the command creates a link', async () => {
    ok(await api.put(`/workflows/${workflowId}/slug`, { slug: 'scaled' }))
    const created = await runCommand<Link & { runPath: string }>(
      ...([api.service, 'keys', 'create', '--account', tenant.accountId, '--workflow', 'scaled'] as const),
      ...['--executions-per-minute', '3', '--daily-budget', '0.5'],
    )
    createdKeys.push(created.key)
    assert.equal(created.runPath, `/run/#${created.key}`)
    assert.deepEqual(
      [created.workflowId, created.executionsPerMinute, created.permissions, created.dailyBudgetUsd],
      [workflowId, 3, [], 0.5],
    )
    ok(await api.as(created.key).get('/run-link'))
    const account = ['keys', 'create', '--account', tenant.accountId]
    const wrong = await tintype(api.service, ...account, '--workflow', 'scaled', '--permissions', 'all')
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr, /"--permissions" can't be used together with "--workflow"/)
    const unknown = await tintype(api.service, ...account, '--workflow', 'nothing')
    assert.notEqual(unknown.code, 0)
    await draw(api, canvas())
  })
})

area('budgets of run links', {}, () => {
  let ai: Awaited<ReturnType<typeof startAiService>>
  let api: Client
  let workflowId: string
  before(async () => {
    ai = await startAiService()
    api = (await ai.tenant()).api
    workflowId = (await save(api, drawn({ model: 'fal/fal-ai/flux/schnell' }) as Document)).id
    ok(await api.post<AiExecution>('/workflows/execute', { workflowId }))
  })
  after(() => ai.close())

  test('a link without a budget runs no model, and one with a budget spends it and then says so', async () => {
    const none = await link(api, { workflowId })
    assert.equal(ok(await none.as.get<Page>('/run-link')).usesModels, true)
    const refusedRun = await execute(none.as, { prompt: 'Nothing' })
    assert.deepEqual(
      [refusedRun.status, refusedRun.error?.reason, refusedRun.error?.budget, refusedRun.error?.message],
      ['failed', 'limit_exceeded', 'key day', 'The budget of this link for today is used up.'],
    )
    const some = await link(api, { workflowId, monthlyBudgetUsd: 1 })
    const done = await execute(some.as, { prompt: 'Something' })
    assert.equal(done.status, 'completed')
    assert.ok(!('cost' in done))
    const { spentTodayUsd = 0 } = ok(await api.get<Link>(`/keys/${some.id}`))
    assert.ok(spentTodayUsd > 0)
    ok(await api.put(`/keys/${some.id}`, { monthlyBudgetUsd: spentTodayUsd }))
    const over = await execute(some.as, { prompt: 'Too much' })
    assert.equal(over.error?.message, 'The budget of this link for this month is used up.')
    assert.doesNotMatch(JSON.stringify(over), /node|fal/)
  })
})
