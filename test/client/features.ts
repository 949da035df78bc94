/** The parts of the client that are more than one request, with a real service. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import {
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  signUrl,
  Tintype,
  UnauthorizedError,
  WorkflowFailedError,
} from '../../client/src/index.ts'
import { area } from '../harness/area.ts'
import { type Client, ok } from '../harness/client.ts'
import { repository } from '../harness/process.ts'
import { newAccount } from '../harness/shared.ts'

const photo = join(repository, 'examples/pictures/astronaut.jpg')

const card = {
  name: 'Card',
  slug: 'client-card',
  parameters: [
    { name: 'headline', type: 'string' as const, default: 'Hello' },
    { name: 'width', type: 'number' as const, default: 40, maximum: 400 },
  ],
  nodes: {
    paper: { type: 'canvas', params: { width: '{{ width }}', height: 20 } },
    card: { type: 'text', inputs: { image: 'paper' }, params: { text: '{{ headline }}', size: 8 } },
  },
  output: { node: 'card', format: 'png' as const },
  delivery: { parameters: ['headline'] },
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

area('the client with a service', { concurrency: 4 }, () => {
  let api: Client
  let client: Tintype
  before(async () => {
    ;({ api } = await newAccount())
    client = new Tintype({ url: api.service.origin, key: String(api.key) })
    await client.workflows.create(card)
  })

  test('runs a workflow by its slug, and submits, follows and awaits one by its id', async () => {
    const { output } = await client.run('client-card', { width: 60 }, { channel: undefined })
    assert.deepEqual([output.width, output.height, output.format], [60, 20, 'png'])

    const { id } = await client.workflows.get('client-card')
    const { executionId } = await client.submit(id, { headline: 'Now' })
    const followed = await all(client.events(executionId, { after: 0 }))
    const last = followed.at(-1)
    assert.ok(last?.type === 'execution' && last.data.status === 'completed')
    assert.deepEqual(
      followed.map((each) => Number(each.id)),
      followed.map((_, i) => i + 1),
    )
    const types: string[] = []
    const execution = await client.wait(executionId, { onEvent: ({ type }) => types.push(type) })
    assert.deepEqual([execution.status, execution.parameters?.headline], ['completed', 'Now'])
    assert.deepEqual(types, ['snapshot'])
  })

  test('the same key executes once', async () => {
    const options = { idempotencyKey: 'client-once' }
    const first = await client.run('client-card', {}, options)
    assert.deepEqual(await client.run('client-card', {}, options), first)
    assert.notEqual((await client.run('client-card')).executionId, first.executionId)
  })

  test('a failed execution is an error, in a request and in the background', async () => {
    await client.workflows.create({
      name: 'Fails',
      slug: 'client-fails',
      nodes: { photo: { type: 'image', params: { source: 'https://tintype.invalid/x.png' } } },
      output: { node: 'photo', format: 'png' },
    })
    const isFailure = (error: unknown): true => {
      assert.ok(error instanceof WorkflowFailedError)
      assert.deepEqual([error.code, error.node], ['workflow_failed', 'photo'])
      assert.match(error.executionId ?? '', /^exec_/)
      return true
    }
    await assert.rejects(client.run('client-fails'), isFailure)
    const { executionId } = await client.submit('client-fails')
    await assert.rejects(client.wait(executionId), isFailure)
  })

  test('errors have classes', async () => {
    await assert.rejects(client.run('client-card', { headlin: 'x', width: 'wide' }), (error: InvalidRequestError) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.deepEqual(
        error.issues.map(({ path }) => path),
        ['parameters.headlin', 'parameters.width'],
      )
      return true
    })
    await assert.rejects(client.wait('exec_none'), NotFoundError)
    const { url } = { url: api.service.origin }
    await assert.rejects(new Tintype({ url, key: 'tt_live_wrong' }).workflows.list(), UnauthorizedError)
    const { key } = await client.keys.create({ name: 'Reader', permissions: ['workflows:read'] })
    await assert.rejects(new Tintype({ url, key }).run('client-card'), ForbiddenError)
  })

  test('uploads a path, a Blob, a File and bytes', async () => {
    const bytes = await readFile(photo)
    const names = []
    for (const file of [photo, await openAsBlob(photo), new File([bytes], 'me.jpg'), new Uint8Array(bytes)]) {
      const image = await client.upload(file)
      assert.deepEqual([image.size, image.format], [bytes.length, 'jpeg'])
      names.push(image.name)
    }
    assert.deepEqual(names, ['astronaut.jpg', 'image', 'me.jpg', 'image'])
    const image = await client.upload(photo, { name: 'other.jpg', expiresIn: 3600, private: true })
    assert.equal(image.name, 'other.jpg')
    assert.match(image.url, /sig=/)
    const { image: used } = { image: await client.images.get(image.id) }
    assert.ok(used.expiresAt)
    await assert.rejects(client.upload('none.jpg'), /"none.jpg" can't be read/)
    await assert.rejects(client.upload(new Blob(['no image'])), InvalidRequestError)
  })

  test('an upload reports increasing numbers of sent bytes, from none to all', async () => {
    const { size } = await openAsBlob(photo)
    const loaded: number[] = []
    await client.upload(photo, {
      onProgress: (progress) => {
        assert.equal(progress.total, size)
        loaded.push(progress.loaded)
      },
    })
    assert.deepEqual([loaded[0], loaded.at(-1)], [0, size])
    assert.deepEqual(
      loaded,
      loaded.toSorted((a, b) => a - b),
    )
  })

  test('a batch gives each row once, when it ends, and again later', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ key: `k${i}`, headline: `No. ${i}` }))
    const batch = await client.batch('client-card', rows, { name: 'Twelve', defaults: { width: 50 } })
    const items = await all(batch)
    const keys = rows.map(({ key }) => key).sort()
    assert.deepEqual(items.map(({ key }) => key).sort(), keys)
    assert.ok(items.every(({ status, output }) => status === 'completed' && output?.width === 50))
    assert.deepEqual((await all(client.batchResults(batch.id))).map(({ key }) => key).sort(), keys)
    const csv = await (await client.batches.resultsCsv(batch.id)).text()
    assert.equal(csv.trim().split('\n').length, 13)
    const paged = await all(client.batches.items(batch.id, { limit: 5 }))
    assert.deepEqual(
      paged.map(({ row }) => row),
      rows.map((_, i) => i + 1),
    )
  })

  test('a batch of a CSV or NDJSON file, and rows that are invalid', async () => {
    // An account whose batches no other test creates.
    const { api } = await newAccount()
    const client = new Tintype({ url: api.service.origin, key: String(api.key) })
    await client.workflows.create(card)
    const csv = await client.batch('client-card', { csv: 'key,headline\na,One\nb,Two\n' })
    assert.deepEqual((await all(csv)).map(({ key }) => key).sort(), ['a', 'b'])
    const ndjson = await client.batch('client-card', {
      ndjson: new Blob(['{"key":"c","width":"{}"}\n{"key":"d"}'.replace('"{}"', '9')]),
    })
    assert.deepEqual((await all(ndjson)).map(({ key }) => key).sort(), ['c', 'd'])
    await assert.rejects(client.batch('client-card', [{ width: 'wide' }]), (error: InvalidRequestError) => {
      assert.equal(error.issues[0]?.path, 'row 1, width')
      return true
    })
    assert.deepEqual(await all(client.batches.list({ status: 'created' })), [])
  })

  test('a batch with the idempotency key of an earlier call continues it, and is not deleted', async () => {
    const idempotencyKey = randomUUID()
    const rows = [{ key: 'a', headline: 'One' }]
    const first = await client.batch('client-card', rows, { idempotencyKey })
    const [made] = await all(first)
    const again = await client.batch('client-card', rows, { idempotencyKey })
    assert.equal(again.id, first.id)
    const [kept] = await all(again)
    assert.equal(kept?.executionId, made?.executionId)
  })

  test('a batch that an earlier call created without rows gets the rows', async () => {
    const { api } = await newAccount()
    const client = new Tintype({ url: api.service.origin, key: String(api.key) })
    await client.workflows.create(card)
    const idempotencyKey = randomUUID()
    await assert.rejects(client.batch('client-card', [{ width: 'wide' }], { idempotencyKey }), InvalidRequestError)
    const batch = await client.batch('client-card', [{ key: 'a' }], { idempotencyKey })
    assert.deepEqual(
      (await all(batch)).map(({ key }) => key),
      ['a'],
    )
  })

  test('lists are pages when awaited, and all items when iterated', async () => {
    // An account whose lists no other test changes.
    const { api } = await newAccount()
    const client = new Tintype({ url: api.service.origin, key: String(api.key) })
    await client.workflows.create(card)
    const names = ['One', 'Two', 'Three', 'Four', 'Five']
    for (const name of names) await client.projects.create({ name })
    const page = await client.projects.list({ limit: 2 })
    assert.deepEqual([page.projects.length, page.hasMore], [2, true])
    const listed = await all(client.projects.list({ limit: 2 }))
    assert.deepEqual(
      names.filter((name) => listed.some((each) => each.name === name)),
      names,
    )
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length)
    for (let i = 0; i < 5; i++) await client.submit('client-card')
    const executions = await all(client.executions.list({ limit: 2 }))
    assert.equal(new Set(executions.map(({ executionId }) => executionId)).size, executions.length)
    assert.ok(executions.length >= 5)
    assert.equal((await all(client.executions.list({ limit: 2 }).pages())).length, Math.ceil(executions.length / 2))
  })

  test('changes a record only if its ETag is the expected one', async () => {
    let etag: string | null = null
    const { id, ...rest } = await client.workflows.create({ ...card, slug: 'client-etag' })
    assert.ok(rest.name)
    await client.workflows.getDocument(id, {}, { onResponse: ({ headers }) => (etag = headers.get('etag')) })
    const ifMatch = etag ?? assert.fail('The response has an ETag.')
    const changed = { ...card, slug: 'client-etag', name: 'Changed' }
    await client.workflows.replace(id, changed, { ifMatch })
    await assert.rejects(
      client.workflows.replace(id, { ...changed, name: 'Again' }, { ifMatch }),
      PreconditionFailedError,
    )
  })

  test('signs delivery URLs that the service accepts, and only unchanged', async () => {
    const { id, secret } = await client.signingKeys.create({ name: 'Site' })
    const url = await signUrl({
      url: `${api.service.origin}/v1/`,
      file: 'client-card.png',
      parameters: { headline: "It's 100% “new”! (*)" },
      key: { id, secret },
    })
    const response = await fetch(url)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'])
    assert.equal((await fetch(url.replace('new', 'old'))).status, 403)
    const expired = await signUrl({
      url: api.service.origin,
      file: 'client-card.png',
      key: { id, secret },
      expires: 1_700_000_000,
    })
    assert.equal((await fetch(expired)).status, 403)
  })

  // Requests that no other area of this run sends.
  test('reads the state of the service and of the account', async () => {
    ok(await api.root('GET', '/v1/health/live'))
    ok(await api.root('GET', '/v1/health/ready'))
    ok(await api.get('/providers'))
    ok(await api.get('/usage'))
    ok(await api.call('DELETE', '/storage/images', { query: { source: 'upload', dryRun: 'true' } }))
    const { id } = await client.projects.create({ name: 'Short' })
    ok(await api.call('DELETE', `/projects/${id}`, { query: { contents: 'delete' } }))
    const { executionId } = await client.run('client-card', { headline: 'Preview' }, { previews: true })
    ok(await api.get(`/workflows/executions/${executionId}/steps/card/preview`))
  })
})
