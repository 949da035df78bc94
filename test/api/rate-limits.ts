/** Plans and their requests per minute. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { type Tenant, tenant } from '../harness/shared.ts'
import { otherRoutes, routes } from './routes.ts'

const remaining = (reply: Reply<unknown>): number => Number(reply.headers['x-ratelimit-remaining'])
const reset = (reply: Reply<unknown>): number => Number(reply.headers['x-ratelimit-reset'])

/**
 * Asks until the first 429 and gives all replies of the window that it belongs to: a window that ended on the way is
 * dropped, so that the result does not depend on when in a minute the test runs.
 */
async function exhaust(next: () => Promise<Reply<unknown>>): Promise<Reply<unknown>[]> {
  let window: Reply<unknown>[] = []
  for (let i = 0; i < 2000; i++) {
    const reply = await next()
    const [first] = window
    if (first && reset(reply) > reset(first) + 1) window = []
    window.push(reply)
    if (reply.status === 429) return window
  }
  throw new Error('No 429 after 2000 requests.')
}

describe('rate limits', { concurrency: 4 }, () => {
  for (const [plan, perMinute] of [
    ['starter', 60],
    ['pro', 300],
  ] as const) {
    test(`the ${plan} plan has ${perMinute} requests a minute, and the next is 429`, async () => {
      const { api } = await tenant({ plan })
      const replies = await exhaust(() => api.get('/projects'))
      assert.equal(replies.length, perMinute + 1)
      assert.deepEqual(
        replies.map((each) => each.headers['x-ratelimit-limit']),
        replies.map(() => String(perMinute)),
      )
      assert.deepEqual(replies.map(remaining), [...Array.from({ length: perMinute }, (_, i) => perMinute - 1 - i), 0])
    })
  }

  test('an enterprise account has the number of its own', async () => {
    const { api } = await tenant({ rateLimit: 7 })
    assert.equal((await exhaust(() => api.get('/projects'))).length, 8)
  })

  test('a 429 tells the wait in whole seconds from 1 to 60, in Retry-After and in the details, and the limit', async () => {
    const { api } = await tenant({ rateLimit: 2 })
    const reply = (await exhaust(() => api.get('/projects'))).at(-1)
    assert.ok(reply)
    const details = refused(reply, 'rate_limited')
    assert.match(reply.headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/)
    assert.equal(details.retryAfterSeconds, Number(reply.headers['retry-after']))
    assert.equal(details.limit, 2)
  })

  test('every authenticated answer carries the limit, what is left, and when the window ends', async () => {
    const { api } = await tenant({ rateLimit: 1000 })
    const replies = [
      await api.get('/projects'),
      await api.post('/projects', {}),
      await api.get('/storage/images/anything'),
      await api.get('/nothing/here'),
      await api.upload([file(await plain('png'))]),
    ]
    assert.deepEqual(
      replies.map((each) => each.status),
      [200, 400, 404, 404, 201],
    )
    for (const { headers } of replies) {
      assert.equal(headers['x-ratelimit-limit'], '1000')
      assert.match(String(headers['x-ratelimit-remaining']), /^9\d\d$/)
      const inSeconds = Number(headers['x-ratelimit-reset']) - Date.now() / 1000
      assert.ok(inSeconds > -2 && inSeconds <= 61, `the window ends in ${inSeconds} s`)
      assert.match(String(headers['ratelimit-policy']), /;\s*q=1000\b/)
      assert.match(String(headers['ratelimit-policy']), /;\s*w=60\b/)
      assert.match(String(headers.ratelimit), new RegExp(`;\\s*r=${headers['x-ratelimit-remaining']}\\b`))
      assert.match(String(headers.ratelimit), /;\s*t=\d+\b/)
    }
  })

  test('requests that are answered 400, 403 and 404 count like any other', async () => {
    const own = await tenant({ rateLimit: 1000 })
    const reader = own.api.as((await own.key('--permissions', 'storage:read')).key)
    const asks = [
      () => own.api.post('/projects', {}),
      () => own.api.get('/projects', { limit: 0 }),
      () => own.api.get('/workflows/anything'),
      () => reader.get('/projects'),
    ]
    let last = remaining(await own.api.get('/projects'))
    for (const each of asks) {
      const reply = await each()
      assert.ok(reply.status >= 400)
      assert.ok(
        remaining(reply) === last - 1 || remaining(reply) === 999,
        `${last} were left, then ${remaining(reply)}`,
      )
      last = remaining(reply)
    }
  })

  test('requests that are answered 401 do not count', async () => {
    const own = await tenant({ rateLimit: 1000 })
    const gone = await own.key()
    await tintypeJson(own.api.service, 'keys', 'revoke', gone.id)
    const first = await own.api.get('/projects')
    for (let i = 0; i < 5; i++) refused(await own.api.as(gone.key).get('/projects'), 'unauthorized')
    const second = await own.api.get('/projects')
    assert.ok(remaining(second) === remaining(first) - 1 || reset(second) > reset(first) + 1)
  })

  test('a 401 carries no rate limit of anyone', async () => {
    const { api } = await tenant()
    const { headers } = await api.as(undefined).get('/projects')
    assert.equal(headers['x-ratelimit-limit'], undefined)
  })

  test('all keys of an account share its limit', async () => {
    const own = await tenant({ rateLimit: 10 })
    const clients = [own.api, own.api.as((await own.key()).key)]
    let turn = 0
    const replies = await exhaust(() => (clients[turn++ % 2] as Client).get('/projects'))
    assert.equal(replies.length, 11)
    for (const client of clients) assert.equal((await client.get('/projects')).status, 429)
  })

  test('the limit of one account is not touched by another', async () => {
    const [busy, quiet] = [await tenant({ rateLimit: 1 }), await tenant({ rateLimit: 1 })]
    await exhaust(() => busy.api.get('/projects'))
    ok(await quiet.api.get('/projects'))
  })

  test('twenty requests at once are counted one by one', async () => {
    const { api } = await tenant({ rateLimit: 5 })
    await api.get('/projects')
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => api.get('/projects')))).map(
      (each) => each.status,
    )
    // Four, or five more when a new window began among them.
    const let_in = statuses.filter((each) => each === 200).length
    assert.ok(let_in >= 4 && let_in <= 9, statuses.join(' '))
  })

  test('images at their URLs are not counted', async () => {
    const { api } = await tenant({ rateLimit: 1000 })
    const uploaded = await api.upload([file(await plain('png'))])
    const path = new URL(ok(uploaded, 201).url).pathname
    assert.equal((await api.root('GET', path)).headers['x-ratelimit-limit'], undefined)
  })
})

describe('an account whose requests are used up', { concurrency: 4 }, () => {
  let own: Tenant
  before(async () => {
    own = await tenant({ rateLimit: 1 })
  })

  for (const route of [...routes, ...otherRoutes]) {
    test(`is 429 at ${route.method} ${route.path}`, async () => {
      const body = route.upload ? { parts: [file(await plain('png'))] } : route.json ? { json: route.json } : {}
      const replies = await exhaust(() => own.api.call(route.method, route.path, body))
      const last = replies.at(-1)
      assert.ok(last)
      refused(last, 'rate_limited')
    })
  }
})
