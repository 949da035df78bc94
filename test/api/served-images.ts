/** GET /images/<id>.<ext>: the bytes, for anyone with the URL. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { field, file } from '../harness/multipart.ts'
import { pdfOfColors } from '../harness/pdfs.ts'
import { noise, plain, svg } from '../harness/pictures.ts'
import { psdOf } from '../harness/psds.ts'
import { firstAccount } from '../harness/shared.ts'
import { upload } from '../harness/workflows.ts'

const mediaTypes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  tiff: 'image/tiff',
} as const

area('the bytes of an image at its URL', { concurrency: 4 }, () => {
  let api: Client
  let bytes: Buffer
  let path: string
  let etag: string
  before(async () => {
    api = await firstAccount()
    bytes = await noise('png', 32, 32)
    path = new URL((await upload(api, bytes)).url).pathname
    etag = (await api.root('GET', path)).headers.etag ?? ''
  })
  const get = (headers: Record<string, string> = {}, method = 'GET') => api.root(method, path, { headers })

  test('need no key', async () => {
    assert.deepEqual((await get()).bytes, bytes)
  })

  test('are the same with any key, even an invalid one', async () => {
    assert.equal((await get({ authorization: 'Bearer tt_live_wrong' })).status, 200)
  })

  test('have type, length, nosniff, a strong ETag, Accept-Ranges and Cache-Control', async () => {
    const { status, headers } = await get()
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'image/png')
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers.etag ?? '', /^"[^"]+"$/)
    assert.equal(headers['accept-ranges'], 'bytes')
    assert.match(String(headers['cache-control']), /max-age|no-cache|no-store/)
  })

  for (const [format, mediaType] of Object.entries(mediaTypes)) {
    test(`of a ${format} are served as ${mediaType}`, async () => {
      const image = await upload(api, await plain(format as keyof typeof mediaTypes))
      assert.equal((await api.root('GET', new URL(image.url).pathname)).headers['content-type'], mediaType)
    })
  }

  test('of an SVG are served as a download in a sandbox', async () => {
    const image = await upload(api, svg('<rect width="9" height="9"/>'), 'shape.svg')
    const { status, headers } = await api.root('GET', new URL(image.url).pathname)
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^image\/svg\+xml\b/)
    assert.match(String(headers['content-security-policy']), /(^|;)\s*sandbox\s*(;|$)/)
    assert.match(headers['content-disposition'] ?? '', /^attachment\b/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  for (const [format, mediaType, bytes] of [
    ['pdf', 'application/pdf', pdfOfColors('1 0 0')],
    ['psd', 'image/vnd.adobe.photoshop', psdOf({ width: 1, height: 1, channels: Array(3).fill(Buffer.alloc(1)) })],
  ] as const) {
    test(`of a ${format} are served as a download in a sandbox`, async () => {
      const image = await upload(api, bytes, `file.${format}`)
      const { headers } = await api.root('GET', new URL(image.url).pathname)
      assert.equal(headers['content-type'], mediaType)
      assert.match(String(headers['content-security-policy']), /(^|;)\s*sandbox\s*(;|$)/)
      assert.match(headers['content-disposition'] ?? '', /^attachment\b/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  }

  for (const name of ['a"; filename="evil.html', 'Füße 写真 🎨.svg', 'a;b=c.svg', "it's.svg", '%0d%0aX-Evil: 1.svg']) {
    test(`of an SVG named ${name} are served with headers that the name cannot add to`, async () => {
      const image = ok(await api.upload([field('name', name), file(svg('<path d="M0 0h9v9z"/>'))]), 201)
      const { status, headers } = await api.root('GET', new URL(image.url).pathname)
      assert.equal(status, 200)
      assert.equal(headers['x-evil'], undefined)
      assert.match(
        headers['content-disposition'] ?? '',
        /^attachment(; filename="(\\.|[^"\\])*"|; filename=[\w.!#$%&'*+^`|~-]+|; filename\*=UTF-8''[^;\s]+)*$/i,
      )
    })
  }

  test('support HEAD with the same headers and no body', async () => {
    const [head, full] = [await get({}, 'HEAD'), await get()]
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of [
      'content-type',
      'content-length',
      'etag',
      'accept-ranges',
      'cache-control',
      'x-content-type-options',
    ]) {
      assert.equal(head.headers[name], full.headers[name], name)
    }
  })

  test('are not sent again with a matching If-None-Match: 304 without a body, with the ETag', async () => {
    for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const reply = await get({ 'if-none-match': value })
      assert.deepEqual([reply.status, reply.bytes.length, reply.headers.etag], [304, 0, etag], value)
      // A cache copies the headers of a 304 to the stored image (RFC 9111, 3.2).
      assert.deepEqual([reply.headers['content-type'], reply.headers['content-length']], [undefined, undefined], value)
    }
  })

  test('honour every precondition: 304 for an older copy, 412 if the file is not the expected one', async () => {
    const modified = (await get()).headers['last-modified'] ?? ''
    const before = new Date(Date.parse(modified) - 1_000).toUTCString()
    assert.equal((await get({ 'if-modified-since': modified })).status, 304)
    assert.equal((await get({ 'if-modified-since': before })).status, 200)
    assert.equal((await get({ 'if-match': etag, 'if-unmodified-since': before })).status, 200)
    assert.equal((await get({ 'if-unmodified-since': modified })).status, 200)
    refused(await get({ 'if-unmodified-since': before }), 'precondition_failed')
    refused(await get({ 'if-match': '"other"' }), 'precondition_failed')
  })

  test('are sent if If-None-Match has another ETag', async () => {
    assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
  })

  const ranges: [range: string, first: number, last: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=100-', 100, -1],
    ['bytes=-5', -5, -1],
    ['bytes=100-99999999', 100, -1],
    ['bytes=-99999999', 0, -1],
  ]
  for (const [range, first, last] of ranges) {
    test(`return 206 with exactly the bytes of ${range}`, async () => {
      const from = first < 0 ? bytes.length + first : first
      const to = last < 0 ? bytes.length + last : last
      const reply = await get({ range })
      assert.equal(reply.status, 206)
      assert.equal(reply.headers['content-range'], `bytes ${from}-${to}/${bytes.length}`)
      assert.equal(reply.headers['content-length'], String(to - from + 1))
      assert.equal(reply.headers.etag, etag)
      assert.deepEqual(reply.bytes, bytes.subarray(from, to + 1))
    })
  }

  test('return 416 with the length if the range begins after the end', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=99999999-', 'bytes=-0']) {
      const reply = await get({ range })
      assert.deepEqual([reply.status, reply.headers['content-range']], [416, `bytes */${bytes.length}`], range)
      assert.deepEqual([reply.bytes.length, reply.headers['content-type']], [0, undefined], range)
    }
  })

  test('are sent in full for another unit or an invalid range (RFC 9110, 14.2)', async () => {
    for (const range of ['lines=1-2', 'bytes', 'bytes=b-a', 'bytes=5-2']) {
      const reply = await get({ range })
      // A range whose end is before its start is invalid, and may be rejected or ignored.
      if (range === 'bytes=5-2' && reply.status === 416) continue
      assert.deepEqual([range, reply.status, reply.bytes.length], [range, 200, bytes.length])
    }
  })

  test('are sent in full if If-Range names another version', async () => {
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': etag })).status, 206)
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
  })

  for (const wrong of [
    (id: string) => `/images/${id}.jpg`,
    (id: string) => `/images/${id}`,
    (id: string) => `/images/${id}.`,
    (id: string) => `/images/${id}.PNG`,
    (id: string) => `/images/${id}.png.png`,
    (id: string) => `/images/${id}.png//`,
    (id: string) => `/images/${id.toUpperCase()}.png`,
    (id: string) => `/images/..%2fimages%2f${id}.png`,
    (id: string) => `/images/${id.slice(0, -1)}.png`,
    () => '/images/',
    () => '/images/..%2f..%2f..%2f..%2fetc%2fpasswd',
    () => '/images/../../../../etc/passwd',
    () => '/images/%2e%2e/%2e%2e/package.json',
    () => '/images/img_%00.png',
    () => '/images/....//....//etc/passwd',
  ]) {
    test(`${wrong('img_…')} is not_found`, async () => {
      const id = /img_[0-9a-z]+/.exec(path)?.[0] ?? ''
      refused(await api.root('GET', wrong(id)), 'not_found')
    })
  }

  test('support no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await get({}, method)
      assert.deepEqual(refused(reply, 'method_not_allowed').allow, ['GET', 'HEAD'])
    }
    assert.deepEqual((await get()).bytes, bytes)
  })
})
