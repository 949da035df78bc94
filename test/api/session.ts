/** Sign-ins of the console: the cookie, the pages that can use it, and its end. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import type { Projects } from '../harness/types.ts'
import { until } from '../harness/wait.ts'

interface Session {
  account: { id: string; name: string; plan: string }
  key: { id: string; name: string; prefix: string; permissions: string[]; expiresAt?: string }
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' }

const signIn = (api: Client, key: string, headers: Record<string, string> = sameOrigin) =>
  api.as(undefined).post<Session>('/session', { key }, headers)

/** `tintype_session=...`, as a browser sends it back. */
function cookieOf(reply: Reply<unknown>): string {
  const [set = '', ...more] = reply.headers['set-cookie'] ?? []
  assert.deepEqual(more, [])
  return set.split(';')[0] ?? ''
}

area('sessions', { concurrency: 4 }, () => {
  let tenant: Tenant
  let api: Client
  let key: string
  let cookie: string
  before(async () => {
    tenant = await secondAccount()
    api = tenant.api
    key = api.key ?? ''
    const reply = await signIn(api, key)
    ok(reply, 201)
    cookie = cookieOf(reply)
  })
  const requestAs = (method: string, path: string, headers: Record<string, string | string[]>, json?: unknown) =>
    api.as(undefined).call<never>(method, path, { headers, ...(json === undefined ? {} : { json }) })
  const list = (headers: Record<string, string | string[]>) => requestAs('GET', '/projects', headers)
  const make = (headers: Record<string, string>) =>
    requestAs('POST', '/projects', headers, { name: 'Made in the console' })

  test('signing in returns the account of the key, and never the key', async () => {
    const consoleKey = await tenant.key('--name', 'Console', '--permissions', 'projects:read', '--expires-in', '30d')
    const reply = await signIn(api, consoleKey.key)
    const { account, key: session } = ok(reply, 201)
    assert.deepEqual(account, { id: tenant.accountId, name: 'A test', plan: 'enterprise' })
    assert.match(session.expiresAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const { expiresAt: _, ...rest } = session
    assert.deepEqual(rest, {
      id: consoleKey.id,
      name: 'Console',
      prefix: consoleKey.key.slice(0, 12),
      permissions: ['projects:read'],
    })
    assert.ok(!JSON.stringify([reply.text, reply.headers]).includes(consoleKey.key))
  })

  test('the cookie belongs to this session, is unavailable to scripts and other sites, and ends with the browser', async () => {
    const reply = await signIn(api, key)
    ok(reply, 201)
    assert.match(
      String(reply.headers['set-cookie']),
      /^tintype_session=[0-9A-Za-z]{43}; HttpOnly; SameSite=Strict; Path=\/v1$/,
    )
    assert.notEqual(cookieOf(reply), cookie)
    assert.equal(reply.headers['cache-control'], 'no-store')
  })

  test('a session has the same access as its key, and its responses are never cached', async () => {
    const reply = await list({ cookie })
    const { total } = ok<Projects>(reply)
    assert.equal(total, ok(await api.get<Projects>('/projects')).total)
    assert.equal(reply.headers['cache-control'], 'private, no-store')
    assert.ok(Number(reply.headers['x-ratelimit-limit']) > 0)
    assert.equal((await api.get('/projects')).headers['cache-control'], undefined)
  })

  test('GET /session returns the same for a session and its key', async () => {
    const byCookie = ok(await requestAs('GET', '/session', { cookie }))
    assert.deepEqual(byCookie, ok(await api.get<Session>('/session')))
    assert.deepEqual((byCookie as Session).key.permissions, ['all'])
    refused(await api.as(undefined).get('/session'), 'unauthorized')
  })

  test('a session has only the permissions of its key', async () => {
    const consoleKey = await tenant.key('--permissions', 'projects:read')
    const session = cookieOf(await signIn(api, consoleKey.key))
    ok(await list({ cookie: session }))
    assert.equal(refused(await make({ cookie: session, ...sameOrigin }), 'forbidden').permission, 'projects:write')
  })

  test('signing out ends the session and deletes its cookie, but not other sessions or the key', async () => {
    const [ended, remaining] = [cookieOf(await signIn(api, key)), cookieOf(await signIn(api, key))]
    ok(await list({ cookie: ended }))
    const reply = await requestAs('DELETE', '/session', { cookie: ended, ...sameOrigin })
    assert.deepEqual(ok(reply), { deleted: true })
    assert.match(String(reply.headers['set-cookie']), /^tintype_session=; .*Path=\/v1; Max-Age=0$/)
    refused(await list({ cookie: ended }), 'unauthorized')
    assert.deepEqual(ok(await requestAs('DELETE', '/session', { cookie: ended, ...sameOrigin })), { deleted: true })
    ok(await list({ cookie: remaining }))
    ok(await api.get('/projects'))
  })

  test('signing out requires a session', async () => {
    assert.deepEqual(ok(await requestAs('DELETE', '/session', {})), { deleted: true })
    assert.deepEqual(ok(await requestAs('DELETE', '/session', { cookie: 'tintype_session=x', ...sameOrigin })), {
      deleted: true,
    })
    assert.deepEqual(issuePaths(await requestAs('DELETE', '/session?nope=1', {})), ['nope'])
  })

  // Requests that a page of another site can make a browser send (CSRF).
  const origin = () => api.service.origin
  const foreign: [what: string, headers: () => Record<string, string>][] = [
    ['of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['of another host of the same site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['that no page has sent', () => ({ 'sec-fetch-site': 'none' })],
    ['without an origin or a referrer', () => ({})],
    ['of another origin', () => ({ origin: 'https://evil.example' })],
    ['of no origin', () => ({ origin: 'null' })],
    ['of another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['of an origin that starts like this one', () => ({ origin: `${origin()}.evil.example` })],
    ['of an origin that ends like this one', () => ({ origin: `http://evil@${new URL(origin()).host}` })],
    ['of two origins', () => ({ origin: `${origin()}, https://evil.example` })],
    ['of another site that forges the origin', () => ({ 'sec-fetch-site': 'cross-site', origin: origin() })],
    ['with an unknown value of Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'same-origin, cross-site' })],
  ]
  for (const [label, headers] of foreign) {
    test(`a change by a request ${label} is 403 forbidden, and nothing changes`, async () => {
      refused(await make({ cookie, ...headers() }), 'forbidden')
      refused(await requestAs('DELETE', '/session', { cookie, ...headers() }), 'forbidden')
      ok(await list({ cookie }))
    })
  }

  test('a change by a page of this origin is accepted, from browsers with and without Sec-Fetch-Site', async () => {
    ok(await make({ cookie, ...sameOrigin }), 201)
    ok(await make({ cookie, origin: origin() }), 201)
  })

  test('a page of another site can read nothing', async () => {
    refused(await list({ cookie, 'sec-fetch-site': 'cross-site' }), 'forbidden')
    refused(await requestAs('GET', '/session', { cookie, 'sec-fetch-site': 'cross-site' }), 'forbidden')
    refused(await requestAs('GET', '/nothing', { cookie, 'sec-fetch-site': 'cross-site' }), 'forbidden')
    for (const site of ['same-origin', 'same-site', 'none']) ok(await list({ cookie, 'sec-fetch-site': site }))
  })

  test('a page of another site cannot sign a user in', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      const reply = await signIn(api, key, headers)
      refused(reply, 'forbidden')
      assert.equal(reply.headers['set-cookie'], undefined)
    }
    ok(await signIn(api, key, {}), 201)
  })

  test('the Authorization header takes precedence over the cookie, even if only the cookie is valid', async () => {
    const other = await newAccount()
    const both = { cookie, authorization: `Bearer ${other.api.key}` }
    assert.equal((ok(await requestAs('GET', '/session', both)) as Session).account.id, other.accountId)
    ok(await make(both), 201)
    ok(await make({ ...both, 'sec-fetch-site': 'cross-site' }), 201)
    refused(await list({ cookie, authorization: 'Bearer tt_live_unknown' }), 'unauthorized')
    refused(await list({ cookie, authorization: '' }), 'unauthorized')
  })

  const wrong: [what: string, cookie: (cookie: string) => string][] = [
    ['an empty token', () => 'tintype_session='],
    ['an unknown token of the right form', () => `tintype_session=${'a'.repeat(43)}`],
    ['a token with one character more', (text) => `${text}a`],
    ['a token with one character less', (text) => text.slice(0, -1)],
    ['a token in other case', (text) => `tintype_session=${text.split('=')[1]?.toLowerCase()}`],
    ['a token in quotes', (text) => `tintype_session="${text.split('=')[1]}"`],
    ['the key itself', () => `tintype_session=${key}`],
    ['two sessions', (text) => `${text}; tintype_session=${'b'.repeat(43)}`],
    ['two sessions, the valid one last', (text) => `tintype_session=${'b'.repeat(43)}; ${text}`],
    ['the same session twice', (text) => `${text}; ${text}`],
    ['another name', (text) => `x${text}`],
    ['a name in other case', (text) => text.replace('tintype', 'Tintype')],
    ['a token of 8,000 characters', () => `tintype_session=${'a'.repeat(8_000)}`],
    ['SQL', () => `tintype_session=' or 1=1 --`],
    ['no name', (text) => text.split('=')[1] ?? ''],
    ['nothing', () => ''],
  ]
  for (const [label, text] of wrong) {
    test(`a cookie with ${label} is 401 unauthorized`, async () => {
      refused(await list({ cookie: text(cookie) }), 'unauthorized')
    })
  }

  test('other cookies are ignored, regardless of number and size', async () => {
    ok(await list({ cookie: `a=1; ${cookie}; __proto__=2;;; =; b` }))
    ok(await list({ cookie: `${'x=1; '.repeat(1_500)}${cookie}` }))
    ok(await list({ cookie: [`big=${'a'.repeat(7_000)}`, cookie] }))
    refused(
      await api.as(undefined).call('GET', '/projects', {
        headers: { cookie: `${cookie}; big=${'a'.repeat(40_000)}` },
        keepAlive: false,
      }),
      'invalid_request',
    )
  })

  test('an invalid key cannot sign in, and no response contains it', async () => {
    for (const text of [`tt_live_${'a'.repeat(43)}`, '', 'x', key.slice(0, -1), `${key}a`, 'a'.repeat(900)]) {
      const reply = await signIn(api, text)
      refused(reply, 'unauthorized')
      assert.equal(reply.headers['set-cookie'], undefined)
      if (text.length > 8) assert.ok(!reply.text.includes(text))
    }
    ok(await signIn(api, ` ${key}\n`), 201)
  })

  test('a body without a key is invalid_request, and so is one that a form of another site can send', async () => {
    const post = (json: unknown) => api.as(undefined).post('/session', json, sameOrigin)
    assert.deepEqual(issuePaths(await post({})), ['key'])
    assert.deepEqual(issuePaths(await post({ key: 1 })), ['key'])
    assert.deepEqual(issuePaths(await post({ key, remember: true })), ['remember'])
    assert.deepEqual(issuePaths(await post({ key: 'a'.repeat(1_024) })), [''])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      refused(
        await api.as(undefined).call('POST', '/session', {
          body: JSON.stringify({ key }),
          headers: { 'content-type': type },
        }),
        'invalid_request',
      )
  })

  test('a key that expires ends its sessions', async () => {
    const short = await tenant.key('--expires-in', '3s')
    const session = cookieOf(await signIn(api, short.key))
    ok(await list({ cookie: session }))
    await until('the expiry of the key', async () =>
      (await list({ cookie: session })).status === 401 ? true : undefined,
    )
    refused(await signIn(api, short.key), 'unauthorized')
  })
})

area('a session after changes of its key or account', {}, () => {
  let tenant: Tenant
  before(async () => {
    tenant = await newAccount()
  })
  const list = (cookie: string) => tenant.api.as(undefined).call('GET', '/projects', { headers: { cookie } })

  test('a key that is revoked ends its sessions, and those of other keys continue', async () => {
    const revoked = await tenant.key()
    const [ended, remaining] = [
      cookieOf(await signIn(tenant.api, revoked.key)),
      cookieOf(await signIn(tenant.api, tenant.api.key ?? '')),
    ]
    ok(await list(ended))
    await runCommand(tenant.api.service, 'keys', 'revoke', revoked.id)
    refused(await list(ended), 'unauthorized')
    refused(await signIn(tenant.api, revoked.key), 'unauthorized')
    ok(await list(remaining))
  })

  test('has no access while the account is on the free plan, and signing in fails', async () => {
    const cookie = cookieOf(await signIn(tenant.api, tenant.api.key ?? ''))
    await runCommand(tenant.api.service, 'accounts', 'set-plan', tenant.accountId, 'free')
    refused(await list(cookie), 'forbidden')
    const reply = await signIn(tenant.api, tenant.api.key ?? '')
    refused(reply, 'forbidden')
    assert.equal(reply.headers['set-cookie'], undefined)
    await runCommand(tenant.api.service, 'accounts', 'set-plan', tenant.accountId, 'starter')
    ok(await list(cookie))
  })

  test('counts its requests, including the sign-in, for its account', async () => {
    const cookie = cookieOf(await signIn(tenant.api, tenant.api.key ?? ''))
    let responses = 0
    const refusedAt = await until('a 429', async () => {
      responses += 1
      const reply = responses % 2 === 0 ? await list(cookie) : await signIn(tenant.api, tenant.api.key ?? '')
      return reply.status === 429 && responses % 2 === 1 ? reply : undefined
    })
    assert.equal(refused(refusedAt, 'rate_limited').limit, 60)
    assert.match(refusedAt.headers['retry-after'] ?? '', /^\d+$/)
    assert.equal(refusedAt.headers['set-cookie'], undefined)
  })
})

area('the tokens of sessions', {}, () => {
  test('never appear in a log', async () => {
    const { api } = await secondAccount()
    const cookie = cookieOf(await signIn(api, api.key ?? ''))
    createdKeys.push(cookie.split('=')[1] ?? '')
    ok(await api.as(undefined).call('GET', '/projects', { headers: { cookie } }))
  })
})
