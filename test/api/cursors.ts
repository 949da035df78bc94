/** Pages by cursor: each list of the OpenAPI document, found by its response, so that a new list has to have them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { issuePaths, ok, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { type ListRoute, listRoutes, makers, type Owner } from '../harness/list-routes.ts'
import { firstAccount, newAccount } from '../harness/shared.ts'
import { save } from '../harness/workflows.ts'
import { routes } from './routes.ts'

/** GET routes whose response has all records, so that they have no pages. The reason is the value. */
const complete: Record<string, string> = {
  '/operations': 'the operations of the service',
  '/providers': 'the providers of the service',
  '/openai/v1/models': 'the first that are found: this API has no pages',
  '/usage': 'the days of a month',
  '/workflows/{workflowId}': 'the parameters of a workflow',
  '/workflows/{workflowId}/channels': 'at most 20',
  '/workflows/{workflowId}/document': 'a document',
  '/workflows/executions/{executionId}/document': 'a document',
  '/workflows/executions/{executionId}/steps': 'the steps of an execution',
  '/storage/images/{imageId}/uses': 'the first that are found',
  '/run-link': 'the parameters of a workflow',
  '/run-link/executions/{executionId}': 'the outputs of an execution',
  '/batches/{batchId}/results': 'the parts of a download',
  '/batches/{batchId}/items/{key}': 'the outputs of a row',
  '/webhook-deliveries/{deliveryId}': 'the attempts of a delivery',
}

type Page = { hasMore: boolean; cursor: string | null; total?: number } & Record<string, unknown>

area('pages by cursor', { concurrency: 4 }, () => {
  let owner: Owner
  let lists: ListRoute[]
  before(async () => {
    lists = await listRoutes()
    const { api } = await newAccount()
    const { id: workflowId } = await save(api, canvas())
    const { id: batchId } = ok(await api.post<{ id: string }>('/batches', { workflowId }), 201)
    // Nothing responds there.
    const hook = { url: 'http://localhost:9/hook', eventTypes: ['execution.failed'] }
    const { id: endpointId } = ok(await api.post<{ id: string }>('/webhook-endpoints', hook), 201)
    owner = { api, workflowId, batchId, endpointId }
    for (const make of Object.values(makers)) for (let number = 1; number <= 5; number++) await make(owner, number)
  })
  const addressOf = (path: string) =>
    path.replace('{workflowId}', owner.workflowId).replace('{batchId}', owner.batchId).replace('{name}', 'live')
  const query = ({ parameters }: ListRoute) => parameters.filter((each) => each.in === 'query')
  const read = async (path: string, options: Record<string, string | number>, api = owner.api) => {
    const page = ok(await api.get<Page>(addressOf(path), options))
    const [items = []] = Object.values(page).filter((value) => Array.isArray(value)) as Record<string, unknown>[][]
    assert.equal(page.hasMore, page.cursor !== null)
    return {
      ...page,
      ids: items.map((item) =>
        String(item.id ?? item.executionId ?? item.workflowId ?? item.key ?? JSON.stringify(item)),
      ),
    }
  }
  const routeOf = (path: string) => lists.find((each) => each.path === path) ?? assert.fail(path)

  test('are a feature of every route that returns records, with a limit and an offset', () => {
    assert.deepEqual(lists.map(({ path }) => path).sort(), [...Object.keys(makers), ...Object.keys(complete)].sort())
    const patterns = lists.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
    const tested = routes.filter(({ method, path }) => method === 'GET' && patterns.some((each) => each.test(path)))
    assert.ok(tested.length >= Object.keys(makers).length)
    for (const route of lists) {
      const isList = route.path in makers
      const names = query(route).map(({ name }) => name)
      for (const name of ['limit', 'offset', 'cursor'])
        assert.equal(names.includes(name), isList, `${route.path} ${name}`)
      for (const name of ['hasMore', 'cursor'])
        assert.ok(!isList || name in route.properties, `${route.path} returns ${name}`)
    }
  })

  for (const path of Object.keys(makers)) {
    test(`GET ${path} returns each item once, in the order of the list, also after a deleted one`, async () => {
      const all = await read(path, { limit: 100 })
      assert.ok(all.ids.length >= 5 && all.cursor === null)
      for (const limit of [1, 2, 5, all.ids.length]) {
        const found: string[] = []
        let cursor: string | null | undefined
        for (let pages = 1; cursor !== null; pages++) {
          const page = await read(path, { limit, ...(cursor === undefined ? {} : { cursor }) })
          assert.equal(page.total, all.total)
          assert.ok(pages <= Math.ceil(all.ids.length / limit))
          found.push(...page.ids)
          cursor = page.cursor
        }
        assert.deepEqual(found, all.ids)
      }
      const { cursor } = await read(path, { limit: 2 })
      assert.deepEqual((await read(path, { cursor: cursor ?? '', offset: 1, limit: 1 })).ids, all.ids.slice(3, 4))
    })

    test(`GET ${path} rejects a cursor that is cut, changed, of another list, filter, order or account`, async () => {
      const cursor = (await read(path, { limit: 1 })).cursor ?? assert.fail()
      const decoded = Buffer.from(cursor, 'base64url').toString()
      const [hash, ...rest] = decoded.split(' ')
      const encode = (text: string) => Buffer.from(text).toString('base64url')
      const other = Object.keys(makers).find((each) => each !== path) ?? assert.fail()
      const wrong = [
        ...['', 'x', '%', cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, `${cursor}=`, cursor.toUpperCase()],
        ...[encode(`${hash} 7${rest.join(' ')}`), encode(`${decoded} `), encode("1 '; drop"), encode('x 1 \u0000')],
        (await read(other, { limit: 1 })).cursor ?? assert.fail(),
      ]
      for (const each of wrong)
        assert.deepEqual(issuePaths(await owner.api.get(addressOf(path), { cursor: each })), ['cursor'])
      assert.deepEqual(issuePaths(await owner.api.get(addressOf(path), { cursor: 'x'.repeat(201) })), ['cursor'])

      const filters = query(routeOf(path)).filter(
        ({ name }) => !['limit', 'offset', 'cursor', 'include'].includes(name),
      )
      for (const { name, schema } of filters) {
        const value = schema.enum?.at(-1) ?? (name.startsWith('created') ? '2026-01-01' : 'x')
        const reply = await owner.api.get(addressOf(path), { cursor, [name]: value })
        assert.deepEqual(issuePaths(reply), ['cursor'], name)
        const [issue] = refused(reply, 'invalid_request').issues ?? []
        assert.match(issue?.message ?? '', /same filters and the same order/)
      }
    })
  }

  test('a default that is sent and fields that are included belong to the same list', async () => {
    for (const [path, name, value] of [
      ['/storage/images', 'sort', 'newest'],
      ['/workflows/drafts', 'include', 'lastOutput'],
      ['/workflows', 'include', 'version'],
    ] as const) {
      const { cursor } = await read(path, { limit: 1 })
      const rest = await read(path, { cursor: cursor ?? '', limit: 2 })
      assert.deepEqual((await read(path, { cursor: cursor ?? '', limit: 2, [name]: value })).ids, rest.ids)
    }
  })

  test('a cursor continues after an image that was deleted, in each order', async () => {
    const { api } = await newAccount()
    for (let count = 0; count < 5; count++) await makers['/storage/images']?.({ ...owner, api }, count)
    for (const sort of ['newest', 'oldest', 'largest', 'smallest', 'name']) {
      const all = await read('/storage/images', { sort }, api)
      const first = await read('/storage/images', { sort, limit: 2 }, api)
      ok(await api.delete(`/storage/images/${first.ids[1]}`))
      const rest = await read('/storage/images', { sort, cursor: first.cursor ?? '' }, api)
      assert.deepEqual(rest.ids, all.ids.slice(2))
      await makers['/storage/images']?.({ ...owner, api }, 1)
    }
    const { cursor } = await read('/storage/images', { limit: 1 }, api)
    assert.deepEqual(issuePaths(await (await firstAccount()).get('/storage/images', { cursor: cursor ?? '' })), [
      'cursor',
    ])
  })
})
