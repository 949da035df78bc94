/** Authentication: accepted keys, and responses to all others. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { plain } from '../harness/pictures.ts'
import { type CreatedKey, newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import { until } from '../harness/wait.ts'
import { bodyOf, linkRoutes, otherRoutes, routes } from './routes.ts'

area('authentication', { concurrency: 4 }, () => {
  let tenant: Tenant
  let api: Client
  let key: string
  before(async () => {
    tenant = await secondAccount()
    api = tenant.api
    key = api.key ?? ''
  })
  const list = (authorization: string | undefined) =>
    api.as(undefined).call('GET', '/projects', { headers: authorization === undefined ? {} : { authorization } })

  test('a key is tt_live_ and at least 40 characters of base62', () => {
    assert.match(key, /^tt_live_[0-9A-Za-z]{40,}$/)
  })

  const refusals: [what: string, header: (key: string) => string | undefined][] = [
    ['no Authorization', () => undefined],
    ['an empty Authorization', () => ''],
    ['the key without a scheme', (text) => text],
    ['another scheme', (text) => `Basic ${Buffer.from(`${text}:`).toString('base64')}`],
    ['a scheme without a key', () => 'Bearer'],
    ['a scheme and a space', () => 'Bearer '],
    ['two keys', (text) => `Bearer ${text} ${text}`],
    ['two keys in a list', (text) => `Bearer ${text}, Bearer ${text}`],
    ['a key with one character more', (text) => `Bearer ${text}a`],
    ['a key with one character less', (text) => `Bearer ${text.slice(0, -1)}`],
    ['a key in other case', (text) => `Bearer ${text.toLowerCase()}`],
    ['an unknown key of the right form', () => `Bearer tt_live_${'a'.repeat(40)}`],
    ['a key of another service', () => 'Bearer sk-proj-abc'],
    ['a key of 8,000 characters', () => `Bearer tt_live_${'a'.repeat(8000)}`],
    ['the first 12 characters of a key', (text) => `Bearer ${text.slice(0, 12)}`],
    ['the scheme twice', (text) => `Bearer Bearer ${text}`],
  ]
  for (const [label, header] of refusals) {
    test(`a request with ${label} is 401 unauthorized`, async () => {
      refused(await list(header(key)), 'unauthorized')
    })
  }

  test('the name of the scheme is case-insensitive (RFC 9110, 11.1)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer']) ok(await list(`${scheme} ${key}`))
  })

  test('a key in the query is not accepted', async () => {
    refused(await api.as(undefined).get('/projects', { key }), 'unauthorized')
    refused(await api.as(undefined).get('', { key }), 'unauthorized')
  })

  for (const route of [...routes, ...otherRoutes, ...linkRoutes]) {
    test(`${route.method} ${route.path} without a key is 401, regardless of the rest of the request`, async () => {
      const withoutKey = api.as(undefined)
      const body = bodyOf(route, await plain('png'))
      refused(await withoutKey.call(route.method, route.path, body), 'unauthorized')
      refused(
        await withoutKey.call(route.method, route.path, {
          query: { nope: 1 },
          body: '{',
          headers: { 'content-type': 'application/json' },
        }),
        'unauthorized',
      )
    })
  }

  test('an expired key is 401', async () => {
    const short = await tenant.key('--expires-in', '2s')
    ok(await list(`Bearer ${short.key}`))
    await until('the expiry of the key', async () =>
      (await list(`Bearer ${short.key}`)).status === 401 ? true : undefined,
    )
    refused(await list(`Bearer ${short.key}`), 'unauthorized')
  })
})

area('a revoked key', {}, () => {
  let tenant: Tenant
  let revoked: CreatedKey
  before(async () => {
    tenant = await newAccount()
    revoked = await tenant.key()
    ok(await tenant.api.as(revoked.key).get('/projects'))
    await runCommand(tenant.api.service, 'keys', 'revoke', revoked.id)
  })

  test('stops working immediately, and the other keys of the account keep working', async () => {
    refused(await tenant.api.as(revoked.key).get('/projects'), 'unauthorized')
    ok(await tenant.api.get('/projects'))
  })

  test('gets the same response as a key that never existed', async () => {
    const bare = (text: string): string => text.replace(/"requestId":"[^"]*"/, '')
    const never = `tt_live_${'b'.repeat(40)}`
    const [revokedKey, unknown] = [
      await tenant.api.as(revoked.key).get('/projects'),
      await tenant.api.as(never).get('/projects'),
    ]
    assert.equal(bare(revokedKey.text), bare(unknown.text))
    const names = (headers: object): string[] => Object.keys(headers).sort()
    assert.deepEqual(names(revokedKey.headers), names(unknown.headers))
  })

  test('does not count towards the rate limit of its account', async () => {
    const remaining = async (): Promise<number> =>
      Number((await tenant.api.get('/projects')).headers['x-ratelimit-remaining'])
    const left = await remaining()
    for (let i = 0; i < 5; i++) refused(await tenant.api.as(revoked.key).get('/projects'), 'unauthorized')
    const then = await remaining()
    // Or a new minute started meanwhile.
    assert.ok(then === left - 1 || then > left, `${left} were left, then ${then}`)
  })
})
