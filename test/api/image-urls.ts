/** GET /i/<image id>.<ext>: other sizes of images, the `thumbnailUrl` of responses, and private images. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { glass, noise, plain, sizeOf, svg } from '../harness/pictures.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import { deliver, deliveryUrl, type NewSigningKey, newSigningKey, signedPath } from '../harness/signed-urls.ts'
import type { Execution, Executions, Image, Images, Output, Project } from '../harness/types.ts'
import { idInUrl, run, save, upload } from '../harness/workflows.ts'

type ImageWithAccess = Image & { thumbnailUrl?: string; private?: true }
type ProjectWithAccess = Project & { private?: true }

/** Path and query. */
const pathOf = (url = '') => url.slice(new URL(url).origin.length)

area('URLs of images', { concurrency: 4 }, () => {
  let api: Client
  let key: NewSigningKey
  let photo: string
  before(async () => {
    api = (await newAccount()).api
    key = await newSigningKey(api)
    photo = (await upload(api, await noise('jpeg', 400, 300))).id
  })
  const get = (file: string, parameters: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    deliver(api, deliveryUrl(key, file, parameters), headers)
  async function sized(parameters: Record<string, string>, extension = 'webp', id = photo) {
    const reply = await get(`${id}.${extension}`, parameters)
    ok(reply)
    const { format, width, height } = await sizeOf(reply.bytes)
    return [format, width, height]
  }

  test('w, h, fit and dpr choose the size', async () => {
    assert.deepEqual(await sized({ w: '200' }), ['webp', 200, 150])
    assert.deepEqual(await sized({ h: '150' }), ['webp', 200, 150])
    assert.deepEqual(await sized({ w: '100', h: '100' }), ['webp', 100, 75])
    assert.deepEqual(await sized({ w: '100', h: '100', fit: 'cover' }), ['webp', 100, 100])
    assert.deepEqual(await sized({ w: '100', h: '100', fit: 'contain' }), ['webp', 100, 100])
    assert.deepEqual(await sized({ w: '100', h: '100', fit: 'fill' }), ['webp', 100, 100])
    assert.deepEqual(await sized({ w: '100', h: '100', fit: 'outside' }), ['webp', 133, 100])
    assert.deepEqual(await sized({ w: '100', dpr: '1.5' }), ['webp', 150, 113])
    assert.deepEqual(await sized({}), ['webp', 400, 300])
    // Never enlarged.
    assert.deepEqual(await sized({ w: '4000' }), ['webp', 400, 300])
  })

  test('q chooses the quality, and the extension the format', async () => {
    const [low, high] = await Promise.all(['10', '90'].map((q) => get(`${photo}.webp`, { w: '200', q })))
    assert.ok(low && high && low.bytes.length < high.bytes.length / 2)
    for (const [extension, format] of [
      ['png', 'png'],
      ['jpg', 'jpeg'],
      ['avif', 'avif'],
    ] as const)
      assert.deepEqual(await sized({ w: '40' }, extension), [format, 40, 30])
    for (const [accept, type] of [
      ['image/avif', 'image/avif'],
      ['image/webp', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ] as const) {
      const reply = await get(`${photo}.auto`, { w: '40' }, { accept })
      assert.deepEqual([reply.headers['content-type'], reply.headers.vary], [type, 'Accept'])
    }
    const { id: clear } = await upload(api, await glass(40, 40))
    assert.deepEqual((await get(`${clear}.auto`)).headers['content-type'], 'image/png')
  })

  test('a drawing is drawn at the size, and can be larger than its own', async () => {
    const { id } = await upload(api, svg('<rect width="40" height="30" fill="#f00"/>'), 'a.svg')
    const { width } = await sizeOf((await get(`${id}.png`, { w: '300' })).bytes)
    assert.equal(width, 300)
  })

  test('can be cached for a year, are not listed, and start no execution', async () => {
    const { api: account } = await newAccount()
    const { id } = await upload(account, await plain('png'))
    const exp = Math.floor(Date.now() / 1_000) + 40_000_000
    const url = deliveryUrl(await newSigningKey(account), `${id}.webp`, { w: '10' }, { exp })
    const first = await deliver(account, url)
    assert.equal(first.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(first.headers['cache-tag'], id)
    assert.deepEqual((await deliver(account, url)).bytes, first.bytes)
    assert.equal((await deliver(account, url, { 'if-none-match': first.headers.etag ?? '' })).status, 304)
    assert.equal(ok(await account.get<Images>('/storage/images')).total, 1)
    assert.equal(ok(await account.get<Executions>('/workflows/executions')).executions.length, 0)
  })

  test('wrong values are reported', async () => {
    for (const [parameters, path] of [
      [{ w: '0' }, 'w'],
      [{ w: '-1' }, 'w'],
      [{ w: '1.5' }, 'w'],
      [{ h: '4097' }, 'h'],
      [{ h: '99999999999' }, 'h'],
      [{ dpr: '0.5' }, 'dpr'],
      [{ dpr: '5' }, 'dpr'],
      [{ w: '4000', dpr: '2' }, 'dpr'],
      [{ q: '0' }, 'q'],
      [{ q: '101' }, 'q'],
      [{ fit: 'crop' }, 'fit'],
    ] as const)
      assert.deepEqual(issuePaths(await get(`${photo}.webp`, parameters)), [path], JSON.stringify(parameters))
  })

  test('another parameter or format, a key without images, and an image of another account are denied', async () => {
    refused(await get(`${photo}.webp`, { width: '10' }), 'forbidden')
    refused(await get(`${photo}.gif`), 'forbidden')
    refused(await get(`${photo}@1.webp`), 'forbidden')
    refused(await get('img_00000000000000000000000000.webp'), 'forbidden')
    const other = (await upload((await secondAccount()).api, await plain('png'))).id
    refused(await get(`${other}.webp`), 'forbidden')
    const { id: workflowId } = await save(api, canvas())
    const bound = await newSigningKey(api, { workflows: [workflowId] })
    assert.equal(bound.images, false)
    refused(await deliver(api, deliveryUrl(bound, `${photo}.webp`)), 'forbidden')
    const url = deliveryUrl(key, `${photo}.webp`, { w: '77' })
    refused(await deliver(api, url.replace('w=77', 'w=78')), 'forbidden')
  })

  test('a deleted image is denied, also if the size was made before', async () => {
    const { id } = await upload(api, await plain('png'))
    const url = deliveryUrl(key, `${id}.webp`, { w: '10' })
    ok(await deliver(api, url))
    ok(await api.delete(`/storage/images/${id}`))
    refused(await deliver(api, url), 'forbidden')
  })

  test('concurrent requests get the same file', async () => {
    const url = deliveryUrl(key, `${photo}.webp`, { w: '123' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(api, url)))
    assert.deepEqual(
      replies.map(({ status, bytes }) => [status, replies[0]?.bytes.equals(bytes)]),
      replies.map(() => [200, true]),
    )
  })

  test('responses have a thumbnailUrl that works without a key, and can not be changed', async () => {
    const { id, thumbnailUrl } = ok(await api.get<ImageWithAccess>(`/storage/images/${photo}`))
    const reply = await api.root('GET', pathOf(thumbnailUrl))
    ok(reply)
    assert.deepEqual(await sizeOf(reply.bytes), { format: 'webp', width: 400, height: 300, hasAlpha: false })
    const { images } = ok(await api.get<{ images: ImageWithAccess[] }>('/storage/images', { limit: 100 }))
    assert.equal(images.find((each) => each.id === id)?.thumbnailUrl, thumbnailUrl)
    refused(await api.root('GET', pathOf(thumbnailUrl).replace('w=512', 'w=511')), 'forbidden')
    // The secret of the account signs no URLs of workflows.
    const account = new URL(thumbnailUrl ?? '').searchParams.get('kid') ?? ''
    assert.match(account, /^acct_/)
    refused(await deliver(api, signedPath({ id: account, secret: '' }, `/i/${photo}.webp`)), 'forbidden')
  })

  async function unsigned(url: string): Promise<Reply<unknown>> {
    return api.root('GET', new URL(url).pathname)
  }

  test('a script of another page can read every response for an image, also an error', async () => {
    const { id, url } = ok(await api.upload([field('private', 'true'), file(await plain('png', 31, 31))]), 201)
    const { pathname } = new URL(url)
    const replies = [
      await api.root('GET', signedPath(key, pathname)),
      await api.root('GET', signedPath(key, pathname), { headers: { range: 'bytes=9999999-' } }),
      await api.root('GET', pathname),
      await api.root('GET', pathname.replace(id, 'img_00000000000000000000000000')),
      await api.root('GET', `/images/${id}/thumbnail`),
    ]
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 416, 403, 404, 403],
    )
    for (const { status, headers } of replies) assert.equal(headers['access-control-allow-origin'], '*', `${status}`)
    // No cache may keep an error: the image may get public, or a signature.
    for (const { status, headers } of replies.filter((reply) => [403, 404].includes(reply.status)))
      assert.equal(headers['cache-control'], 'no-store', `${status}`)
  })

  test('a private image needs the signature that responses have, for its file and its thumbnail', async () => {
    const bytes = await plain('png', 30, 30)
    const { id, url } = ok(await api.upload([field('private', 'true'), file(bytes)]), 201) as ImageWithAccess
    refused(await unsigned(url), 'forbidden')
    refused(await api.root('GET', `/images/${id}/thumbnail`), 'forbidden')
    const reply = await api.root('GET', pathOf(url))
    assert.deepEqual(reply.bytes, bytes)
    assert.match(reply.headers['cache-control'] ?? '', /^private, max-age=\d+$/)
    refused(
      await api.root(
        'GET',
        pathOf(url).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ),
      'forbidden',
    )
    const found = ok(await api.get<ImageWithAccess>(`/storage/images/${id}`))
    assert.equal(found.private, true)
    const thumbnail = await api.root('GET', pathOf(found.thumbnailUrl))
    assert.match(thumbnail.headers['cache-control'] ?? '', /^private,/)
    ok(await api.root('GET', signedPath(key, `/images/${id}.png`)))
    ok(await api.root('GET', signedPath(key, `/images/${id}/thumbnail`)))
    const foreign = await newSigningKey((await secondAccount()).api)
    refused(await api.root('GET', signedPath(foreign, `/images/${id}.png`)), 'forbidden')
    refused(await api.root('GET', signedPath(key, `/images/${id}.png`, {}, { exp: 1_000 })), 'forbidden')
    refused(await api.root('GET', signedPath(key, `/images/${photo}.png`).replace(photo, id)), 'forbidden')
  })

  test('an image becomes private and public again, immediately', async () => {
    const { id, url } = await upload(api, await plain('png'))
    ok(await unsigned(url))
    const changed = ok(await api.put<ImageWithAccess>(`/storage/images/${id}`, { private: true }))
    assert.equal(changed.private, true)
    refused(await unsigned(url), 'forbidden')
    ok(await api.root('GET', pathOf(changed.url)))
    const back = ok(await api.put<ImageWithAccess>(`/storage/images/${id}`, { private: false }))
    assert.deepEqual([back.private, back.url], [undefined, url])
    ok(await unsigned(url))
    refused(await (await secondAccount()).api.put(`/storage/images/${id}`, { private: true }), 'not_found')
    assert.deepEqual(issuePaths(await api.put(`/storage/images/${id}`, {})), [''])
  })

  test('an output in a private project needs a signature, and responses have it', async () => {
    const project = ok(await api.post<ProjectWithAccess>('/projects', { name: 'Secret', private: true }), 201)
    assert.equal(project.private, true)
    const { id: workflowId } = await save(api, canvas(), project.id)
    const started = ok(await api.post<Execution>('/workflows/execute', { workflowId }))
    const { url } = started.output as Output
    refused(await unsigned(url), 'forbidden')
    ok(await api.root('GET', pathOf(url)))
    const found = ok(await api.get<Execution>(`/workflows/executions/${started.executionId}`))
    ok(await api.root('GET', pathOf(found.output?.url)))
    const image = ok(await api.get<ImageWithAccess>(`/storage/images/${idInUrl(url)}`))
    assert.equal(image.private, true)
    const opened = ok(await api.put<ProjectWithAccess>(`/projects/${project.id}`, { private: false, name: 'Open' }))
    assert.deepEqual([opened.private, opened.name], [undefined, 'Open'])
    ok(await unsigned(url))
    refused(await (await secondAccount()).api.put(`/projects/${project.id}`, { name: 'x' }), 'not_found')
    assert.deepEqual(issuePaths(await api.put(`/projects/${project.id}`, { name: 5 })), ['name'])
  })

  test('an output of a workflow in a private project is not kept by shared caches', async () => {
    const project = ok(await api.post<ProjectWithAccess>('/projects', { name: 'Secret cards', private: true }), 201)
    const { id } = await save(api, { ...canvas(), delivery: {} } as Document, project.id)
    const url = deliveryUrl(await newSigningKey(api), `${id}@1.png`)
    const { headers } = await deliver(api, url)
    assert.match(headers['cache-control'] ?? '', /^private, max-age=\d+$/)
    assert.equal(headers['cdn-cache-control'], undefined)
    ok(await api.put(`/projects/${project.id}`, { private: false }))
    assert.match((await deliver(api, url)).headers['cache-control'] ?? '', /^public, .*immutable$/)
  })

  test('a private image is an input of its own account only', async () => {
    const { id, url } = ok(await api.upload([field('private', 'true'), file(await plain('png', 50, 40))]), 201)
    const { id: scaleId } = await save(api, scale())
    const plainUrl = url.slice(0, url.indexOf('?'))
    for (const source of [id, plainUrl]) assert.equal((await run(api, scaleId, { source, width: 10 })).width, 10)
    const other = (await secondAccount()).api
    const { id: foreign } = await save(other, scale())
    const reply = await other.post('/workflows/execute', { workflowId: foreign, parameters: { source: plainUrl } })
    assert.ok(reply.status >= 400, reply.text)
  })
})
