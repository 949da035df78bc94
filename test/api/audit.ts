/** The audit log over HTTP, as CSV and in the CLI. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { canvas } from '../harness/documents.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import { save } from '../harness/workflows.ts'

interface Entry {
  id: string
  createdAt: string
  action: string
  subject: string
  actor: { type: string; keyId?: string; sessionId?: string; command?: string; address?: string }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

interface Page {
  entries: Entry[]
  hasMore: boolean
  cursor: string | null
}

area('the audit log', { concurrency: 4 }, () => {
  let tenant: Tenant
  let api: Client
  let workflowId: string
  let keyId: string
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
    workflowId = (await save(api, canvas())).id
    ok(await api.put(`/workflows/${workflowId}`, canvas({ width: 3 })))
    keyId = ok(await api.get<{ key: { id: string } }>('/session')).key.id
  })
  const list = async (query: Record<string, string | number> = {}, as = api) =>
    ok(await as.get<Page>('/audit', { limit: 100, ...query }))

  test('says who changed a workflow, from which address, and the state before and after', async () => {
    const { entries, hasMore } = await list({ subject: workflowId })
    assert.equal(hasMore, false)
    const [saved, created] = entries
    assert.deepEqual([created?.action, saved?.action], ['workflow.create', 'workflow.save'])
    assert.equal(created?.before, null)
    assert.deepEqual(saved?.before, created?.after)
    assert.deepEqual([saved?.before?.version, saved?.after?.version], [1, 2])
    assert.match(String(saved?.after?.document), /^sha256:[0-9a-f]{64}$/)
    const { address, ...actor } = saved?.actor ?? { type: '' }
    assert.deepEqual(actor, { type: 'key', keyId })
    assert.match(address ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  test('says which command made the account and its key', async () => {
    const { entries } = await list()
    const byCommand = entries.filter(({ actor }) => actor.type === 'command')
    assert.deepEqual(byCommand.map(({ action, actor }) => `${action}: ${actor.command}`).reverse(), [
      'account.create: accounts create',
      'project.create: accounts create',
      'key.create: keys create',
    ])
  })

  test('says which session of the console made a change, from the sign-in to the sign-out', async () => {
    const { api: own } = await newAccount()
    const headers = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await own.as(undefined).post('/session', { key: own.key }, headers)
    ok(signedIn, 201)
    const cookie = String(signedIn.headers['set-cookie']?.[0]).split(';')[0] ?? ''
    const asConsole = { ...headers, cookie }
    ok(await own.as(undefined).post('/projects', { name: 'Made in the console' }, asConsole), 201)
    ok(await own.as(undefined).call('DELETE', '/session', { headers: asConsole }))
    const [end, project, start] = (await list({}, own)).entries
    assert.deepEqual(
      [start, project, end].map((entry) => `${entry?.actor.type} ${entry?.action}`),
      ['key session.start', 'session project.create', 'session session.end'],
    )
    const sessionId = start?.subject ?? ''
    assert.match(sessionId, /^[0-9a-f]{16}$/)
    assert.deepEqual([project?.actor.sessionId, end?.actor.sessionId], [sessionId, sessionId])
    assert.equal(project?.actor.keyId, start?.actor.keyId)
  })

  test('requests that are refused, reads and executions have no entry', async () => {
    const { api: own } = await newAccount()
    const saved = await save(own, canvas())
    const before = (await list({}, own)).entries
    refused(await own.put(`/workflows/${saved.id}`, { nodes: {} }), 'invalid_request')
    refused(await own.delete('/storage/images/img_00000000000000000000'), 'not_found')
    ok(await own.get(`/workflows/${saved.id}`))
    ok(await own.post('/workflows/execute', { workflowId: saved.id }))
    assert.deepEqual((await list({}, own)).entries, before)
  })

  test('has pages with a cursor, and filters that can be combined', async () => {
    const all = (await list()).entries
    const read: Entry[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
      read.push(...page.entries)
      assert.equal(page.hasMore, page.cursor !== null)
      cursor = page.cursor
    }
    assert.deepEqual(read, all)
    assert.ok(all.length >= 5)
    const byKey = (await list({ keyId, action: 'workflow.save' })).entries
    assert.deepEqual(
      byKey.map(({ subject }) => subject),
      [workflowId],
    )
    const { createdAt } = byKey[0] ?? assert.fail()
    assert.ok((await list({ createdAfter: createdAt })).entries.every((entry) => entry.createdAt >= createdAt))
    assert.ok((await list({ createdBefore: createdAt })).entries.every((entry) => entry.createdAt < createdAt))
    assert.deepEqual(issuePaths(await api.get('/audit', { action: 'nope' })), ['action'])
    assert.deepEqual(issuePaths(await api.get('/audit', { createdAfter: 'yesterday', cursor: '!' })), ['cursor'])
    assert.deepEqual(issuePaths(await api.get('/audit.csv', { createdAfter: 'yesterday' })), ['createdAfter'])
  })

  test('is a CSV file with the same entries, in which no cell is a formula', async () => {
    const { api: own } = await newAccount()
    ok(await own.post('/projects', { name: '=1+1' }), 201)
    const { entries } = await list({ action: 'project.create' }, own)
    const csv = await own.call('GET', '/audit.csv', { query: { action: 'project.create' } })
    ok(csv)
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="?audit\.csv/)
    const [head, ...lines] = csv.text.trim().split('\r\n')
    assert.equal(head, 'id,createdAt,action,subject,actor,keyId,sessionId,command,address,before,after')
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      entries.map(({ id }) => id),
    )
    ok(await own.call('HEAD', '/audit.csv'))
  })

  test('no method changes or deletes entries, and other accounts see none', async () => {
    const [entry] = (await list()).entries
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      refused(await api.call(method, '/audit', { json: {} }), 'method_not_allowed')
    refused(await api.delete(`/audit/${entry?.id}`), 'not_found')
    const other = await newAccount()
    assert.deepEqual((await list({ subject: workflowId }, other.api)).entries, [])
  })

  test('tintype audit lists and exports the entries of an account', async () => {
    const account = ['audit', '--account', tenant.accountId]
    const found = await tintypeJson<Entry[]>(api.service, ...account, '--action', 'workflow.save', '--json')
    assert.deepEqual(
      found.map(({ subject, actor }) => [subject, actor.keyId]),
      [[workflowId, keyId]],
    )
    const table = await tintype(api.service, ...account, '--subject', workflowId)
    assert.match(table.stdout, /workflow\.create/)
    assert.match(table.stdout, new RegExp(keyId))
    const csv = await tintype(api.service, ...account, '--csv', '--key-id', keyId)
    assert.match(csv.stdout, /^id,createdAt,action/)
    assert.match(csv.stdout, /,workflow\.create,/)
    assert.notEqual((await tintype(api.service, ...account, '--action', 'nope')).code, 0)
    assert.notEqual((await tintype(api.service, ...account, '--after', 'nope')).code, 0)
  })

  test('a change of the plan by command is in the log', async () => {
    const { accountId, api: own } = await newAccount()
    await runCommand(own.service, 'accounts', 'set-plan', accountId, 'pro')
    const [entry] = (await list({ action: 'account.update' }, own)).entries
    assert.deepEqual([entry?.before?.plan, entry?.after?.plan], ['enterprise', 'pro'])
    assert.equal(entry?.actor.command, 'accounts set-plan')
  })
})
