/** GET /images/<id>/thumbnail: a small WebP of any image, for anyone with its id. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { pdfOfColors } from '../harness/pdfs.ts'
import { type Format, glass, noise, pixelAt, plain, sizeOf, svg, turned } from '../harness/pictures.ts'
import { firstAccount, newAccount, secondAccount } from '../harness/shared.ts'
import type { Execution } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

const pathOf = (id: string) => `/images/${id}/thumbnail`

area('the thumbnail of an image', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  async function thumbnailOf(bytes: Buffer, filename?: string) {
    const reply = await api.root('GET', pathOf((await upload(api, bytes, filename)).id))
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers['content-type'], 'image/webp')
    return reply.bytes
  }

  test('has at most 512 pixels a side, and a small part of the bytes', async () => {
    const photo = await noise('jpeg', 1_600, 1_200)
    assert.ok(photo.length > 1_000_000, `${photo.length} bytes`)
    const small = await thumbnailOf(photo)
    assert.deepEqual(await sizeOf(small), { format: 'webp', width: 512, height: 384, hasAlpha: false })
    assert.ok(small.length < photo.length / 10, `${small.length} of ${photo.length} bytes`)
    assert.deepEqual(await sizeOf(await thumbnailOf(await plain('png', 30, 2_000))), {
      format: 'webp',
      width: 8,
      height: 512,
      hasAlpha: false,
    })
  })

  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] satisfies Format[]) {
    test(`of a ${format} is a WebP of the same size if the image is small`, async () => {
      const small = await thumbnailOf(await plain(format, 40, 30, '#c04020'))
      const { width, height } = await sizeOf(small)
      assert.deepEqual([width, height], [40, 30])
      const [red = 0, green = 0, blue = 0] = await pixelAt(small, 20, 15)
      assert.ok(Math.abs(red - 0xc0) < 12 && Math.abs(green - 0x40) < 12 && Math.abs(blue - 0x20) < 12)
    })
  }

  test('keeps transparency and the orientation', async () => {
    const clear = await thumbnailOf(await glass(1_000, 500))
    assert.deepEqual(await sizeOf(clear), { format: 'webp', width: 512, height: 256, hasAlpha: true })
    const [, , , alpha = 0] = await pixelAt(clear, 100, 100)
    assert.ok(Math.abs(alpha - 128) < 4)
    const { width, height } = await sizeOf(await thumbnailOf(await turned(800, 400)))
    assert.deepEqual([width, height], [256, 512])
  })

  test('of an SVG is drawn: no page can open it as a document', async () => {
    const drawing = svg('<rect width="40" height="30" fill="#ff0000"/>')
    const image = await api.root('GET', pathOf((await upload(api, drawing, 'a.svg')).id))
    assert.equal(image.headers['content-type'], 'image/webp')
    assert.equal(image.headers['x-content-type-options'], 'nosniff')
    assert.doesNotMatch(image.bytes.toString('latin1'), /<svg/)
    assert.deepEqual((await sizeOf(image.bytes)).width, 512)
    const [red = 0, green = 255] = await pixelAt(image.bytes, 200, 200)
    assert.ok(red > 240 && green < 15)
  })

  test('of a PDF is its first page, drawn at the size of a thumbnail', async () => {
    const { bytes } = await api.root('GET', pathOf((await upload(api, pdfOfColors('1 0 0', '0 0 1'), 'a.pdf')).id))
    const { width, height } = await sizeOf(bytes)
    assert.deepEqual([width, height], [512, 256])
    const [red = 0, , blue = 255] = await pixelAt(bytes, 200, 200)
    assert.ok(red > 240 && blue < 15)
  })

  test('of an animation is its first frame', async () => {
    const frames = await Promise.all(['#0000ff', '#ff0000'].map((color) => plain('png', 60, 40, color)))
    const moving = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const still = await thumbnailOf(moving)
    assert.equal((await sharp(still).metadata()).pages ?? 1, 1)
    const [red = 255, , blue = 0] = await pixelAt(still, 30, 20)
    assert.ok(blue > 200 && red < 60)
  })

  test('of an output of an execution', async () => {
    const { id } = await save(api, canvas({ width: 900, height: 600 }))
    const { output } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    const [imageId = ''] = new URL(output?.url ?? '').pathname.split('/').at(-1)?.split('.') ?? []
    const { width, height } = await sizeOf((await api.root('GET', pathOf(imageId))).bytes)
    assert.deepEqual([width, height], [512, 341])
  })

  test('needs no key, like the image, and counts towards no rate limit', async () => {
    const { api: starter } = await newAccount({ plan: 'starter' })
    const { id } = await upload(starter, await plain('png'))
    const remaining = async () => Number((await starter.get('/projects')).headers['x-ratelimit-remaining'])
    const [first, last] = [await remaining(), await remaining()]
    for (let i = 0; i < 70; i += 1) ok(await starter.root('GET', pathOf(id)))
    const now = await remaining()
    // Or a new minute started.
    assert.ok(now === last - 1 || now > first, `${first}, ${last}, ${now}`)
    const { headers } = await starter.root('GET', pathOf(id), { headers: { authorization: 'Bearer tt_live_wrong' } })
    assert.equal(headers['x-ratelimit-remaining'], undefined)
  })

  test('can be cached, and is not sent again: 304 with a matching If-None-Match', async () => {
    const { id } = await upload(api, await plain('png'))
    const get = (headers: Record<string, string> = {}, method = 'GET') => api.root(method, pathOf(id), { headers })
    const { headers, bytes } = await get()
    assert.match(headers.etag ?? '', /^W\/"[^"]+"$/)
    assert.match(headers['cache-control'] ?? '', /max-age=\d+/)
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(headers['content-security-policy'], "default-src 'none'")
    const etag = headers.etag ?? ''
    for (const value of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const reply = await get({ 'if-none-match': value })
      assert.deepEqual([reply.status, reply.bytes.length, reply.headers.etag], [304, 0, etag], value)
      assert.equal(reply.headers['content-type'], undefined)
    }
    assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
    assert.equal((await get({ 'if-modified-since': headers['last-modified'] ?? '' })).status, 304)
    // A weak ETag doesn't match, because the bytes can differ.
    refused(await get({ 'if-match': etag }), 'precondition_failed')
    const head = await get({}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, `${bytes.length}`])
  })

  test('is gone when the image is deleted, also with a validator', async () => {
    const { id } = await upload(api, await plain('png'))
    const { headers } = await api.root('GET', pathOf(id))
    refused(await (await secondAccount()).api.delete(`/storage/images/${id}`), 'not_found')
    assert.equal((await api.root('GET', pathOf(id))).status, 200)
    ok(await api.delete(`/storage/images/${id}`))
    refused(await api.root('GET', pathOf(id)), 'not_found')
    refused(await api.root('GET', pathOf(id), { headers: { 'if-none-match': headers.etag ?? '' } }), 'not_found')
  })

  for (const wrong of [
    (id: string) => pathOf(`${id}.png`),
    (id: string) => pathOf(id.toUpperCase()),
    (id: string) => pathOf(id.slice(0, -1)),
    (id: string) => pathOf(`..%2f${id}`),
    () => pathOf('img_%00'),
    () => pathOf('prev_1'),
    () => pathOf('x'.repeat(4_000)),
    (id: string) => `${pathOf(id)}.webp`,
  ]) {
    test(`${wrong('img_…').slice(0, 60)} is not_found`, async () => {
      const { id } = await upload(api, await plain('png'))
      refused(await api.root('GET', wrong(id)), 'not_found')
    })
  }

  test('supports no other method', async () => {
    const { id } = await upload(api, await plain('png'))
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      assert.deepEqual(refused(await api.root(method, pathOf(id)), 'method_not_allowed').allow, ['GET', 'HEAD'])
    }
  })
})
