/** GET /i/<file>: workflows by signed URLs. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { type Client, createClient, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import type { Document } from '../harness/documents.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import {
  deliver,
  deliveryUrl,
  type NewSigningKey,
  newSigningKey,
  signedPath,
  signedQuery,
} from '../harness/signed-urls.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Images, Listed } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'

type Executions = Listed & { executions: (Execution & { signingKeyId?: string; workflowVersion: number })[] }

let slugs = 0
const slugOf = (document: Document) => (document as Document & { slug: string }).slug

/** A sheet of the width `width`. */
function sheet(delivery: object | null = { parameters: ['width'] }, fields: object = {}): Document {
  return {
    name: 'Sheet',
    slug: `sheet-${++slugs}`,
    parameters: [
      { name: 'width', type: 'number', default: 8, minimum: 1, maximum: 100 },
      { name: 'hidden', type: 'number', default: 6 },
    ],
    nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: '{{ hidden }}', color: '#ff0000' } } },
    output: { node: 'sheet', format: 'png' },
    ...(delivery && { delivery }),
    ...fields,
  } as Document
}

/** Loads the image of the parameter `photo`. */
function loading(delivery: object, preset: object = {}): Document {
  return {
    name: 'Loading',
    slug: `loading-${++slugs}`,
    parameters: [{ name: 'photo', type: 'string', required: true, ...preset }],
    nodes: { photo: { type: 'image', params: { source: '{{ photo }}' } } },
    output: { node: 'photo', format: 'png' },
    delivery: { parameters: ['photo'], ...delivery },
  } as Document
}

area('delivery URLs', { concurrency: 3 }, () => {
  let api: Client
  let key: NewSigningKey
  let host: SourceHost
  before(async () => {
    api = (await newAccount()).api
    key = await newSigningKey(api, { name: 'Website' })
    host = await startSourceHost()
  })
  after(() => host.close())

  async function saved(document: Document) {
    const { id } = await save(api, document)
    return { id, slug: slugOf(document) }
  }
  const executionsOf = async (workflowId: string) =>
    ok(await api.get<Executions>('/workflows/executions', { workflowId, limit: 100 }))
  const countOf = async (workflowId: string) => (await executionsOf(workflowId)).executions.length

  /** The URL has a 403 that says nothing, and no execution starts. */
  async function denied(workflowId: string, url: string, label = url) {
    const before = await countOf(workflowId)
    const reply = await deliver(api, url)
    refused(reply, 'forbidden')
    assert.equal(withoutId(reply), withoutId(await deliver(api, '/i/nothing.png')), label)
    assert.equal(reply.headers['cache-control'], 'no-store', label)
    assert.equal(await countOf(workflowId), before, label)
  }

  test('the first request executes the workflow, and later requests get its file without an execution', async () => {
    const { id, slug } = await saved(sheet())
    const url = deliveryUrl(key, `${slug}.webp`, { width: '20' })
    const first = await deliver(api, url)
    ok(first)
    assert.equal(first.headers['content-type'], 'image/webp')
    const { format, width, height } = await sizeOf(first.bytes)
    assert.deepEqual({ format, width, height }, { format: 'webp', width: 20, height: 6 })
    for (let i = 0; i < 3; i += 1) assert.deepEqual((await deliver(api, url)).bytes, first.bytes)
    const { executions } = await executionsOf(id)
    assert.equal(executions.length, 1)
    assert.deepEqual([executions[0]?.signingKeyId, executions[0]?.status], [key.id, 'completed'])
    assert.equal(executions[0]?.parameters?.width, 20)
  })

  test('its output is not listed in storage', async () => {
    const { api: empty } = await newAccount()
    const document = sheet()
    await save(empty, document)
    ok(await deliver(empty, deliveryUrl(await newSigningKey(empty), `${slugOf(document)}.png`)))
    assert.equal(ok(await empty.get<Images>('/storage/images')).total, 0)
  })

  test('expiry, key and signature are not part of the content: other URLs get the same file', async () => {
    const { id, slug } = await saved(sheet())
    const first = await deliver(api, deliveryUrl(key, `${slug}.png`))
    const other = await newSigningKey(api)
    const again = await deliver(api, deliveryUrl(other, `${slug}.png`, {}, { exp: 4_000_000_000 }))
    assert.deepEqual(again.bytes, first.bytes)
    assert.equal(await countOf(id), 1)
  })

  const concurrent = isMany ? 1_000 : 30

  test(`${concurrent} concurrent requests of a cold URL make one execution`, async () => {
    const { id, slug } = await saved(sheet())
    const url = deliveryUrl(key, `${slug}.png`, { width: '33' })
    const agent = new Agent({ maxSockets: concurrent })
    const replies = await Promise.all(Array.from({ length: concurrent }, () => api.root('GET', url, { agent })))
    agent.destroy()
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 200),
    )
    assert.equal(await countOf(id), 1)
  })

  test('a file of a numbered version never changes, others for maxAge, and none outlives its URL', async () => {
    const { id, slug } = await saved(sheet({ maxAge: 60 }))
    ok(await api.put(`/workflows/${id}/channels/live`, { version: 1 }))
    const exp = Math.floor(Date.now() / 1_000) + 40_000_000
    const headersOf = async (file: string, at = exp) =>
      (await deliver(api, deliveryUrl(key, file, {}, { exp: at }))).headers
    const numbered = await headersOf(`${slug}@1.png`)
    assert.equal(numbered['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(numbered['cdn-cache-control'], 'max-age=31536000')
    for (const file of [`${slug}.png`, `${slug}@live.png`, `${id}.png`]) {
      const headers = await headersOf(file)
      assert.equal(headers['cache-control'], 'public, max-age=60, stale-while-revalidate=86400')
      assert.match(String(headers['cdn-cache-control']), /^max-age=60, stale-while-revalidate=86400/)
      assert.equal(headers['cache-tag'], `${id},${id}@1`)
      assert.equal(headers.etag, numbered.etag)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers.vary, undefined)
    }
    const soon = await headersOf(`${slug}@1.png`, Math.floor(Date.now() / 1_000) + 100)
    const [, seconds] = /^public, max-age=(\d+), immutable$/.exec(soon['cache-control'] ?? '') ?? []
    assert.ok(Number(seconds) <= 100 && Number(seconds) > 60, soon['cache-control'])
  })

  test('a validator gets 304, and HEAD the headers alone', async () => {
    const { slug } = await saved(sheet())
    const url = deliveryUrl(key, `${slug}.png`)
    const { headers, bytes } = await deliver(api, url)
    assert.match(headers.etag ?? '', /^"[0-9a-f]{64}"$/)
    const same = await deliver(api, url, { 'if-none-match': headers.etag ?? '' })
    assert.deepEqual([same.status, same.bytes.length, same.headers['content-type']], [304, 0, undefined])
    assert.equal((await deliver(api, url, { 'if-none-match': '"other"' })).status, 200)
    refused(await deliver(api, url, { 'if-match': '"other"' }), 'precondition_failed')
    const head = await api.root('HEAD', url)
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, `${bytes.length}`])
  })

  test('the extension is the format, and auto is the best format that the client accepts', async () => {
    const { slug } = await saved(sheet())
    for (const [extension, format] of Object.entries({
      png: 'png',
      jpg: 'jpeg',
      webp: 'webp',
      gif: 'gif',
      tiff: 'tiff',
    }))
      assert.equal((await sizeOf((await deliver(api, deliveryUrl(key, `${slug}.${extension}`))).bytes)).format, format)
    const auto = deliveryUrl(key, `${slug}.auto`)
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['image/avif;q=0,image/webp;q=0,*/*', 'image/jpeg'],
      ['*/*', 'image/jpeg'],
    ] as const) {
      const reply = await deliver(api, auto, { accept })
      assert.deepEqual([reply.headers['content-type'], reply.headers.vary], [type, 'Accept'])
    }
  })

  test('a channel has the file of its version immediately after it was moved', async () => {
    const { id, slug } = await saved(sheet())
    const url = deliveryUrl(key, `${slug}@live.png`)
    await denied(id, url, 'no channel yet')
    ok(await api.put(`/workflows/${id}/channels/live`, { version: 1 }))
    assert.equal((await sizeOf((await deliver(api, url)).bytes)).height, 6)
    const changed = sheet()
    ok(
      await api.put(`/workflows/${id}`, {
        ...changed,
        slug,
        parameters: changed.parameters?.map((each) => (each.name === 'hidden' ? { ...each, default: 9 } : each)),
      }),
    )
    assert.equal((await sizeOf((await deliver(api, url)).bytes)).height, 6)
    assert.equal((await sizeOf((await deliver(api, deliveryUrl(key, `${slug}.png`))).bytes)).height, 9)
    ok(await api.put(`/workflows/${id}/channels/live`, { version: 2 }))
    const moved = await deliver(api, url)
    assert.equal((await sizeOf(moved.bytes)).height, 9)
    assert.equal(moved.headers['cache-tag'], `${id},${id}@2`)
  })

  test('a URL with one other byte is denied, wherever the byte is', async () => {
    const { id, slug } = await saved(sheet())
    const url = deliveryUrl(key, `${slug}.png`, { width: '12' })
    for (let at = '/i/'.length; at < url.length; at += 1) {
      const other = url[at] === 'a' ? 'b' : 'a'
      refused(await deliver(api, `${url.slice(0, at)}${other}${url.slice(at + 1)}`), 'forbidden')
    }
    for (const wrong of [`${url}a`, url.slice(0, -1), url.replace(/&sig=.*/, ''), `${url}&width=13`, `${url}&sig=`])
      await denied(id, wrong)
    assert.equal(await countOf(id), 0)
    ok(await deliver(api, url))
  })

  test('a signature of another form of the query is denied: each content has one URL', async () => {
    const { id, slug } = await saved(sheet())
    const rest = `exp=4000000000&kid=${key.id}`
    for (const query of [
      `width=12&${rest}`,
      `${rest}&width=%312`,
      `${rest}&width=12&width=13`,
      `${rest}&width=12&`,
      `${rest}&width=+12`,
      `${rest}&width=%zz`,
      `${rest}&width`,
      `exp=04000000000&kid=${key.id}`,
      `exp=4e9&kid=${key.id}`,
      `kid=${key.id}`,
      'exp=4000000000',
    ])
      await denied(id, signedQuery(key.secret, `/i/${slug}.png`, query))
    ok(await deliver(api, signedQuery(key.secret, `/i/${slug}.png`, `${rest}&width=12`)))
  })

  test('an expired URL, and one of an unknown, revoked, other or foreign key, is denied', async () => {
    const { id, slug } = await saved(sheet())
    const { id: otherId } = await saved(sheet())
    const file = `${slug}.png`
    await denied(id, deliveryUrl(key, file, {}, { exp: Math.floor(Date.now() / 1_000) - 1 }), 'expired')
    await denied(id, deliveryUrl({ ...key, id: 'skey_00000000000000000000000000' }, file), 'unknown key')
    await denied(id, deliveryUrl({ id: api.key?.slice(0, 12) ?? '', secret: api.key ?? '' }, file), 'an API key')
    const bound = await newSigningKey(api, { workflows: [otherId] })
    await denied(id, deliveryUrl(bound, file), 'key of another workflow')
    await denied(id, deliveryUrl(await newSigningKey((await secondAccount()).api), file), 'key of another account')
    const revoked = await newSigningKey(api)
    const url = deliveryUrl(revoked, file)
    ok(await deliver(api, url))
    ok(await api.delete(`/signing-keys/${revoked.id}`))
    await denied(id, url, 'revoked, although the file exists')
  })

  test('a workflow, version or channel that is missing, or does not allow it, is denied', async () => {
    const { id, slug } = await saved(sheet(null))
    const { id: deletedId, slug: deleted } = await saved(sheet())
    ok(await deliver(api, deliveryUrl(key, `${deleted}.png`)))
    ok(await api.delete(`/workflows/${deletedId}`))
    for (const file of [
      ...[`${slug}.png`, `${slug}@1.png`, `${slug}@2.png`, `${slug}@live.png`, `${id}.png`, 'no-such-card.png'],
      ...[`${slug}.exe`, `${slug}.svg`, `${slug}.pdf`, `${slug}`, `${slug}@0.png`, '.png', '..png'],
      ...[`${deleted}.png`, `${deletedId}@1.png`],
    ])
      await denied(id, deliveryUrl(key, file), file)
  })

  test('a parameter that the document does not list is denied', async () => {
    const { id, slug } = await saved(sheet())
    for (const name of ['hidden', 'unknown', 'Width', '__proto__'])
      await denied(id, deliveryUrl(key, `${slug}.png`, Object.fromEntries([[name, '5']])), name)
    // It is denied, and not invalid, so that it reveals nothing of the workflow.
    await denied(id, deliveryUrl(key, `${slug}.png`, { hidden: 'no number' }))
  })

  test('an image of a host that the document does not list is denied, and not requested', async () => {
    const { id, slug } = await saved(loading({ sources: ['photos.example.com', '*.example.org'] }))
    const url = host.url('/foreign.png')
    await denied(id, deliveryUrl(key, `${slug}.png`, { photo: url }))
    for (const photo of ['http://example.org/a.png', 'http://photos.example.com.evil.example/a.png', 'http://[::1]/'])
      await denied(id, deliveryUrl(key, `${slug}.png`, { photo }))
    const pixel = `data:image/png;base64,${(await plain('png', 1, 1)).toString('base64')}`
    await denied(id, deliveryUrl(key, `${slug}.png`, { photo: pixel }), 'a data: URL')
    assert.ok(!host.requested.includes('/foreign.png'))
  })

  test('an image of an allowed host, of the account or of the document itself is used', async () => {
    const allowed = await saved(loading({ sources: ['localhost'] }))
    const reply = await deliver(api, deliveryUrl(key, `${allowed.slug}.png`, { photo: host.url('/allowed.png') }))
    assert.equal((await sizeOf(reply.bytes)).width, 64)
    const { id: photo } = await upload(api, await plain('png', 5, 5))
    const response = await deliver(api, deliveryUrl(key, `${allowed.slug}.png`, { photo }))
    assert.equal((await sizeOf(response.bytes)).width, 5)
    const preset = await saved(loading({}, { required: undefined, default: host.url('/preset.png') }))
    ok(await deliver(api, deliveryUrl(key, `${preset.slug}.png`)))
  })

  test('an output that reads other hosts is made again after maxAge, except for a numbered version', async () => {
    const { id, slug } = await saved(loading({ sources: ['localhost'], maxAge: 0 }))
    const photo = host.url(`/changing-${slug}.png`)
    const newest = deliveryUrl(key, `${slug}.png`, { photo })
    for (let i = 0; i < 2; i += 1) ok(await deliver(api, newest))
    assert.equal(await countOf(id), 2)
    for (let i = 0; i < 2; i += 1) ok(await deliver(api, deliveryUrl(key, `${slug}@1.png`, { photo })))
    assert.equal(await countOf(id), 2)
  })

  test('a former file stays if it cannot be made again', async () => {
    const { slug } = await saved(loading({ sources: ['localhost'], maxAge: 0 }))
    let isGone = false
    const picture = await plain('png', 11, 11)
    const photo = host.serve(`/once-${slug}`, (_, response) =>
      isGone ? response.writeHead(404).end() : response.writeHead(200, { 'content-type': 'image/png' }).end(picture),
    )
    const url = deliveryUrl(key, `${slug}.png`, { photo })
    const { bytes } = await deliver(api, url)
    isGone = true
    const again = await deliver(api, url)
    assert.deepEqual([again.status, again.headers['tintype-status']], [200, undefined])
    assert.deepEqual(again.bytes, bytes)
  })

  test('a script of another page can read every response, also an error', async () => {
    const { slug } = await saved(sheet())
    const photo = host.serve('/unreadable.png', (_, response) => response.writeHead(404).end())
    const failing = await saved(loading({ sources: ['localhost'] }))
    const url = deliveryUrl(key, `${slug}.png`)
    const { etag = '' } = (await deliver(api, url)).headers
    const replies = [
      await deliver(api, url),
      await deliver(api, url, { 'if-none-match': etag }),
      await deliver(api, deliveryUrl(key, `${slug}.png`, { width: '0' })),
      await deliver(api, '/i/nothing.png'),
      await deliver(api, deliveryUrl(key, `${failing.slug}.png`, { photo })),
      await deliver(api, '/i/%zz'),
      await deliver(api, '/images/%zz'),
      await deliver(api, '/i/a/b.png'),
    ]
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 304, 400, 403, 503, 400, 400, 404],
    )
    for (const { status, headers } of replies) {
      assert.equal(headers['access-control-allow-origin'], '*', `${status}`)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', `${status}`)
      assert.match(headers['access-control-expose-headers'] ?? '', /Retry-After, Tintype-Status/, `${status}`)
      assert.ok(headers['x-request-id'], `${status}`)
    }
  })

  test('an invalid value is 400 with its name, or the fallback image', async () => {
    const { id, slug } = await saved(sheet())
    for (const width of ['0', '101', 'wide', '', '1e', '007']) {
      const refusal = await deliver(api, deliveryUrl(key, `${slug}.png`, { width }))
      assert.deepEqual(issuePaths(refusal), ['parameters.width'])
      assert.equal(refusal.headers['tintype-status'], 'invalid')
    }
    assert.equal(await countOf(id), 0)
    const { id: fallback } = await upload(api, await plain('png', 3, 3))
    const { slug: covered } = await saved(sheet({ parameters: ['width'], fallback }))
    const reply = await deliver(api, deliveryUrl(key, `${covered}.webp`, { width: '0' }))
    assert.deepEqual(
      [reply.status, reply.headers['tintype-status'], reply.headers['cache-control']],
      [200, 'invalid', 'public, max-age=10'],
    )
    assert.equal((await sizeOf(reply.bytes)).width, 3)
  })

  test('a failure is 503 or the fallback image, which caches keep for some seconds, and is not repeated', async () => {
    const { id: fallback } = await upload(api, await plain('png', 3, 3))
    const photo = host.serve('/missing.png', (_, response) => response.writeHead(404).end())
    const bare = await saved(loading({ sources: ['localhost'] }))
    const covered = await saved(loading({ sources: ['localhost'], fallback }))
    for (let i = 0; i < 3; i += 1) {
      const reply = await deliver(api, deliveryUrl(key, `${bare.slug}.png`, { photo }))
      refused(reply, 'unavailable')
      assert.deepEqual([reply.headers['tintype-status'], reply.headers['cache-control']], ['failed', 'no-store'])
      assert.equal(reply.headers['retry-after'], '30', 'an earlier request gets the same failure')
      const other = await deliver(api, deliveryUrl(key, `${covered.slug}.png`, { photo }))
      assert.deepEqual(
        [other.status, other.headers['tintype-status'], other.headers['cache-control']],
        [200, 'failed', 'public, max-age=10'],
      )
      assert.equal((await sizeOf(other.bytes)).width, 3)
    }
    assert.deepEqual([await countOf(bare.id), await countOf(covered.id)], [1, 1])
  })

  test('a workflow that may cost money needs paid in its document, and a budget of the signing key', async () => {
    const paying = (delivery: object): Document =>
      ({
        ...sheet(delivery),
        nodes: { sheet: { type: 'generate', params: { prompt: 'A table' } } },
      }) as Document
    const unpaid = await saved(paying({}))
    const rich = await newSigningKey(api, { monthlyBudgetUsd: 5 })
    await denied(unpaid.id, deliveryUrl(rich, `${unpaid.slug}.png`))
    const paid = await saved(paying({ paid: true }))
    await denied(paid.id, deliveryUrl(key, `${paid.slug}.png`))
    // It executes, and fails: this service has no provider.
    const reply = await deliver(api, deliveryUrl(rich, `${paid.slug}.png`))
    refused(reply, 'unavailable')
    assert.equal(reply.headers['tintype-status'], 'failed')
    await denied(paid.id, deliveryUrl(key, `${paid.slug}.png`), 'the state is not for a key without a budget')
  })

  test('a URL of an account without API access is denied', async () => {
    const { api: owner, accountId } = await newAccount()
    const document = sheet()
    await save(owner, document)
    const url = deliveryUrl(await newSigningKey(owner), `${slugOf(document)}.png`)
    ok(await deliver(owner, url))
    await runCommand(owner.service, 'accounts', 'set-plan', accountId, 'free')
    refused(await deliver(owner, url), 'forbidden')
  })

  test('a URL that is too long, and other methods, are rejected', async () => {
    const { id, slug } = await saved(sheet())
    await denied(id, signedPath(key, `/i/${slug}.png`, { width: '1'.repeat(9_000) }))
    for (const method of ['POST', 'PUT', 'DELETE'])
      refused(await api.root(method, deliveryUrl(key, `${slug}.png`)), 'method_not_allowed')
  })
})

area('delivery URLs of a service with IMAGES_URL that does not wait', { concurrency: 2 }, () => {
  const imagesUrl = 'https://cdn.example.com/images'
  let service: Service
  let api: Client
  let key: NewSigningKey
  let host: SourceHost
  before(async () => {
    service = await startWithoutExamples({
      IMAGES_URL: imagesUrl,
      DELIVERY_WAIT_SECONDS: '0',
      FETCH_ALLOW: 'localhost',
    })
    api = await createClient(service, service.key)
    key = await newSigningKey(api)
    host = await startSourceHost()
  })
  after(async () => {
    await service.remove()
    await host.close()
  })

  test('a file is never a redirect, because crawlers of social networks drop it', async () => {
    const document = sheet()
    await save(api, document)
    const url = deliveryUrl(key, `${slugOf(document)}.png`)
    const reply = await until('the file', async () => {
      const response = await deliver(api, url)
      return response.status === 200 ? response : undefined
    })
    assert.equal(reply.headers['tintype-status'], undefined)
    assert.deepEqual([reply.headers.location, (await sizeOf(reply.bytes)).width], [undefined, 8])
    assert.equal((await deliver(api, url, { 'if-none-match': reply.headers.etag ?? '' })).status, 304)
  })

  test('with redirect in the document, a file is a redirect to IMAGES_URL that caches keep for a short time', async () => {
    const document = sheet({ parameters: ['width'], redirect: true })
    await save(api, document)
    const reply = await until('the file', async () => {
      const response = await deliver(api, deliveryUrl(key, `${slugOf(document)}.webp`))
      return response.status === 302 ? response : undefined
    })
    assert.match(reply.headers.location ?? '', /^https:\/\/cdn\.example\.com\/images\/img_[0-9a-z]+\.webp$/)
    assert.match(reply.headers['cache-control'] ?? '', /^public, max-age=\d{1,2}$/)
    // The CDN reads it here.
    ok(await api.root('GET', new URL(reply.headers.location ?? '').pathname))
  })

  test('an execution that takes longer is 503 or the fallback image, and a later request gets its file', async () => {
    const { id: fallback } = await upload(api, await plain('png', 3, 3))
    const redirect = true
    const bare = loading({ sources: ['localhost'] })
    const covered = loading({ sources: ['localhost'], fallback, redirect })
    for (const document of [bare, covered]) await save(api, document)
    const held = host.hold()
    const [first, second] = [bare, covered].map((each) =>
      deliveryUrl(key, `${slugOf(each)}.png`, { photo: held.url }),
    ) as [string, string]
    const reply = await deliver(api, first)
    refused(reply, 'unavailable')
    assert.deepEqual([reply.headers['tintype-status'], reply.headers['cache-control']], ['pending', 'no-store'])
    const other = await deliver(api, second)
    assert.deepEqual(
      [other.status, other.headers['tintype-status'], other.headers['cache-control'], other.headers.location],
      [200, 'pending', 'public, max-age=10', undefined],
    )
    assert.equal((await sizeOf(other.bytes)).width, 3)
    held.release()
    for (const url of [first, second])
      await until('the file', async () => {
        const { status, headers } = await deliver(api, url)
        return (status === (url === second ? 302 : 200) && headers['tintype-status'] === undefined) || undefined
      })
    const { executions } = ok(await api.get<Executions>('/workflows/executions'))
    const pending = executions.filter(({ parameters }) => parameters?.photo === held.url)
    assert.equal(pending.length, 2)
  })

  test('another size of an image is rendered, because its work ends with its request', async () => {
    const { id } = await upload(api, await plain('png', 40, 20))
    const { status, headers } = await deliver(api, deliveryUrl(key, `${id}.webp`, { w: '20' }))
    assert.equal(status, 302)
    assert.deepEqual([headers['content-type'], headers['content-length']], [undefined, '0'])
    assert.match(headers.location ?? '', /^https:\/\/cdn\.example\.com\/images\/img_[0-9a-z]+\.webp$/)
  })

  test('images and projects cannot be private, because the other server checks no signature', async () => {
    const { id } = await upload(api, await plain('png'))
    assert.deepEqual(issuePaths(await api.put(`/storage/images/${id}`, { private: true })), ['private'])
    assert.deepEqual(issuePaths(await api.post('/projects', { name: 'P', private: true })), ['private'])
  })
})

function withoutId(reply: Reply<unknown>): string {
  return reply.text.replace(/"requestId":"[^"]+"/, '')
}
