/** Webhook endpoints, their secrets, `webhookUrl`, and the log of deliveries. Verified with the library of Standard Webhooks. */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, openApiOf, refused } from '../harness/client.ts'
import type { OpenApi } from '../harness/openapi.ts'
import { closedService, firstAccount, newAccount, type Tenant } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Executions, Listed, Workflow } from '../harness/types.ts'
import { until } from '../harness/wait.ts'

interface Endpoint {
  id: string
  url: string
  description: string
  eventTypes?: string[]
  disabled: boolean
  disabledReason?: string
  secret?: string
}

interface Delivery {
  id: string
  endpointId?: string
  url: string
  eventId: string
  eventType: string
  status: string
  attempts: number
}

type Details = Delivery & { body: string; log: { status?: number; response: string; problem?: string }[] }

interface Received {
  headers: http.IncomingHttpHeaders
  body: string
}

const documentOf = (photo: string) => ({
  name: 'For webhooks',
  parameters: [
    { name: 'photo', type: 'string', default: photo },
    { name: 'note', type: 'string', default: '' },
  ],
  nodes: { a: { type: 'image', params: { source: '{{ photo }}' } } },
  output: { node: 'a', format: 'png' },
})

/** Refuses connections. */
const failing = { photo: 'http://localhost:1/a.png' }

area('webhooks', { concurrency: 4 }, () => {
  let host: SourceHost
  let tenant: Tenant
  let api: Client
  let openApi: OpenApi
  let workflowId: string
  let document: ReturnType<typeof documentOf>
  before(async () => {
    host = await startSourceHost()
    document = documentOf(host.url('/photo.png'))
    tenant = await newAccount()
    api = tenant.api
    openApi = await openApiOf(api.service, api.key ?? '')
    workflowId = ok(await api.post<Workflow>('/workflows', document), 201).id
  })
  after(() => host.close())

  /** A receiver at its own path. */
  function receiver(path: string, respond: http.RequestListener = (_, response) => response.writeHead(204).end()) {
    const received: Received[] = []
    const url = host.serve(path, (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        respond(request, response)
      })
    })
    return {
      url,
      received,
      next: async (count = 1) => {
        const last = await until(`${count} webhooks at ${path}`, async () => received[count - 1])
        for (const { body } of received) assert.deepEqual(openApi.judgeWebhook(JSON.parse(body)), [], body)
        return last
      },
    }
  }

  /** Each test has its own account, because an endpoint gets all events of its account. */
  async function separate(): Promise<{ api: Client; workflowId: string }> {
    const { api } = await newAccount()
    return { api, workflowId: ok(await api.post<Workflow>('/workflows', document), 201).id }
  }

  const create = async (client: Client, body: object) =>
    ok(await client.post<Endpoint>('/webhook-endpoints', body), 201)
  const ended = (client: Client, id: string) =>
    until(`the end of ${id}`, async () => {
      const delivery = ok(await client.get<Details>(`/webhook-deliveries/${id}`))
      return delivery.status === 'pending' ? undefined : delivery
    })

  test('a completed batch sends an event to its URL, with the fields of its record', async () => {
    const { api, workflowId } = await separate()
    const { url, next } = receiver('/batch')
    const { secret } = ok(await api.get<{ secret: string }>('/webhook-secret'))
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId, webhookUrl: url }), 201)
    const rows = { body: '{"key":"a"}\n', headers: { 'content-type': 'application/x-ndjson' } }
    ok(await api.call('PUT', `/batches/${id}/items`, rows))
    ok(await api.post(`/batches/${id}/start`))
    const { headers, body } = await next()
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: object }
    assert.equal(event.type, 'batch.completed')
    assert.deepEqual(event.data, ok(await api.get(`/batches/${id}`)))
  })

  test('an event of more than 20 kB has ids and the status only, and the schema of its type', async () => {
    const { api, workflowId } = await separate()
    const { url, received, next } = receiver('/long')
    await create(api, { url })
    const parameters = { note: 'x'.repeat(21_000) }
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId, parameters }))
    const shortened = { status: 'completed', isShortened: true }
    await next()
    assert.deepEqual(JSON.parse(received[0]?.body ?? '').data, { executionId, workflowId, ...shortened })

    const batch = receiver('/long-batch')
    const body = { workflowId, defaults: parameters, webhookUrl: batch.url }
    const { id } = ok(await api.post<{ id: string }>('/batches', body), 201)
    const rows = { body: '{"key":"a"}\n', headers: { 'content-type': 'application/x-ndjson' } }
    ok(await api.call('PUT', `/batches/${id}/items`, rows))
    ok(await api.post(`/batches/${id}/start`))
    assert.deepEqual(JSON.parse((await batch.next()).body).data, { id, ...shortened })
  })

  test('an execution sends a signed event with the fields of its record', async () => {
    const { api, workflowId } = await separate()
    const { url, next } = receiver('/signed')
    const { secret = '' } = await create(api, { url, eventTypes: ['execution.completed', 'execution.failed'] })
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId }))
    const { headers, body } = await next()
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: object }
    assert.equal(event.type, 'execution.completed')
    assert.deepEqual(event.data, ok(await api.get(`/workflows/executions/${executionId}`)))
    assert.equal(headers['content-type'], 'application/json')
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>))
  })

  test('a failed and a cancelled execution send execution.failed, and a new version workflow.published', async () => {
    const { api, workflowId } = await separate()
    const { url, received, next } = receiver('/types')
    await create(api, { url })
    refused(await api.post('/workflows/execute', { workflowId, parameters: failing }), 'workflow_failed')
    ok(await api.put(`/workflows/${workflowId}`, { ...document, description: 'changed' }))
    await next(2)
    const events = received.map(({ body }) => JSON.parse(body))
    assert.deepEqual(events.map(({ type }) => type).sort(), ['execution.failed', 'workflow.published'])
    const published = events.find(({ type }) => type === 'workflow.published')
    assert.deepEqual([published.data.id, published.data.version, published.data.name], [workflowId, 2, document.name])
    const failed = events.find(({ type }) => type === 'execution.failed')
    assert.equal(failed.data.error.code, 'workflow_failed')
  })

  test('webhookUrl gets the event of its execution, signed with the secret of the account', async () => {
    const { url, next } = receiver('/one')
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId, webhookUrl: url }))
    const { headers, body } = await next()
    const reply = await api.get<{ secret: string }>('/webhook-secret')
    assert.equal(reply.headers['cache-control'], 'no-store')
    const event = new Webhook(ok(reply).secret).verify(body, headers as Record<string, string>)
    assert.equal((event as { data: Execution }).data.executionId, executionId)
    ok(await api.post('/webhook-secret/rotate', {}))
    assert.deepEqual(issuePaths(await api.post('/webhook-secret/rotate', {})), ['overlapSeconds'])
    const rotated = ok(await api.post<{ secret: string }>('/webhook-secret/rotate', { overlapSeconds: 0 }))
    assert.notEqual(rotated.secret, ok(reply).secret)
    assert.deepEqual(ok(await api.get('/webhook-secret')), { secret: rotated.secret })
  })

  test('webhookUrl is also accepted for drafts and resumed executions', async () => {
    const { url, received, next } = receiver('/others')
    ok(await api.post(`/workflows/${workflowId}/draft/execute`, { webhookUrl: url }))
    await next(1)
    const failed = await api.post<{ error: { details: { executionId: string } } }>('/workflows/execute', {
      workflowId,
      parameters: failing,
    })
    const { executionId } = failed.body.error.details
    ok(
      await api.post(`/workflows/executions/${executionId}/resume`, {
        parameters: { photo: host.url('/other.png') },
        webhookUrl: url,
      }),
    )
    await next(2)
    assert.deepEqual(
      received.map(({ body }) => JSON.parse(body).type),
      ['execution.completed', 'execution.completed'],
    )
  })

  test('URLs of private addresses, other schemes and credentials are rejected with their path, before anything runs', async () => {
    const closed = await firstAccount(await closedService())
    const { id } = ok(await closed.post<Workflow>('/workflows', document), 201)
    const urls = [
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://0x7f.1/hook',
      'https://[::1]/hook',
      'https://[::ffff:10.0.0.1]/hook',
      'https://169.254.169.254/latest',
      'https://localhost/hook',
      'https://a.localhost/hook',
      'https://localhost./hook',
      'https://user:secret@example.com/hook',
      'ftp://example.com/hook',
      'example.com',
      '',
    ]
    for (const url of urls) {
      assert.deepEqual(issuePaths(await closed.post('/webhook-endpoints', { url })), ['url'], url)
      const reply = await closed.post('/workflows/execute', { workflowId: id, webhookUrl: url })
      assert.deepEqual(issuePaths(reply), ['webhookUrl'], url)
    }
    const { executions } = ok(await closed.get<Executions>('/workflows/executions', { workflowId: id }))
    assert.deepEqual(executions, [])
  })

  test('an endpoint is listed, changed, disabled, enabled and deleted', async () => {
    const { api } = await separate()
    const { url } = receiver('/managed')
    const twice = ['key.expiring', 'key.expiring']
    const { secret, ...endpoint } = await create(api, { url, description: 'A', eventTypes: twice })
    assert.deepEqual(endpoint.eventTypes, ['key.expiring'])
    assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{32}$/)
    const path = `/webhook-endpoints/${endpoint.id}`
    assert.deepEqual(ok(await api.get(path)), endpoint)
    assert.deepEqual(ok(await api.get<{ endpoints: Endpoint[] }>('/webhook-endpoints')).endpoints, [endpoint])
    assert.deepEqual(ok(await api.get(`${path}/secret`)), { secret })
    const changed = ok(await api.put<Endpoint>(path, { url: `${url}?b`, disabled: true }))
    assert.deepEqual(
      [changed.url, changed.description, changed.eventTypes, changed.disabled, changed.disabledReason],
      [`${url}?b`, '', undefined, true, 'caller'],
    )
    assert.deepEqual(issuePaths(await api.post(`${path}/test`)), ['endpointId'])
    assert.deepEqual(ok(await api.put<Endpoint>(path, { url, eventTypes: twice })).eventTypes, ['key.expiring'])
    const enabled = ok(await api.put<Endpoint>(path, { url }))
    assert.deepEqual([enabled.disabled, enabled.disabledReason], [false, undefined])
    const rotated = ok(await api.post<{ secret: string; previousSecretUntil?: string }>(`${path}/secret/rotate`, {}))
    assert.notEqual(rotated.secret, secret)
    assert.ok(Date.parse(rotated.previousSecretUntil ?? '') > 0)
    // A receiver that only knows the first secret would reject everything from now on.
    assert.deepEqual(issuePaths(await api.post(`${path}/secret/rotate`, {})), ['overlapSeconds'])
    assert.equal(ok(await api.get<{ secret: string }>(`${path}/secret`)).secret, rotated.secret)
    const ended = ok(await api.post<object>(`${path}/secret/rotate`, { overlapSeconds: 0 }))
    assert.equal('previousSecretUntil' in ended, false)
    ok(await api.delete(path))
    for (const reply of [await api.get(path), await api.put(path, { url }), await api.delete(path)])
      refused(reply, 'not_found')
    for (const reply of [
      await api.get(`${path}/secret`),
      await api.post(`${path}/secret/rotate`, {}),
      await api.post(`${path}/test`),
    ])
      refused(reply, 'not_found')
  })

  test('a repeated request creates one endpoint, and rotates, tests and replays once', async () => {
    const { api } = await separate()
    const { url, received } = receiver('/once')
    const twice = <T>(path: string, body?: object): Promise<T[]> =>
      Promise.all([1, 2, 3].map(async () => (await api.post<T>(path, body, { 'idempotency-key': path })).body))
    const same = (all: unknown[]) => assert.deepEqual(all, [all[0], all[0], all[0]])
    const endpoints = await twice<Endpoint>('/webhook-endpoints', { url })
    same(endpoints)
    assert.equal(ok(await api.get<Listed>('/webhook-endpoints')).total, 1)
    const path = `/webhook-endpoints/${endpoints[0]?.id}`
    same(await twice(`${path}/secret/rotate`, {}))
    same(await twice('/webhook-secret/rotate', {}))
    const sent = await twice<Delivery>(`${path}/test`)
    assert.equal(new Set(sent.map(({ id }) => id)).size, 1)
    await ended(api, sent[0]?.id ?? '')
    await twice(`/webhook-deliveries/${sent[0]?.id}/replay`)
    await ended(api, sent[0]?.id ?? '')
    assert.equal(received.length, 2)
  })

  test('the number of endpoints of an account is limited', async () => {
    const { api } = await separate()
    const { url } = receiver('/many')
    for (let i = 0; i < 20; i++) await create(api, { url })
    refused(await api.post('/webhook-endpoints', { url }), 'forbidden')
  })

  test('invalid settings are rejected with all their paths', async () => {
    const reply = await api.post('/webhook-endpoints', { url: 1, eventTypes: ['nothing'], description: 2, other: 3 })
    assert.deepEqual(issuePaths(reply), ['description', 'eventTypes.0', 'other', 'url'])
    assert.deepEqual(issuePaths(await api.post('/webhook-endpoints', { url: 'https://example.com', eventTypes: [] })), [
      'eventTypes',
    ])
    assert.deepEqual(issuePaths(await api.post('/webhook-secret/rotate', { overlapSeconds: -1 })), ['overlapSeconds'])
  })

  test('a test event is logged with the response of the receiver, and is sent again on request', async () => {
    const { api } = await separate()
    const { url, received } = receiver('/test', (_, response) => response.writeHead(200).end('x'.repeat(100_000)))
    const { id, secret = '' } = await create(api, { url })
    const sent = ok(await api.post<Delivery>(`/webhook-endpoints/${id}/test`), 202)
    const delivery = await ended(api, sent.id)
    assert.deepEqual([delivery.status, delivery.eventType, delivery.attempts], ['delivered', 'webhook.test', 1])
    assert.equal(delivery.log[0]?.status, 200)
    assert.equal(delivery.log[0]?.response.length, 1_024)
    assert.equal(delivery.body, received[0]?.body)
    const again = ok(await api.post<Delivery>(`/webhook-deliveries/${sent.id}/replay`), 202)
    assert.equal(again.eventId, sent.eventId)
    await ended(api, sent.id)
    assert.deepEqual(
      received.map(({ headers }) => headers['webhook-id']),
      [sent.eventId, sent.eventId],
    )
    for (const { headers, body } of received) new Webhook(secret).verify(body, headers as Record<string, string>)
  })

  test('a redirect is not followed, and 410 disables the endpoint', async () => {
    const { api } = await separate()
    const target = receiver('/target')
    const moved = receiver('/moved', (_, response) => response.writeHead(308, { location: target.url }).end())
    const { id } = await create(api, { url: moved.url })
    const sent = ok(await api.post<Delivery>(`/webhook-endpoints/${id}/test`), 202)
    await moved.next()
    const logged = await until('an attempt in the log', async () => {
      const { log } = ok(await api.get<Details>(`/webhook-deliveries/${sent.id}`))
      return log.length > 0 ? log : undefined
    })
    assert.deepEqual([logged[0]?.status, logged[0]?.problem], [308, 'returned status 308'])
    assert.equal(target.received.length, 0)
    const gone = receiver('/gone', (_, response) => response.writeHead(410).end())
    const other = await create(api, { url: gone.url })
    ok(await api.post<Delivery>(`/webhook-endpoints/${other.id}/test`), 202)
    const disabled = await until('the endpoint to be disabled', async () => {
      const endpoint = ok(await api.get<Endpoint>(`/webhook-endpoints/${other.id}`))
      return endpoint.disabled ? endpoint : undefined
    })
    assert.equal(disabled.disabledReason, 'gone')
  })

  test('deliveries are listed by endpoint and status, and of the own account only', async () => {
    const { api } = await separate()
    const { url } = receiver('/list')
    const { id } = await create(api, { url })
    const sent = ok(await api.post<Delivery>(`/webhook-endpoints/${id}/test`), 202)
    await ended(api, sent.id)
    type Page = Listed & { deliveries: Delivery[] }
    const list = async (query: Record<string, string>) =>
      ok(await api.get<Page>('/webhook-deliveries', query)).deliveries
    assert.deepEqual(
      (await list({ endpointId: id, status: 'delivered' })).map((each) => each.id),
      [sent.id],
    )
    assert.deepEqual(await list({ status: 'failed' }), [])
    const stranger = (await separate()).api
    for (const reply of [
      await stranger.get(`/webhook-deliveries/${sent.id}`),
      await stranger.post(`/webhook-deliveries/${sent.id}/replay`),
      await stranger.get(`/webhook-endpoints/${id}`),
    ])
      refused(reply, 'not_found')
  })
})
