/** GET, POST and DELETE /keys (key-budgets.ts has PUT), and POST /keys/{keyId}/rotate. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import type { Listed } from '../harness/types.ts'

interface KeyRecord {
  id: string
  name: string
  prefix: string
  permissions: string[]
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  lastUsedAt?: string
  current: boolean
}

type NewKey = KeyRecord & { key: string }
type Rotated = NewKey & { replaced: KeyRecord }
type Keys = Listed & { keys: KeyRecord[] }

const daySeconds = 86_400

/** Keys for the final check of the logs. */
function noted<Made extends { key: string }>(created: Made): Made {
  createdKeys.push(created.key)
  return created
}

const create = async (api: Client, body: unknown = {}): Promise<NewKey> =>
  noted(ok(await api.post<NewKey>('/keys', body), 201))

const rotate = async (api: Client, id: string, body: unknown = {}): Promise<Rotated> =>
  noted(ok(await api.post<Rotated>(`/keys/${id}/rotate`, body), 201))

const secondsBetween = (from: string | undefined, to: string | undefined): number =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1_000

area('keys', { concurrency: 4 }, () => {
  let tenant: Tenant
  let api: Client
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
  })
  const listed = async (id: string): Promise<KeyRecord | undefined> =>
    ok(await api.get<Keys>('/keys', { limit: 100 })).keys.find((each) => each.id === id)

  test('creating a key returns 201 with exactly its fields and uncacheable text, and the key works', async () => {
    const reply = await api.post<NewKey>('/keys', {})
    const { key, ...record } = noted(ok(reply, 201))
    assert.deepEqual(Object.keys(record).sort(), ['createdAt', 'current', 'id', 'name', 'permissions', 'prefix'])
    assert.match(record.id, /^key_[0-9a-z]{20,}$/)
    assert.match(key, /^tt_live_[0-9A-Za-z]{43}$/)
    assert.deepEqual([record.name, record.permissions, record.current], ['', ['all'], false])
    assert.equal(record.prefix, key.slice(0, 12))
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.deepEqual(ok(await api.get(`/keys/${record.id}`)), record)
    ok(await api.as(key).get('/keys'))
  })

  test('a key has exactly the name, permissions and expiry of the request', async () => {
    const body = { name: 'Site, read only', permissions: ['storage:read', 'projects:read'], expiresInDays: 30 }
    const created = await create(api, body)
    assert.deepEqual([created.name, created.permissions], [body.name, body.permissions])
    assert.equal(secondsBetween(created.createdAt, created.expiresAt), 30 * daySeconds)
    const reader = api.as(created.key)
    ok(await reader.get('/storage/images'))
    ok(await reader.get('/projects'))
    assert.equal(refused(await reader.post('/projects', { name: 'x' }), 'forbidden').permission, 'projects:write')
  })

  test('a permission that is listed twice is stored once', async () => {
    const permissions = ['storage:read', 'projects:read', 'storage:read']
    const created = await create(api, { permissions })
    assert.deepEqual(created.permissions, ['storage:read', 'projects:read'])
  })

  test('the minimum and maximum expiry are accepted', async () => {
    for (const expiresInDays of [1, 3650]) {
      const created = await create(api, { expiresInDays })
      assert.equal(secondsBetween(created.createdAt, created.expiresAt), expiresInDays * daySeconds)
    }
  })

  const wrong: [what: string, body: unknown, paths: string[]][] = [
    ['no permission', { permissions: [] }, ['permissions']],
    ['an unknown permission', { permissions: ['workflows:read', 'workflows:fly'] }, ['permissions.1']],
    ['permissions that are not a list', { permissions: 'all' }, ['permissions']],
    ['an expiry of no days', { expiresInDays: 0 }, ['expiresInDays']],
    ['an expiry of half a day', { expiresInDays: 0.5 }, ['expiresInDays']],
    ['an expiry of more than ten years', { expiresInDays: 3651 }, ['expiresInDays']],
    ['a number for a name', { name: 5 }, ['name']],
    ['a name of spaces', { name: '   ' }, ['name']],
    ['U+0000 in its name', { name: 'a\u0000b' }, ['name']],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, ['name']],
    ['a text of its own', { key: 'tt_live_mine' }, ['key']],
    ['another account', { accountId: 'acct_1' }, ['accountId']],
    [
      'three invalid fields, all reported together,',
      { name: 5, expiresInDays: 0, x: 1 },
      ['expiresInDays', 'name', 'x'],
    ],
  ]
  for (const [label, body, paths] of wrong) {
    test(`a key with ${label} is rejected with the path of the problem`, async () => {
      assert.deepEqual(issuePaths(await api.post('/keys', body)), paths)
    })
  }

  test('the list has a key as at its creation, without its text, and marks the current one', async () => {
    const { key, ...record } = await create(api, { name: 'Listed' })
    assert.deepEqual(await listed(record.id), record)
    const reply = await api.as(key).get<Keys>('/keys', { limit: 100 })
    const current = ok(reply).keys.filter((each) => each.current)
    assert.deepEqual(
      current.map(({ id }) => id),
      [record.id],
    )
    assert.ok(current[0]?.lastUsedAt)
    const { text } = await api.get('/keys', { limit: 100 })
    assert.doesNotMatch(text, /tt_live_[0-9A-Za-z]{5}|hash/)
  })

  test('an invalid list request is rejected', async () => {
    assert.deepEqual(issuePaths(await api.get('/keys', { limit: 0, offset: -1, name: 'x' })), [
      'limit',
      'name',
      'offset',
    ])
  })

  test('a revoked key stops working immediately, and revoking it again returns the same', async () => {
    const created = await create(api)
    const first = ok(await api.delete<KeyRecord>(`/keys/${created.id}`))
    refused(await api.as(created.key).get('/keys'), 'unauthorized')
    const { key, ...record } = created
    assert.deepEqual(first, { ...record, revokedAt: first.revokedAt })
    assert.ok(first.revokedAt)
    assert.deepEqual(ok(await api.delete<KeyRecord>(`/keys/${created.id}`)), first)
    assert.deepEqual(await listed(created.id), first)
  })

  test('a key can revoke itself, and gets the response before it stops working', async () => {
    const self = await create(api)
    const reply = ok(await api.as(self.key).delete<KeyRecord>(`/keys/${self.id}`))
    assert.deepEqual([reply.id, reply.current, reply.revokedAt !== undefined], [self.id, true, true])
    refused(await api.as(self.key).delete(`/keys/${self.id}`), 'unauthorized')
  })

  test('a rotated key works for the requested overlap, and a key with its name, permissions and expiry replaces it', async () => {
    const old = await create(api, { name: 'Site', permissions: ['projects:read'], expiresInDays: 9 })
    const { key, replaced, ...next } = await rotate(api, old.id, { overlapSeconds: 600 })
    assert.notEqual(next.id, old.id)
    assert.deepEqual([next.name, next.permissions, next.expiresAt], [old.name, old.permissions, old.expiresAt])
    assert.equal(replaced.id, old.id)
    assert.equal(secondsBetween(next.createdAt, replaced.revokedAt), 600)
    ok(await api.as(old.key).get('/projects'))
    ok(await api.as(key).get('/projects'))
    // Another rotation doesn't extend it.
    const again = await rotate(api, old.id, { overlapSeconds: 2_592_000 })
    assert.equal(again.replaced.revokedAt, replaced.revokedAt)
    // It can be ended earlier.
    const ended = ok(await api.delete<KeyRecord>(`/keys/${old.id}`))
    assert.ok(Date.parse(ended.revokedAt ?? '') < Date.parse(replaced.revokedAt ?? ''))
    refused(await api.as(old.key).get('/projects'), 'unauthorized')
  })

  test('a key that is rotated without overlap ends with the response, also if it rotates itself', async () => {
    const old = await create(api)
    const next = await rotate(api.as(old.key), old.id, { overlapSeconds: 0 })
    assert.deepEqual([next.current, next.replaced.current], [false, true])
    refused(await api.as(old.key).get('/keys'), 'unauthorized')
    ok(await api.as(next.key).get('/keys'))
  })

  test('a rotated key works for a day by default', async () => {
    const old = await create(api)
    const next = await rotate(api, old.id)
    assert.equal(secondsBetween(next.createdAt, next.replaced.revokedAt), daySeconds)
  })

  test('an invalid rotation is rejected and changes nothing', async () => {
    const { key, ...created } = await create(api)
    for (const overlapSeconds of [-1, 1.5, 2_592_001, '60', {}]) {
      assert.deepEqual(issuePaths(await api.post(`/keys/${created.id}/rotate`, { overlapSeconds })), ['overlapSeconds'])
    }
    assert.deepEqual(issuePaths(await api.post(`/keys/${created.id}/rotate`, { permissions: ['all'] })), [
      'permissions',
    ])
    assert.deepEqual(await listed(created.id), created)
  })

  test('an inactive key cannot be rotated', async () => {
    const created = await create(api)
    ok(await api.delete(`/keys/${created.id}`))
    assert.deepEqual(issuePaths(await api.post(`/keys/${created.id}/rotate`, {})), ['keyId'])
  })

  test('an unknown key is not found', async () => {
    refused(await api.delete('/keys/key_00000000000000000000'), 'not_found')
    refused(await api.post('/keys/key_00000000000000000000/rotate', {}), 'not_found')
  })

  test('a key without the permission `all` can do nothing with keys, not even with itself', async () => {
    const permissions = [
      ...['workflows:read', 'workflows:execute', 'workflows:write', 'storage:read', 'storage:write'],
      ...['projects:read', 'projects:write'],
    ]
    const { key, ...created } = await create(api, { permissions })
    const limited = api.as(key)
    const tried: Reply<unknown>[] = [
      await limited.get('/keys'),
      await limited.post('/keys', { permissions: ['projects:read'] }),
      await limited.post('/keys', {}),
      await limited.delete(`/keys/${created.id}`),
      await limited.post(`/keys/${created.id}/rotate`, {}),
    ]
    for (const reply of tried) assert.equal(refused(reply, 'forbidden').permission, 'all')
    const { lastUsedAt, ...now } = (await listed(created.id)) ?? {}
    assert.deepEqual(now, created)
  })

  test('a key cannot create a key that outlives it', async () => {
    const brief = await create(api, { expiresInDays: 3 })
    const [lasting, long] = [await create(api), await create(api, { expiresInDays: 9 })]
    const byBrief = api.as(brief.key)
    for (const body of [{}, { permissions: ['projects:read'] }, { expiresInDays: 4 }])
      assert.deepEqual(issuePaths(await byBrief.post('/keys', body)), ['expiresInDays'])
    for (const { id } of [lasting, long])
      assert.deepEqual(issuePaths(await byBrief.post(`/keys/${id}/rotate`, {})), ['keyId'])
    await create(byBrief, { expiresInDays: 2 })
    const next = await rotate(byBrief, brief.id, { overlapSeconds: 60 })
    assert.equal(next.expiresAt, brief.expiresAt)
  })

  test('a request with an Idempotency-Key succeeds once; again, it is rejected with the id of the created key', async () => {
    const headers = { 'idempotency-key': 'one key' }
    const created = noted(ok(await api.post<NewKey>('/keys', { name: 'Once' }, headers), 201))
    for (const body of [{ name: 'Once' }, { name: 'Twice' }]) {
      const again = await api.post('/keys', body, headers)
      assert.deepEqual(issuePaths(again), ['Idempotency-Key'])
      assert.equal(again.text.includes(created.id), body.name === 'Once')
    }
    const turned = { 'idempotency-key': 'one rotation' }
    const next = noted(ok(await api.post<Rotated>(`/keys/${created.id}/rotate`, {}, turned), 201))
    const again = await api.post(`/keys/${created.id}/rotate`, {}, turned)
    assert.deepEqual(issuePaths(again), ['Idempotency-Key'])
    assert.ok(again.text.includes(next.id))
    const { keys } = ok(await api.get<Keys>('/keys', { limit: 100 }))
    assert.equal(keys.filter(({ name }) => name === 'Once').length, 2)
  })

  test('of concurrent equal requests one creates a key and shows it', async () => {
    const send = () => api.post<NewKey>('/keys', { name: 'At once' }, { 'idempotency-key': 'at once' })
    const replies = await Promise.all(Array.from({ length: 12 }, send))
    const [created, ...more] = replies.filter(({ status }) => status === 201)
    assert.ok(created)
    assert.equal(more.length, 0)
    for (const reply of replies.filter((each) => each !== created)) {
      assert.deepEqual(issuePaths(reply), ['Idempotency-Key'])
      assert.ok(reply.text.includes(created.body.id))
    }
    ok(await api.as(noted(created.body).key).get('/keys'))
  })

  test('no file of the records contains the text of a key, also after requests with an Idempotency-Key', async (t) => {
    const file = path.join(api.service.dataDir, 'tintype.db')
    if (!existsSync(file)) return t.skip('the records are on a server')
    const plain = await create(api, { name: 'In the records' })
    const headers = { 'idempotency-key': 'in no file' }
    const keyed = noted(ok(await api.post<NewKey>('/keys', {}, headers), 201))
    const turned = noted(ok(await api.post<Rotated>(`/keys/${plain.id}/rotate`, {}, { 'idempotency-key': 'nor' }), 201))
    const bytes = Buffer.concat([file, `${file}-wal`].filter(existsSync).map((each) => readFileSync(each)))
    assert.ok(bytes.includes(keyed.id))
    for (const { key } of [plain, keyed, turned]) assert.ok(!bytes.includes(key.slice(12)))
  })

  test('the command lists keys of the API, and the API keys of the command', async () => {
    const created = await create(api, { name: 'By the API' })
    const byCommand = await tenant.key('--name', 'By the command')
    const rows = await tintypeJson<{ id: string }[]>(api.service, 'keys', 'list', '--account', tenant.accountId)
    assert.ok(rows.some(({ id }) => id === created.id))
    assert.equal((await listed(byCommand.id))?.name, 'By the command')
  })
})

area('keys of another account', {}, () => {
  test('are neither found nor listed, even with every permission in another account', async () => {
    const [tenant, other] = [(await newAccount()).api, (await secondAccount()).api]
    const { key, ...created } = await create(tenant, { name: 'Mine' })
    const bare = (text: string): string => text.replaceAll(/"requestId":"[^"]*"|\bkey_\w+/g, '')
    const none = 'key_00000000000000000000'
    for (const use of [
      (id: string) => other.delete(`/keys/${id}`),
      (id: string) => other.post(`/keys/${id}/rotate`, {}),
    ]) {
      const [other, missing] = [await use(created.id), await use(none)]
      refused(other, 'not_found')
      assert.equal(bare(other.text), bare(missing.text))
    }
    assert.ok(!(await other.get('/keys', { limit: 100 })).text.includes(created.id))
    const { keys } = ok(await tenant.get<Keys>('/keys'))
    assert.deepEqual(
      keys.find(({ id }) => id === created.id),
      created,
    )
  })
})

area('the keys of a new account', {}, () => {
  test('are listed page by page, newest first, with at most 100 valid ones, except for keys of the operator', async () => {
    const tenant = await newAccount()
    const { api } = tenant
    const created: NewKey[] = []
    for (let i = 0; i < 99; i++) created.push(await create(api, { name: `Key ${i}` }))
    const over = await api.post('/keys', {})
    const { quota, limit } = refused(over, 'forbidden') as { quota?: string; limit?: number }
    assert.deepEqual([quota, limit], ['keys', 100])
    assert.match(over.text, /at most 100 valid API keys, and has 100\. Revoke keys/)

    const newest = created.map(({ id }) => id).reverse()
    const page = ok(await api.get<Keys>('/keys', { limit: 7, offset: 3 }))
    assert.deepEqual(
      page.keys.map(({ id }) => id),
      newest.slice(3, 10),
    )
    assert.deepEqual([page.total, page.hasMore], [100, true])
    const last = ok(await api.get<Keys>('/keys', { limit: 7, offset: 98 }))
    assert.deepEqual([last.keys.length, last.total, last.hasMore], [2, 100, false])

    // One for one doesn't exceed the limit; two for one does.
    const [first] = created
    assert.ok(first)
    refused(await api.post(`/keys/${first.id}/rotate`, { overlapSeconds: 60 }), 'forbidden')
    const next = await rotate(api, first.id, { overlapSeconds: 0 })
    ok(await api.delete(`/keys/${next.id}`))
    const again = await Promise.all(Array.from({ length: 5 }, () => api.post<NewKey>('/keys', {})))
    assert.deepEqual(again.map(({ status }) => status).toSorted(), [201, 403, 403, 403, 403])
    for (const { body, status } of again) if (status === 201) noted(body)
    await tenant.key()
  })
})
