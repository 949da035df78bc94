/** Plans and their requests per minute. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import type { OpenApiDocument } from '../harness/openapi.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, newAccount, type Tenant } from '../harness/shared.ts'
import type { ErrorBody } from '../harness/types.ts'
import { bodyOf, otherRoutes, routes } from './routes.ts'

const remaining = (reply: Reply<unknown>): number => Number(reply.headers['x-ratelimit-remaining'])
const reset = (reply: Reply<unknown>): number => Number(reply.headers['x-ratelimit-reset'])

/**
 * Sends requests until the first 429 and returns all responses of its window. If a window ends on the way, its responses
 * are dropped, so the result doesn't depend on the time within a minute.
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

area('the requests of the starter plan', { concurrency: 4 }, () => {
  let api: Client
  let replies: Reply<unknown>[]
  let png: Buffer
  before(async () => {
    api = (await newAccount({ plan: 'starter' })).api
    png = await plain('png')
    replies = await exhaust(() => api.get('/projects'))
  })

  test('are 60 per minute, counted down one by one, and the next is 429', () => {
    assert.deepEqual(
      replies.map((each) => each.status),
      [...Array.from({ length: 60 }, () => 200), 429],
    )
    assert.deepEqual(replies.map(remaining), [...Array.from({ length: 60 }, (_, i) => 59 - i), 0])
    for (const each of replies) assert.equal(each.headers['x-ratelimit-limit'], '60')
  })

  test('name the same end of the minute as a time and as the seconds until then', () => {
    const ends = replies.map((each) => {
      const [, seconds] = /;t=(\d+)$/.exec(String(each.headers.ratelimit)) ?? []
      return reset(each) - Date.parse(each.headers.date ?? '') / 1_000 - Number(seconds)
    })
    // Both are rounded, and a busy service dates a response later.
    for (const difference of ends) assert.ok(Math.abs(difference) <= 5, `${difference} s`)
  })

  test('over the limit return the seconds to wait, from 1 to 60, in Retry-After, next to the message and in the details, and the limit', () => {
    const last = replies.at(-1)
    assert.ok(last)
    const details = refused(last, 'rate_limited')
    assert.match(last.headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/)
    assert.equal(details.retryAfterSeconds, Number(last.headers['retry-after']))
    assert.equal((last.body as ErrorBody).error.retryAfter, details.retryAfterSeconds)
    assert.equal(details.limit, 60)
  })

  test('have the headers that the reference declares for 429', async () => {
    const { components } = ok(await api.root<OpenApiDocument>('GET', '/openapi.json'))
    const responses = components?.responses as Record<string, { headers: Record<string, unknown> }> | undefined
    const declared = Object.keys(responses?.RateLimited?.headers ?? {}).map((name) => name.toLowerCase())
    const last = replies.at(-1)?.headers ?? {}
    const sent = Object.keys(last).filter((name) => /ratelimit|^retry-after$|^x-request-id$/.test(name))
    assert.deepEqual(sent.sort(), declared.sort())
  })

  // Live previews have a count apart: draft-previews.ts.
  const counted = [...routes, ...otherRoutes].filter(({ path }) => !path.endsWith('/draft/preview'))
  for (const route of counted) {
    test(`include those of ${route.method} ${route.path}`, async () => {
      const window = await exhaust(() => api.call(route.method, route.path, bodyOf(route, png)))
      const last = window.at(-1)
      assert.ok(last)
      refused(last, 'rate_limited')
    })
  }

  test('are counted separately from those of another account', async () => {
    ok(await (await firstAccount()).get('/projects'))
  })
})

area('the requests of the pro plan', {}, () => {
  test('are 300 per minute, also if they are concurrent', async () => {
    const { api } = await newAccount({ plan: 'pro' })
    const together = await Promise.all(Array.from({ length: 20 }, () => api.get('/projects')))
    const numbers = together.map(remaining).sort((a, b) => b - a)
    if (new Set(together.map(reset)).size === 1)
      assert.deepEqual(
        numbers,
        Array.from({ length: 20 }, (_, i) => 299 - i),
      )
    const replies = await exhaust(() => api.get('/projects'))
    assert.equal(replies.at(-1)?.headers['x-ratelimit-limit'], '300')
    assert.deepEqual(
      replies.slice(0, -1).map(remaining),
      Array.from({ length: replies.length - 1 }, (_, i) => replies.length - 2 - i),
    )
  })
})

area('the requests of an enterprise account', {}, () => {
  let tenant: Tenant
  before(async () => {
    tenant = await newAccount({ rateLimit: 1000 })
  })

  test('are limited by its own number, which every authenticated response has, with the remaining number and the end of the window', async () => {
    const { api } = tenant
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

  test('count with every response (200, 400, 403 or 404) and every key', async () => {
    const reader = tenant.api.as((await tenant.key('--permissions', 'storage:read')).key)
    const requests = [
      () => tenant.api.post('/projects', {}),
      () => tenant.api.get('/projects', { limit: 0 }),
      () => tenant.api.get('/workflows/anything'),
      () => reader.get('/projects'),
      () => reader.get('/storage/images'),
    ]
    let last = await tenant.api.get('/projects')
    for (const request of requests) {
      const reply = await request()
      assertNext(last, reply)
      last = reply
    }
  })

  test('do not include images at their URLs', async () => {
    const uploaded = await tenant.api.upload([file(await plain('png'))])
    const path = new URL(ok(uploaded, 201).url).pathname
    assert.equal((await tenant.api.root('GET', path)).headers['x-ratelimit-limit'], undefined)
    assertNext(uploaded, await tenant.api.get('/projects'))
  })
})

/** The next request of the window, or the first of the next one. */
function assertNext(before: Reply<unknown>, after: Reply<unknown>): void {
  if (reset(after) > reset(before) + 1) return
  assert.equal(remaining(after), remaining(before) - 1)
}
