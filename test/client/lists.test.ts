/** Lists of the client: pages by cursor or by offset, items once each. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Tintype } from '../../client/src/index.ts'
import { failure, json, startWire, type Wire } from './wire.ts'

const wires: Wire[] = []
after(() => Promise.all(wires.map((each) => each.close())))

async function clientOf(reply: (query: URLSearchParams, number: number) => string) {
  const wire = await startWire(({ path }, number) => reply(new URLSearchParams(path.split('?')[1]), number))
  wires.push(wire)
  return { wire, client: new Tintype({ url: wire.url }) }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const ids = Array.from({ length: 7 }, (_, i) => ({ id: `img_${i}` }))

test('follows the cursor of each page until it is null', async () => {
  const { wire, client } = await clientOf((query) => {
    const at = Number(query.get('cursor') ?? 0)
    const next = at + Number(query.get('limit'))
    return json(200, {
      images: ids.slice(at, next),
      total: 7,
      hasMore: next < 7,
      cursor: next < 7 ? String(next) : null,
    })
  })
  assert.deepEqual(await all(client.images.list({ limit: 3, search: 'x' })), ids)
  const queries = wire.requests.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])))
  assert.deepEqual(queries, [
    { limit: '3', search: 'x' },
    { limit: '3', search: 'x', cursor: '3' },
    { limit: '3', search: 'x', cursor: '6' },
  ])
})

test('follows the offset if pages have no cursor, and gives an item once if the list grows meanwhile', async () => {
  const items = [...ids]
  const { client } = await clientOf((query, number) => {
    if (number === 1) items.unshift({ id: 'img_new' })
    const at = Number(query.get('offset'))
    const page = items.slice(at, at + Number(query.get('limit')))
    return json(200, { images: page, total: items.length, hasMore: at + page.length < items.length })
  })
  assert.deepEqual(await all(client.images.list({ limit: 3 })), ids)
})

test('starts at the offset or cursor of the caller', async () => {
  const { wire, client } = await clientOf(() => json(200, { executions: [], hasMore: false, cursor: null }))
  await all(client.executions.list({ offset: 5 }))
  await all(client.executions.list({ cursor: 'abc' }))
  assert.deepEqual(
    wire.requests.map(({ path }) => path),
    ['/v1/workflows/executions?limit=100&offset=5', '/v1/workflows/executions?limit=100&cursor=abc'],
  )
})

test('ends although a page without items says that more follow', async () => {
  const { wire, client } = await clientOf(() => json(200, { images: [], total: 9, hasMore: true }))
  assert.deepEqual(await all(client.images.list()), [])
  assert.equal(wire.requests.length, 1)
})

test('sends nothing before it is used, one request when it is awaited, and throws the errors of later pages', async () => {
  const { wire, client } = await clientOf((_, number) =>
    number < 2 ? json(200, { images: ids.slice(0, 1), total: 2, hasMore: true }) : failure(403, 'forbidden'),
  )
  const list = client.images.list({ limit: 1 })
  assert.equal(wire.requests.length, 0)
  const [first, second] = await Promise.all([list, list])
  assert.equal(first, second)
  assert.equal(wire.requests.length, 1)
  const found: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const item of list) found.push(item)
    },
    { code: 'forbidden' },
  )
  assert.deepEqual(found, [{ id: 'img_0' }])
})

test('a text that fetch would resolve to another path is rejected before a request', async () => {
  const { wire, client } = await clientOf(() => json(200, {}))
  for (const id of ['', '.', '..', undefined, 3])
    await assert.rejects(async () => client.images.get(id as string), TypeError)
  assert.equal(wire.requests.length, 0)
  await client.images.get('a/b?c#d')
  assert.equal(wire.requests[0]?.path, '/v1/storage/images/a%2Fb%3Fc%23d')
})

test('rejects options that can not be right', () => {
  for (const url of ['', 'images.example.com', 'ftp://images.example.com', '/v1'])
    assert.throws(() => new Tintype({ url }), /"url" must be the address of a service/)
  for (const wrong of [{ maxRetries: -1 }, { maxRetries: Number.NaN }, { timeout: -1 }])
    assert.throws(() => new Tintype({ url: 'http://127.0.0.1', ...wrong }), TypeError)
})
