/** /signing-keys: keys that sign delivery URLs. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import { deliver, deliveryUrl, type NewSigningKey, newSigningKey, type SigningKey } from '../harness/signed-urls.ts'
import type { Executions, Listed } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

type SigningKeys = Listed & { signingKeys: SigningKey[] }
type Rotated = NewSigningKey & { replaced: SigningKey }

let slugs = 0

area('signing keys', { concurrency: 4 }, () => {
  let tenant: Tenant
  let api: Client
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
  })

  const card = async (delivery: object = {}) => {
    const slug = `signed-${++slugs}`
    const { id } = await save(api, { ...canvas(), slug, delivery } as Document)
    return { id, slug }
  }
  const listed = async (id: string) =>
    ok(await api.get<SigningKeys>('/signing-keys', { limit: 100 })).signingKeys.find((each) => each.id === id)

  test('a key is shown with its secret once, uncacheable, and listed without it', async () => {
    const reply = await api.post<NewSigningKey>('/signing-keys', { name: 'Website' })
    const { secret, ...record } = ok(reply, 201)
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.match(secret, /^tt_sign_[0-9A-Za-z]{43}$/)
    assert.match(record.id, /^skey_[0-9a-z]{20,}$/)
    assert.deepEqual(Object.keys(record).sort(), ['createdAt', 'id', 'images', 'monthlyBudgetUsd', 'name'])
    assert.deepEqual([record.name, record.images, record.monthlyBudgetUsd], ['Website', true, 0])
    assert.deepEqual(await listed(record.id), record)
    assert.deepEqual(ok(await api.get(`/signing-keys/${record.id}`)), record)
    refused(await api.as(secret).get('/workflows'), 'unauthorized')
  })

  test('an account has at most 100 valid keys, and one that is rotated takes the place of the old key', async () => {
    const { api: account } = await newAccount()
    const { id } = await newSigningKey(account)
    const replies = await Promise.all(
      Array.from({ length: 101 }, () => account.post<NewSigningKey>('/signing-keys', {})),
    )
    const over = replies.filter(({ status }) => status !== 201)
    assert.equal(over.length, 2)
    over.push(await account.post(`/signing-keys/${id}/rotate`, { overlapSeconds: 60 }))
    for (const reply of over) {
      const { quota, limit } = refused(reply, 'forbidden') as { quota?: string; limit?: number }
      assert.deepEqual([quota, limit], ['signingKeys', 100])
      assert.match(reply.text, /Revoke keys that you don't need/)
    }
    ok(await account.post(`/signing-keys/${id}/rotate`, { overlapSeconds: 0 }), 201)
  })

  test('a key of some workflows signs only their URLs, and those of images only if it says so', async () => {
    const [one, two] = [await card(), await card()]
    const key = await newSigningKey(api, { workflows: [one.slug, two.id, one.id, two.id] })
    assert.deepEqual([key.workflows, key.images], [[one.id, two.id], false])
    ok(await deliver(api, deliveryUrl(key, `${one.slug}.png`)))
    ok(await deliver(api, deliveryUrl(key, `${two.slug}.png`)))
    const changed = ok(await api.put<SigningKey>(`/signing-keys/${key.id}`, { workflows: [one.id], images: true }))
    assert.deepEqual([changed.workflows, changed.images, changed.name], [[one.id], true, ''])
    refused(await deliver(api, deliveryUrl(key, `${two.slug}.png`)), 'forbidden')
    ok(await deliver(api, deliveryUrl(key, `${one.slug}.png`)))
    // Settings that are omitted get their default.
    assert.equal(ok(await api.put<SigningKey>(`/signing-keys/${key.id}`, {})).workflows, undefined)
    ok(await deliver(api, deliveryUrl(key, `${two.slug}.png`)))
  })

  test('a rotated key keeps settings, expiry and budget, and URLs of both keys work for the overlap', async () => {
    const { id: workflowId, slug } = await card()
    const settings = { name: 'Old', workflows: [workflowId], monthlyBudgetUsd: 2.5, expiresInDays: 30 }
    const key = await newSigningKey(api, settings)
    const first = await deliver(api, deliveryUrl(key, `${slug}.png`))
    const { secret, replaced, ...record } = ok(await api.post<Rotated>(`/signing-keys/${key.id}/rotate`, {}), 201)
    assert.notEqual(secret, key.secret)
    assert.deepEqual(
      [record.name, record.workflows, record.monthlyBudgetUsd, record.spentUsd, record.expiresAt],
      ['Old', [workflowId], 2.5, 0, key.expiresAt],
    )
    assert.equal(replaced.id, key.id)
    assert.ok(Date.parse(replaced.revokedAt ?? '') > Date.now() + 86_000_000)
    const next = { id: record.id, secret }
    for (const signingKey of [key, next])
      assert.deepEqual((await deliver(api, deliveryUrl(signingKey, `${slug}.png`))).bytes, first.bytes)
    // One execution: the signature is not part of the content.
    assert.equal(ok(await api.get<Executions>('/workflows/executions', { workflowId })).executions.length, 1)

    const again = ok(await api.post<Rotated>(`/signing-keys/${next.id}/rotate`, { overlapSeconds: 0 }), 201)
    refused(await deliver(api, deliveryUrl(next, `${slug}.png`)), 'forbidden')
    ok(await deliver(api, deliveryUrl(again, `${slug}.png`)))
    assert.deepEqual(issuePaths(await api.post(`/signing-keys/${next.id}/rotate`, {})), ['keyId'])
  })

  test('a revoked key stays in the list, and can be revoked again', async () => {
    const { id } = await newSigningKey(api)
    const revoked = ok(await api.delete<SigningKey>(`/signing-keys/${id}`))
    assert.ok(Math.abs(Date.parse(revoked.revokedAt ?? '') - Date.now()) < 60_000)
    assert.deepEqual(ok(await api.delete<SigningKey>(`/signing-keys/${id}`)), revoked)
    assert.deepEqual(await listed(id), revoked)
  })

  test('wrong settings are rejected with their paths', async () => {
    for (const [body, paths] of [
      [{ workflows: ['no-such-card', 'wf_00000000000000000000'] }, ['workflows.0', 'workflows.1']],
      [{ workflows: 'card' }, ['workflows']],
      [{ monthlyBudgetUsd: -1 }, ['monthlyBudgetUsd']],
      [{ expiresInDays: 0 }, ['expiresInDays']],
      [{ images: 'yes' }, ['images']],
      [{ name: 'x'.repeat(10_000) }, ['name']],
      [{ name: ' ' }, ['name']],
      [{ secret: 'mine' }, ['secret']],
    ] as const)
      assert.deepEqual(issuePaths(await api.post('/signing-keys', body)), paths, JSON.stringify(body))
    const { id: foreign } = await newSigningKey((await secondAccount()).api)
    for (const reply of [
      await api.put(`/signing-keys/${foreign}`, {}),
      await api.delete(`/signing-keys/${foreign}`),
      await api.post(`/signing-keys/${foreign}/rotate`, {}),
      await api.post(`/signing-keys/${foreign}/urls`, { file: 'card.png' }),
    ])
      refused(reply, 'not_found')
    const { id } = await newSigningKey(api)
    assert.deepEqual(issuePaths(await api.put(`/signing-keys/${id}`, { workflows: ['nope'] })), ['workflows.0'])
    assert.deepEqual(issuePaths(await api.post(`/signing-keys/${id}/rotate`, { overlapSeconds: -1 })), [
      'overlapSeconds',
    ])
  })

  test('the service signs a URL that works, and executes nothing', async () => {
    const { id, slug } = await card()
    const key = await newSigningKey(api)
    const sign = (body: object) => api.post<{ url: string; expiresAt: string }>(`/signing-keys/${key.id}/urls`, body)
    const { url, expiresAt } = ok(await sign({ file: `${slug}.webp`, expiresInSeconds: 600 }))
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 600_000) < 60_000)
    assert.equal(ok(await api.get<Executions>('/workflows/executions', { workflowId: id })).executions.length, 0)
    const { pathname, search, searchParams } = new URL(url)
    const exp = Number(searchParams.get('exp'))
    assert.equal(pathname + search, deliveryUrl(key, `${slug}.webp`, {}, { exp }))
    ok(await deliver(api, pathname + search))
  })

  test('a URL that would be denied is not signed, and the owner gets to know why', async () => {
    const { slug } = await card()
    const closed = await save(api, { ...canvas(), slug: `closed-${++slugs}` } as Document)
    const key = await newSigningKey(api)
    const bound = await newSigningKey(api, { workflows: [closed.id] })
    const image = await upload(api, await plain('png'))
    for (const [by, body, path, message] of [
      [key, { file: 'nothing' }, 'file', /must be <slug>/],
      [key, { file: 'no-such-card.png' }, 'file', /does not exist/],
      [key, { file: `${slug}@9.png` }, 'file', /version/],
      [key, { file: `${slug}@live.png` }, 'file', /channel/],
      [key, { file: `${closed.id}.png` }, 'file', /document has no/],
      [key, { file: `${slug}.png`, parameters: { x: 1 } }, 'parameters.x', /delivery.parameters/],
      [key, { file: `${slug}.png`, parameters: { headline: '\ud800' } }, 'parameters.headline', /valid Unicode/],
      [key, { file: 'img_00000000000000000000000000.webp' }, 'file', /does not exist/],
      [key, { file: `${image.id}.webp`, parameters: { width: 9 } }, 'parameters.width', /Allowed: w, h, fit, dpr, q/],
      [key, { file: `${image.id}.gif`, parameters: { w: 9 } }, 'file', /must end in \.png/],
      [bound, { file: `${slug}.png` }, 'file', /may not sign/],
      [bound, { file: 'img_00000000000000000000000000.webp' }, 'keyId', /images/],
    ] as const) {
      const reply = await api.post(`/signing-keys/${by.id}/urls`, body)
      assert.deepEqual(issuePaths(reply), [path], reply.text)
      assert.match(reply.text, message)
    }
  })

  test('tintype signing-keys creates, lists, rotates, signs and revokes', async () => {
    const { slug } = await card()
    const { accountId } = tenant
    const command = <T>(...args: string[]) =>
      runCommand<T>(api.service, 'signing-keys', ...args, '--account', accountId)
    const created = await command<{ id: string; secret: string }>('create', '--name', 'CLI', '--workflows', slug)
    ok(await deliver(api, deliveryUrl(created, `${slug}.png`)))
    // It needs the entire service, which the process of the other commands doesn't have.
    const args = ['sign', created.id, `${slug}.jpg`, '--expires-in', '7d', '--account', accountId]
    const { url } = await tintypeJson<{ url: string }>(api.service, 'signing-keys', ...args)
    ok(await deliver(api, url.slice(new URL(url).origin.length)))
    const rotated = await command<{ id: string; secret: string }>('rotate', created.id, '--overlap', '0s')
    refused(await deliver(api, deliveryUrl(created, `${slug}.png`)), 'forbidden')
    ok(await deliver(api, deliveryUrl(rotated, `${slug}.png`)))
    const updated = await command<{ name: string; workflows: string }>('update', rotated.id, '--name', 'All')
    assert.deepEqual([updated.name, updated.workflows], ['All', 'all'])
    await command('revoke', rotated.id)
    refused(await deliver(api, deliveryUrl(rotated, `${slug}.png`)), 'forbidden')
    const list = await command<{ id: string }[]>('list')
    assert.ok(list.some(({ id }) => id === rotated.id))
  })
})
