/** Host names of sources that an attacker controls: silent name servers, and names with internal addresses. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, ok, refused } from '../harness/client.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { scale } from '../harness/documents.ts'
import { type NameServer, startNameServer } from '../harness/name-server.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { ErrorBody, Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

const fetchesMax = 4

area('names of source hosts', { isSlow: true, dependsOn: 'nothing' }, () => {
  let names: NameServer
  let host: SourceHost
  let service: Service
  let api: Client
  let hostile: Client
  let workflowId: string
  before(async () => {
    names = await startNameServer({
      'img.test': ['127.0.0.1', '::1'],
      'four.test': ['127.0.0.1'],
      'inside.test': ['127.0.0.1'],
      'six-inside.test': ['::1'],
      'mixed.test': ['203.0.113.7', '127.0.0.1'],
      'broken.test': ['servfail'],
    })
    host = await startSourceHost()
    service = await startWithoutExamples({
      DNS_SERVERS: names.address,
      FETCH_ALLOW: `img.test:${host.port},four.test`,
      FETCHES_PER_ACCOUNT_MAX: String(fetchesMax),
      FETCH_TIMEOUT_SECONDS: '120',
      EXECUTIONS_RUNNING_MAX: '40',
    })
    api = await createClient(service, service.key)
    workflowId = (await save(api, scale())).id
    const account = await tintypeJson<{ id: string }>(
      service,
      ...['accounts', 'create', '--name', 'Hostile', '--plan', 'enterprise', '--rate-limit', '1000000'],
    )
    const { key } = await tintypeJson<{ key: string }>(service, 'keys', 'create', '--account', account.id)
    createdKeys.push(key)
    hostile = api.as(key)
  })
  after(async () => {
    await service.remove()
    await host.close()
    await names.close()
  })
  const execute = (source: string) =>
    api.post<Execution & ErrorBody>('/workflows/execute', { workflowId, parameters: { source } })

  test('are resolved by the name servers of DNS_SERVERS', async () => {
    for (const name of ['img.test', 'four.test', 'IMG.Test'])
      assert.equal(ok(await execute(`http://${name}:${host.port}/i.png`)).output?.width, 20)
    assert.ok(names.requested.includes('img.test A') && names.requested.includes('img.test AAAA'))
  })

  test('never lead to an address of this machine, alone or among public ones', async () => {
    const before = host.connections
    for (const name of ['inside.test', 'six-inside.test', 'mixed.test', 'localhost', 'any.localhost']) {
      const reply = await execute(`http://${name}:${host.port}/i.png`)
      assert.equal(refused(reply, 'workflow_failed').reason, 'input_invalid', name)
    }
    assert.equal(host.connections, before)
  })

  test('that do not exist, or whose name server fails, fail the execution with that reason', async () => {
    for (const [name, words] of [
      ['nowhere.test', /nowhere\.test does not exist/],
      ['broken.test', /broken\.test could not be resolved/],
    ] as const) {
      const reply = await execute(`http://${name}/i.png`)
      assert.equal(refused(reply, 'workflow_failed').reason, 'provider_unavailable')
      assert.match(reply.body.error.message, words)
    }
  })

  test('of a silent name server harm only the account that uses them', async () => {
    const executions = await fetching(Array.from({ length: 12 }, (_, i) => `http://a${i}.silent.test/i.png`))
    await until('the look-ups of silent names', () => silentNames() >= fetchesMax || undefined)
    for (let i = 0; i < 5; i++) assert.equal(ok(await execute(`http://img.test:${host.port}/i.png`)).output?.width, 20)
    await cancelAll(executions)
  })

  test('are fetched with a limit per account, which does not affect other accounts', async () => {
    const holds = Array.from({ length: 20 }, () => host.hold())
    const heldRequests = () => host.requested.filter((path) => path.startsWith('/held/')).length
    const executions = await fetching(holds.map(({ url }) => url.replace('localhost', 'img.test')))
    await until('the first fetches', () => heldRequests() >= fetchesMax || undefined)
    for (let i = 0; i < 5; i++) assert.equal(ok(await execute(`http://img.test:${host.port}/i.png`)).output?.width, 20)
    // The limit applies per process: two workers may fetch twice as many.
    assert.ok(heldRequests() <= (isMany ? 2 : 1) * fetchesMax, `${heldRequests()} at the same time`)
    for (const each of holds) each.release()
    for (const id of executions) assert.equal((await hostile.ended(id)).status, 'completed')
    assert.equal(heldRequests(), holds.length)
  })

  const silentNames = () => new Set(names.requested.flatMap((each) => /^a\d+\.silent\.test/.exec(each)?.[0] ?? [])).size

  /** Executions of another account, one for each source. */
  async function fetching(sources: string[]): Promise<string[]> {
    const { id } = await save(hostile, scale())
    const start = (source: string) =>
      hostile.post<Execution>('/workflows/execute', { workflowId: id, parameters: { source }, async: true })
    return (await Promise.all(sources.map(start))).map((reply) => ok(reply, 202).executionId)
  }

  async function cancelAll(ids: string[]): Promise<void> {
    for (const id of ids) await hostile.post(`/workflows/executions/${id}/cancel`)
    for (const id of ids) await hostile.ended(id)
  }
})
