/** Test keys: fake providers, marked outputs, and records apart from those of live keys. */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import { type AiExecution, callsOf, drawn, startAiService, usageOf } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { type ListRoute, listRoutes, makers, type Owner } from '../harness/list-routes.ts'
import { answer, connectMcp } from '../harness/mcp.ts'
import { field, file } from '../harness/multipart.ts'
import { pixelAt, plain } from '../harness/pictures.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import { startSourceHost } from '../harness/source-host.ts'
import type { Execution, Image } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, idInUrl, save, upload } from '../harness/workflows.ts'
import { bodyOf, otherRoutes, type RouteRow, routes } from './routes.ts'

type Tested = Execution & { test?: true }

/** A tenant with a test key. */
async function withTestKey(tenant?: Tenant): Promise<Tenant & { testing: Client }> {
  const owner = tenant ?? (await newAccount())
  return { ...owner, testing: owner.api.as((await owner.key('--test')).key) }
}

const execute = async (api: Client, workflowId: string, body: object = {}): Promise<Tested> =>
  ok(await api.post<Tested>('/workflows/execute', { workflowId, ...body }))

/** Routes that are for live keys although their permission is not. */
const liveOnlyRoutes = ['POST /fonts', 'DELETE /fonts/font_00000000000000000000']
/** Permissions that test keys have no use of. */
const liveOnly = ['workflows:write', 'projects:write', 'webhooks:read', 'webhooks:write', 'audit:read', 'all']
const needsLive = ({ method, path, permissions }: RouteRow) =>
  (permissions.length > 0 && permissions.every((each) => liveOnly.includes(each))) ||
  liveOnlyRoutes.includes(`${method} ${path}`)

area('routes with a test key', { concurrency: 4 }, () => {
  let testing: Client
  let png: Buffer
  before(async () => {
    // More requests than a test key may send in a minute.
    const tenant = await newAccount()
    png = await plain('png')
    const keys = [...routes, ...otherRoutes].length / 50
    const accounts = await Promise.all(Array.from({ length: Math.ceil(keys) }, () => withTestKey()))
    clients.push(...accounts.map((each) => each.testing))
    testing = (await withTestKey(tenant)).testing
  })
  const clients: Client[] = []

  for (const [i, route] of [...routes, ...otherRoutes].entries()) {
    const { method, path } = route
    test(`${method} ${path} ${needsLive(route) ? 'needs a live key' : 'accepts a test key'}`, async () => {
      const api = clients[Math.floor(i / 50)] ?? assert.fail()
      const reply = await api.call(method, path, bodyOf(route, png))
      if (!needsLive(route)) {
        assert.equal(reply.status, route.expect)
        return
      }
      const details = refused(reply, 'forbidden') as { permission?: string; liveKeyRequired?: boolean }
      assert.equal(details.liveKeyRequired, true)
      assert.ok(route.permissions.includes(details.permission ?? ''))
    })
  }

  test('a test key without the permission of a route lacks it, also if another test key is allowed', async () => {
    const tenant = await withTestKey()
    const reader = tenant.api.as((await tenant.key('--test', '--permissions', 'workflows:read')).key)
    ok(await reader.get('/workflows'))
    assert.equal(refused(await reader.get('/storage/images'), 'forbidden').permission, 'storage:read')
  })

  test('the message says which key to use', async () => {
    const { error } = (await testing.post<{ error: { message: string } }>('/projects', { name: 'A' })).body
    assert.match(error.message, /test key.*tt_live_/)
  })
})

area('test keys', { concurrency: 4 }, () => {
  test('are created over the API and by the command, look like test keys, and stay test keys when they are rotated', async () => {
    const { api, accountId } = await newAccount()
    const created = ok(
      await api.post<{ id: string; key: string; prefix: string; test?: true }>('/keys', { test: true }),
      201,
    )
    createdKeys.push(created.key)
    assert.match(created.key, /^tt_test_[0-9A-Za-z]{43}$/)
    assert.deepEqual([created.test, created.prefix], [true, created.key.slice(0, 12)])
    const rotated = ok(await api.post<{ key: string; test?: true }>(`/keys/${created.id}/rotate`, {}), 201)
    createdKeys.push(rotated.key)
    assert.match(rotated.key, /^tt_test_/)
    const live = ok(await api.post<{ key: string; test?: true }>('/keys', { test: false }), 201)
    createdKeys.push(live.key)
    assert.deepEqual([live.test, live.key.startsWith('tt_live_')], [undefined, true])
    const { keys } = ok(await api.get<{ keys: { test?: true }[] }>('/keys'))
    assert.equal(keys.filter((each) => each.test).length, 2)

    const { service } = api
    const made = await tintypeJson<{ id: string; key: string; test: boolean }>(
      service,
      ...['keys', 'create', '--test', '--account', accountId],
    )
    createdKeys.push(made.key)
    assert.deepEqual([made.key.startsWith('tt_test_'), made.test], [true, true])
    const again = await tintypeJson<{ key: string; test: boolean }>(service, 'keys', 'rotate', made.id)
    createdKeys.push(again.key)
    assert.deepEqual([again.key.startsWith('tt_test_'), again.test], [true, true])
    const listed = await tintype(service, 'keys', 'list', '--account', accountId)
    assert.match(listed.stdout, /tt_test_/)
    ok(await api.as(made.key).get('/workflows'))
    const accounts = await tintypeJson<{ id: string }[]>(service, 'accounts', 'list')
    assert.deepEqual(
      accounts.filter(({ id }) => id.startsWith(accountId)).map(({ id }) => id),
      [accountId],
    )
  })

  test('a test key has its own rate limit, which takes nothing from live keys', async () => {
    const { api, testing } = await withTestKey()
    const first = await testing.get('/workflows')
    assert.deepEqual([first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']], ['60', '59'])
    for (let count = 0; count < 59; count++) await testing.get('/workflows')
    assert.equal(refused(await testing.get('/workflows'), 'rate_limited').limit, 60)
    ok(await api.get('/workflows'))
    const starter = await withTestKey(await newAccount({ plan: 'starter' }))
    ok(await starter.testing.get('/workflows'))
    assert.equal((await starter.api.get('/workflows')).headers['x-ratelimit-remaining'], '59')
  })

  test('the plan and the suspension of the account apply to its test keys', async () => {
    const { api, testing, accountId } = await withTestKey()
    ok(await testing.get('/workflows'))
    await runCommand(api.service, 'accounts', 'suspend', accountId)
    refused(await testing.get('/workflows'), 'forbidden')
    await runCommand(api.service, 'accounts', 'resume', accountId)
    ok(await testing.get('/workflows'))
    await runCommand(api.service, 'accounts', 'set-plan', accountId, 'free')
    refused(await testing.get('/workflows'), 'forbidden')
  })

  test('a deleted account takes its test keys and their records with it', async () => {
    const { api, testing, accountId } = await withTestKey()
    const { id } = await save(api, canvas())
    const { output } = await execute(testing, id)
    const url = new URL(output?.url ?? '').pathname
    ok(await api.root('GET', url))
    await tintypeJson(api.service, 'accounts', 'delete', accountId)
    refused(await testing.get('/workflows'), 'unauthorized')
    assert.equal((await api.root('GET', url)).status, 404)
  })

  test('images of a test key say so and go within seven days, however long the request wants them', async () => {
    const { api, testing } = await withTestKey()
    const week = 7 * 86_400_000
    const uploaded: (Image & { test?: true; expiresAt?: string; thumbnailUrl?: string })[] = [
      await upload(testing, await plain('png')),
      ok(
        await testing.call<Image>('POST', '/storage/upload', {
          parts: [file(await plain('png')), field('expiresIn', String(30 * 86_400))],
        }),
        201,
      ),
    ]
    for (const image of uploaded) {
      assert.equal(image.test, true)
      const { expiresAt, createdAt } = image as unknown as Record<string, string>
      assert.equal(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? ''), week)
      const thumbnail = new URL(image.thumbnailUrl ?? '')
      ok(await api.root('GET', `${thumbnail.pathname}${thumbnail.search}`))
    }
  })

  test('the console accepts a test key, and says that it is one', async () => {
    const { api, testing } = await withTestKey()
    const session = ok(await testing.get<{ key: { test?: true } }>('/session'))
    assert.equal(session.key.test, true)
    const live = ok(await api.get<{ key: { test?: true } }>('/session'))
    assert.equal(live.key.test, undefined)
    const signedIn = await api.as(undefined).post('/session', { key: testing.key })
    ok(signedIn, 201)
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const same = await api.as(undefined).call<{ key: { test?: true } }>('GET', '/session', { headers: { cookie } })
    assert.equal(ok(same).key.test, true)
  })

  test('the audit log of the account has what test keys do', async () => {
    const { api, testing } = await withTestKey()
    const { id } = await upload(testing, await plain('png'))
    ok(await testing.delete(`/storage/images/${id}`))
    const { entries } = ok(await api.get<{ entries: { action: string; subject: string }[] }>('/audit', { limit: 100 }))
    assert.ok(entries.some(({ action, subject }) => action === 'image.delete' && subject === id))
  })
})

/** Lists of records that a test key reads from the live account. */
const sharedLists = [
  '/fonts',
  '/operations',
  '/projects',
  '/openai/v1/models',
  '/workflows',
  '/workflows/drafts',
  '/workflows/{workflowId}',
  '/workflows/{workflowId}/channels',
  '/workflows/{workflowId}/channels/{name}/moves',
  '/workflows/{workflowId}/document',
  '/workflows/{workflowId}/versions',
]
/** Lists of which a test key has its own. */
const ownLists = ['/batches', '/storage/bin', '/storage/images', '/workflows/executions']
/** Lists of one record, which the other key doesn't find. */
const ofOneRecord = [
  '/batches/{batchId}/items',
  '/batches/{batchId}/items/{key}',
  '/batches/{batchId}/results',
  '/storage/images/{imageId}/uses',
  '/workflows/executions/{executionId}/document',
  '/workflows/executions/{executionId}/steps',
]
/** Facts about the service or the account, without its records. */
const facts = ['/providers', '/usage']
const refusedLists = [
  '/audit',
  '/keys',
  '/run-link',
  '/run-link/executions/{executionId}',
  '/signing-keys',
  '/webhook-deliveries',
  '/webhook-deliveries/{deliveryId}',
  '/webhook-endpoints',
]

interface Records {
  batchId: string
  imageId: string
  /** The id of an image in the bin. */
  binnedId: string
  executionId: string
}

area('records of test keys', { concurrency: 4 }, () => {
  let lists: ListRoute[]
  let owner: Owner
  let testing: Client
  let live: Records
  let tested: Records
  before(async () => {
    lists = await listRoutes()
    const tenant = await withTestKey()
    const { api } = tenant
    testing = tenant.testing
    const { id: workflowId } = await save(api, canvas())
    const hook = { url: 'http://localhost:9/hook', eventTypes: ['execution.failed'] }
    const { id: endpointId } = ok(await api.post<{ id: string }>('/webhook-endpoints', hook), 201)
    const records = async (by: Client): Promise<Records> => {
      const { id: batchId } = ok(await by.post<{ id: string }>('/batches', { workflowId }), 201)
      const rows = { body: 'key\nk0\n', headers: { 'content-type': 'text/csv' } }
      ok(await by.call('PUT', `/batches/${batchId}/items`, rows))
      const { executionId, output } = await execute(by, workflowId)
      const { id: binnedId } = await upload(by, await plain('png'))
      ok(await by.delete(`/storage/images/${binnedId}?bin=true`))
      return { batchId, executionId, imageId: idInUrl(output?.url ?? ''), binnedId }
    }
    live = await records(api)
    tested = await records(testing)
    owner = { api, workflowId, batchId: live.batchId, endpointId }
    for (const make of Object.values(makers)) await make(owner, 1)
  })
  const addressOf = (path: string, { batchId, imageId, executionId }: Records) =>
    path
      .replace('{workflowId}', owner.workflowId)
      .replace('{batchId}', batchId)
      .replace('{imageId}', imageId)
      .replace('{executionId}', executionId)
      .replace('{name}', 'live')
      .replace('{key}', 'k0')
  const ids = (body: unknown) => JSON.stringify(body).match(/"(?:id|executionId|workflowId)":"[a-z]+_[0-9a-z]+/g) ?? []

  test('every list is shared, apart or for live keys only', () => {
    const all = [...sharedLists, ...ownLists, ...ofOneRecord, ...facts, ...refusedLists]
    assert.deepEqual(lists.map(({ path }) => path).sort(), all.sort())
  })

  for (const path of sharedLists)
    test(`GET ${path} has the records of the live account for both keys`, async () => {
      const [own, same] = await Promise.all(
        [owner.api, testing].map(async (by) => ok(await by.get(addressOf(path, live)))),
      )
      assert.deepEqual(ids(same), ids(own))
    })

  for (const path of ownLists)
    test(`GET ${path} has nothing of the other key`, async () => {
      const [own, other] = await Promise.all(
        [owner.api, testing].map(async (by) => JSON.stringify(ok(await by.get(path, { limit: 100 })))),
      )
      const isIn = (list: string | undefined, { batchId, imageId, binnedId, executionId }: Records) =>
        [batchId, imageId, binnedId, executionId].some((id) => list?.includes(`"${id}"`))
      assert.deepEqual([isIn(own, live), isIn(own, tested)], [true, false])
      assert.deepEqual([isIn(other, live), isIn(other, tested)], [false, true])
      assert.ok(other?.includes('"test":true') && !own?.includes('"test":true'))
    })

  for (const path of ofOneRecord)
    test(`GET ${path} is found by its own key only`, async () => {
      // A document is stored for drafts only, so its own key may not find one either.
      const isThere = path !== '/workflows/executions/{executionId}/document'
      if (isThere) ok(await owner.api.get(addressOf(path, live)))
      if (isThere) ok(await testing.get(addressOf(path, tested)))
      refused(await owner.api.get(addressOf(path, tested)), 'not_found')
      refused(await testing.get(addressOf(path, live)), 'not_found')
    })

  for (const path of refusedLists)
    test(`GET ${path} needs a live key`, async () => {
      refused(await testing.get(addressOf(path, live).replace('{deliveryId}', 'whd_1')), 'forbidden')
    })

  test('a list of workflows has the last output of its own key', async () => {
    const outputOf = async (by: Client) => {
      const { workflows } = ok(
        await by.get<{ workflows: { id: string; lastOutput?: { executionId: string } }[] }>('/workflows', {
          include: 'lastOutput',
          limit: 100,
        }),
      )
      return workflows.find(({ id }) => id === owner.workflowId)?.lastOutput?.executionId
    }
    assert.equal(await outputOf(testing), tested.executionId)
    assert.notEqual(await outputOf(owner.api), tested.executionId)
  })

  test('usage and quotas count apart', async () => {
    const { api, testing: other } = await withTestKey()
    const { id } = await save(api, canvas())
    await execute(other, id)
    const used = async (by: Client) => {
      const { quotas } = ok(await by.get<{ quotas: { quota: string; used: number; limit: number | null }[] }>('/usage'))
      return Object.fromEntries(quotas.map(({ quota, used }) => [quota, used]))
    }
    const [ofLive, ofTest] = [await used(api), await used(other)]
    assert.deepEqual([ofLive.images, ofLive.executions], [0, 0])
    assert.deepEqual([ofTest.images, ofTest.executions], [1, 1])
  })

  test('an Idempotency-Key of one kind of key is free for the other', async () => {
    const headers = { 'idempotency-key': 'the-same' }
    const body = { workflowId: owner.workflowId }
    const first = ok(await testing.post<Tested>('/workflows/execute', body, headers))
    const second = ok(await owner.api.post<Tested>('/workflows/execute', body, headers))
    assert.notEqual(first.executionId, second.executionId)
    assert.equal(ok(await testing.post<Tested>('/workflows/execute', body, headers)).executionId, first.executionId)
    assert.equal(second.test, undefined)
  })

  test('an execution with a test key reads the live images of its workflow, and only them are shared', async () => {
    const { api, testing: other } = await withTestKey()
    const { id: imageId } = await upload(api, await plain('png'))
    const document = scale()
    const constant = {
      ...document,
      parameters: [{ ...document.parameters?.[0], required: false, default: imageId }, document.parameters?.[1] ?? {}],
    }
    delete (constant.parameters[0] as { required?: boolean }).required
    const { id } = await save(api, constant)
    await execute(other, id)
    refused(await other.get(`/storage/images/${imageId}`), 'not_found')
    refused(await other.delete(`/storage/images/${imageId}`), 'not_found')
    const { id: testImage } = await upload(other, await plain('png'))
    await execute(other, id, { parameters: { source: testImage } })
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { source: testImage } })
    assert.notEqual(reply.status, 200)
  })

  test('a cached result of one kind of key is never used by the other', async () => {
    const { api, testing: other } = await withTestKey()
    const { id } = await save(api, {
      name: 'Heavy',
      nodes: {
        base: { type: 'noise', params: { width: 900, height: 800, seed: Date.now() % 100_000 } },
        soft: { type: 'blur', inputs: { image: 'base' }, params: { sigma: 40 } },
        last: { type: 'denoise', inputs: { image: 'soft' } },
      },
      output: { node: 'last', format: 'png' },
    })
    const run = async (by: Client) => {
      const { executionId, output } = await execute(by, id)
      const { steps } = ok(
        await by.get<{ steps: { servedFrom?: string }[] }>(`/workflows/executions/${executionId}/steps`),
      )
      return { isCached: steps.every(({ servedFrom }) => servedFrom === 'cache'), url: output?.url ?? '' }
    }
    const cached = (by: Client) =>
      until('a cached result', async () => {
        const ran = await run(by)
        return ran.isCached ? ran : undefined
      })
    await run(api)
    const ofLive = await cached(api)
    assert.equal((await run(other)).isCached, false)
    const ofTest = await cached(other)
    const [one, two] = [await fetchImage(api, ofLive.url), await fetchImage(api, ofTest.url)]
    assert.ok(!one.equals(two), 'the output of the test key is marked, also from the cache')
    assert.ok((await fetchImage(api, (await cached(api)).url)).equals(one))
  })

  test('a batch, the OpenAI-compatible API, drafts and tools of agents work', async () => {
    const { api, testing: other } = await withTestKey()
    const document = {
      ...canvas({ width: 64, height: 64 }),
      mcp: { description: 'Draws a sheet.' },
      parameters: [{ name: 'prompt', type: 'string', default: '' }],
      openai: { prompt: 'prompt' },
      slug: 'sheet',
    }
    const { id } = ok(await api.post<{ id: string }>('/workflows', document), 201)
    const batch = ok(await other.post<{ id: string; test?: true }>('/batches', { workflowId: id }), 201)
    assert.equal(batch.test, true)
    ok(
      await other.call('PUT', `/batches/${batch.id}/items`, {
        body: 'key\na\nb\n',
        headers: { 'content-type': 'text/csv' },
      }),
    )
    ok(await other.post(`/batches/${batch.id}/start`))
    await until('the end of the batch', async () => {
      const { status } = ok(await other.get<{ status: string }>(`/batches/${batch.id}`))
      return status === 'completed' ? true : undefined
    })
    ok(await other.post('/openai/v1/images/generations', { model: 'sheet', prompt: 'x', response_format: 'b64_json' }))
    const draft = ok(await other.post<{ workflowId: string }>('/workflows/drafts', { document: canvas() }), 201)
    ok(await other.post(`/workflows/${draft.workflowId}/draft/execute`, {}))
    refused(await other.post(`/workflows/${draft.workflowId}/draft/publish`, {}), 'forbidden')
    const client = await connectMcp(other.service, other.key ?? '')
    try {
      const ran = await answer<{ executionId: string }>(client, 'run_sheet')
      assert.equal(ok(await other.get<Tested>(`/workflows/executions/${ran.executionId}`)).test, true)
    } finally {
      await client.close()
    }
  })

  test('a webhook URL of an execution gets its event, signed with the secret of the account, and endpoints get none', async () => {
    const host = await startSourceHost()
    const bodies: { path: string; body: string; headers: http.IncomingHttpHeaders }[] = []
    const receiver = (path: string) =>
      host.serve(path, (request, response) => {
        let body = ''
        request.on('data', (chunk) => {
          body += chunk
        })
        request.on('end', () => {
          bodies.push({ path, body, headers: request.headers })
          response.writeHead(204).end()
        })
      })
    try {
      const { api, testing: other } = await withTestKey()
      const { id } = await save(api, canvas())
      ok(await api.post('/webhook-endpoints', { url: receiver('/endpoint'), eventTypes: ['execution.completed'] }), 201)
      const { secret } = ok(await api.get<{ secret: string }>('/webhook-secret'))
      const { executionId } = await execute(other, id, { webhookUrl: receiver('/of-test') })
      const last = await until('the webhook', async () => bodies.find(({ path }) => path === '/of-test'))
      const event = new Webhook(secret).verify(last.body, last.headers as Record<string, string>) as { data: Tested }
      assert.deepEqual([event.data.executionId, event.data.test], [executionId, true])
      const next = await execute(api, id)
      const atEndpoint = await until('the event of the live key', async () =>
        bodies.find(({ path }) => path === '/endpoint'),
      )
      assert.equal(JSON.parse(atEndpoint.body).data.executionId, next.executionId)
    } finally {
      host.close()
    }
  })
})

area('outputs of test keys', { concurrency: 4 }, () => {
  let api: Client
  let testing: Client
  before(async () => {
    ;({ api, testing } = await withTestKey())
  })
  const render = async (document: Document, body: object = {}) => {
    const { id } = await save(api, document)
    const of = async (by: Client) => {
      const { output, test: isTest } = await execute(by, id, body)
      return { bytes: await fetchImage(by, output?.url ?? ''), isTest }
    }
    return { live: await of(api), tested: await of(testing) }
  }
  /** The number of pixels of the first or another frame that are not red. */
  const marks = async (bytes: Buffer, page = 0) => {
    const { data, info } = await sharp(bytes, { page })
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    let count = 0
    for (let at = 0; at < data.length; at += info.channels)
      if ((data[at + 1] ?? 0) > 60 || (data[at] ?? 255) < 190) count += 1
    return count / (info.width * info.height)
  }

  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'])
    test(`a ${format} has a visible mark and its size`, async () => {
      const { live, tested } = await render(canvas({ width: 320, height: 200 }, { format }))
      assert.deepEqual([live.isTest, tested.isTest], [undefined, true])
      const size = async (bytes: Buffer) => {
        const { width, height } = await sharp(bytes).metadata()
        return [width, height]
      }
      assert.deepEqual(await size(tested.bytes), await size(live.bytes))
      assert.equal(await marks(live.bytes), 0)
      assert.ok((await marks(tested.bytes)) > 0.05, String(await marks(tested.bytes)))
    })

  test('every frame of an animation has the mark', async () => {
    const frame = (color: string) => ({ type: 'canvas', params: { width: 160, height: 120, color } })
    const { tested } = await render({
      name: 'Moving',
      nodes: { a: frame('#ff0000'), b: frame('#fa0000'), moving: { type: 'animate', inputs: { images: ['a', 'b'] } } },
      output: { node: 'moving', format: 'webp' },
    })
    const { pages = 0 } = await sharp(tested.bytes).metadata()
    assert.equal(pages, 2)
    for (let page = 0; page < pages; page++) assert.ok((await marks(tested.bytes, page)) > 0.05)
  })

  test('a transparent image, a PDF, a preview of a step and tiny images have it, too', async () => {
    const clear = await render(canvas({ width: 200, height: 200, color: 'transparent' }))
    const { data } = await sharp(clear.tested.bytes)
      .ensureAlpha()
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.ok(data.some((alpha) => alpha > 60))
    const tiny = await render(canvas({ width: 1, height: 1 }))
    assert.deepEqual(
      await sharp(tiny.tested.bytes)
        .metadata()
        .then(({ width, height }) => [width, height]),
      [1, 1],
    )
    assert.equal((await pixelAt(tiny.live.bytes, 0, 0)).length, 4)

    const { id } = await save(api, canvas({ width: 300, height: 200 }))
    const { executionId } = await execute(testing, id, { previews: true })
    const preview = await testing.get(`/workflows/executions/${executionId}/steps/sheet/preview`)
    ok(preview)
    assert.ok((await marks(preview.bytes)) > 0.05)
  })
})

const everything = {
  name: 'Every capability',
  nodes: {
    made: { type: 'generate', params: { prompt: 'A door', model: 'fal/fal-ai/flux/dev' } },
    small: { type: 'resize', inputs: { image: 'made' }, params: { width: 256 } },
    edited: { type: 'edit', inputs: { images: 'small' }, params: { prompt: 'Make it blue' } },
    cut: { type: 'remove-background', inputs: { image: 'edited' } },
    large: { type: 'upscale', inputs: { image: 'small' }, params: { scale: 2 } },
    said: { type: 'describe', inputs: { image: 'large' } },
    best: { type: 'judge', inputs: { images: ['small', 'large'] }, params: { question: 'Which is brighter?' } },
    written: { type: 'write', params: { prompt: 'A headline for {{ nodes.said.text }}' } },
    out: { type: 'text', inputs: { image: 'cut' }, params: { text: '{{ nodes.written.text }}', size: 12 } },
    both: { type: 'composite', inputs: { image: 'out', overlay: 'best' } },
  },
  output: { node: 'both', format: 'png' },
} as unknown as Document

area('AI models with a test key', {}, () => {
  let ai: Awaited<ReturnType<typeof startAiService>>
  before(async () => {
    ai = await startAiService()
  })
  after(() => ai.close())
  const tenantOf = async (budget?: string) => {
    const { accountId, api } = await ai.tenant(budget === undefined ? {} : { budget })
    const made = await runCommand<{ key: string }>(ai.service, 'keys', 'create', '--test', '--account', accountId)
    createdKeys.push(made.key)
    return { api, testing: api.as(made.key) }
  }

  test('a model is imitated without a request, a cost or a budget, although its provider is configured', async () => {
    const { api, testing } = await tenantOf('0')
    const { id } = await save(api, drawn())
    refused(await api.post('/workflows/execute', { workflowId: id }), 'workflow_failed')
    const { executionId, cost, output } = ok(await testing.post<AiExecution>('/workflows/execute', { workflowId: id }))
    assert.deepEqual(cost, { usd: 0 })
    const calls = await callsOf(testing, executionId)
    assert.deepEqual(
      calls.scene?.map(({ model, outcome, costUsd }) => [model, outcome, costUsd]),
      [['openai/gpt-image-1-mini', 'done', 0]],
    )
    assert.deepEqual([ai.openai.log, ai.fal.log], [[], []])
    const { totals, budget } = await usageOf(testing)
    assert.deepEqual([totals.calls, totals.costUsd, budget.spentUsd], [1, 0, 0])
    assert.equal((await usageOf(api)).totals.costUsd, 0)
    assert.equal((await sharp(await fetchImage(testing, output?.url ?? '')).metadata()).width, 64)
  })

  test('fallbacks, a resumed execution and the preceding dry run reach no provider either', async () => {
    const { api, testing } = await tenantOf()
    const { id } = await save(api, drawn({ fallback: ['fal/fal-ai/flux/dev'] }))
    const validation = ok(
      await testing.post<{ cost: { maxUsd: number } | null }>('/workflows/validate', drawn() as object),
    )
    assert.deepEqual(validation.cost, { minUsd: 0, maxUsd: 0 })
    const moderated = { workflowId: id, parameters: { prompt: 'A door #moderated' } }
    const { executionId = '', reason } = refused(await testing.post('/workflows/execute', moderated), 'workflow_failed')
    assert.equal(reason, 'provider_refused')
    const resumed = ok(
      await testing.post<AiExecution>(`/workflows/executions/${executionId}/resume`, {
        parameters: { prompt: 'A door' },
      }),
    )
    assert.deepEqual(resumed.cost, { usd: 0 })
    assert.deepEqual([ai.openai.log, ai.fal.log], [[], []])
  })

  test('every provider is configured for a test key, and every price is 0', async () => {
    const { api, testing } = await tenantOf()
    type Body = {
      providers: {
        id: string
        configured: boolean
        missing: string[]
        models: { can: Record<string, { price: { usd?: number } | null }> }[]
      }[]
    }
    const { providers } = ok(await testing.get<Body>('/providers'))
    assert.ok(providers.length > 10)
    for (const { id, configured, missing, models } of providers) {
      assert.deepEqual([id, configured, missing], [id, true, []])
      for (const { price } of models.flatMap(({ can }) => Object.values(can))) assert.equal(price?.usd, 0)
    }
    assert.ok(ok(await api.get<Body>('/providers')).providers.some(({ configured }) => !configured))
  })

  test('every capability works, with models of providers that have no key', async () => {
    const { api, testing } = await tenantOf()
    const { id } = await save(api, everything)
    const { executionId, cost } = ok(await testing.post<AiExecution>('/workflows/execute', { workflowId: id }))
    assert.deepEqual(cost, { usd: 0 })
    const calls = Object.values(await callsOf(testing, executionId)).flat()
    assert.ok(calls.length >= 7)
    assert.ok(calls.every(({ outcome, costUsd }) => outcome === 'done' && costUsd === 0))
    assert.deepEqual([ai.openai.log, ai.fal.log], [[], []])
  })
})
