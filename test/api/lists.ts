/** Common features of all lists: limit, offset, total, hasMore, order, and the project filter of two of them. Cursors: cursors.ts. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import type { Execution, Image, Listed, Project, Projects, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

interface List {
  path: string
  name: string
  id: string
  /** Executions are not counted. */
  isUncounted?: true
  /** Creates one more and returns its id. */
  make(api: Client, projectId?: string): Promise<string>
}

/** Lists in the order of their tests: executions need a workflow, and create images. */
const lists: List[] = [
  {
    path: '/storage/images',
    name: 'images',
    id: 'id',
    make: async (api, projectId) => {
      const parts = projectId === undefined ? [] : [field('projectId', projectId)]
      return ok<Image>(await api.upload([...parts, file(await plain('png'))]), 201).id
    },
  },
  {
    path: '/projects',
    name: 'projects',
    id: 'id',
    make: async (api) => ok(await api.post<Project>('/projects', { name: 'A project' }), 201).id,
  },
  {
    path: '/workflows',
    name: 'workflows',
    id: 'id',
    make: async (api, projectId) => (await save(api, canvas(), projectId)).id,
  },
  {
    path: '/workflows/executions',
    name: 'executions',
    id: 'executionId',
    isUncounted: true,
    make: async (api) => {
      const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 1 }))
      return ok(await api.post<Execution>('/workflows/execute', { workflowId: workflows[0]?.id })).executionId
    },
  },
]

type Row = Record<string, string>
type Page = Listed & Record<string, Row[]>

area('the lists of a new account', {}, () => {
  let tenant: Tenant
  before(async () => {
    tenant = await newAccount()
  })

  test('are empty except for the project Default, the project of workflows that name none', async () => {
    const { api } = tenant
    for (const name of ['workflows', 'executions', 'images']) {
      const path = lists.find((each) => each.name === name)?.path ?? ''
      const total = name === 'executions' ? {} : { total: 0 }
      assert.deepEqual(ok(await api.get(path)), { [name]: [], ...total, hasMore: false, cursor: null })
    }
    const { projects, total } = ok(await api.get<Projects>('/projects'))
    assert.deepEqual([total, projects.map((each) => each.name)], [1, ['Default']])
    const { id, projectId } = await save(api, canvas())
    assert.equal(projectId, projects[0]?.id)
    ok(await api.delete(`/workflows/${id}`))
  })

  for (const list of lists) describe(`at ${list.path}, with items,`, () => pages(list, () => tenant.api))
})

function pages(list: List, account: () => Client): void {
  let api: Client
  let created: string[]
  const total = list.isUncounted ? undefined : 23
  const page = async (
    query: Record<string, string | number> = {},
  ): Promise<{ ids: string[]; rows: Row[]; total: number | undefined; hasMore: boolean }> => {
    const body = ok(await api.get<Page>(list.path, query))
    const fields = [list.name, ...(list.isUncounted ? [] : ['total']), 'hasMore', 'cursor']
    assert.deepEqual(Object.keys(body).sort(), fields.sort())
    const rows = (body[list.name] ?? []) as Row[]
    return {
      ids: rows.map((row) => row[list.id] ?? ''),
      rows,
      total: body.total,
      hasMore: body.hasMore,
    }
  }
  before(async () => {
    api = account()
    created = (await page()).ids
    while (created.length < 23) created.push(await list.make(api))
  })

  test('returns the 20 newest without a limit, and reports that there are more', async () => {
    const { ids, hasMore, ...rest } = await page()
    assert.deepEqual(ids, [...created].reverse().slice(0, 20))
    assert.deepEqual([rest.total, hasMore], [total, true])
  })

  test('is ordered by createdAt, newest first', async () => {
    const times = (await page({ limit: 100 })).rows.map((row) => row.createdAt ?? row.startedAt ?? '')
    assert.deepEqual(times, [...times].sort().reverse())
  })

  test('returns every item exactly once, page by page', async () => {
    const pages = await Promise.all([0, 7, 14, 21].map((offset) => page({ limit: 7, offset })))
    assert.deepEqual(
      pages.map((each) => each.ids.length),
      [7, 7, 7, 2],
    )
    assert.deepEqual(
      pages.map((each) => each.hasMore),
      [true, true, true, false],
    )
    assert.deepEqual(
      pages.map((each) => each.total),
      [total, total, total, total],
    )
    assert.equal(new Set(pages.flatMap((each) => each.ids)).size, 23)
  })

  test('accepts a limit from 1 to 100', async () => {
    assert.deepEqual((await page({ limit: 1 })).ids, [created.at(-1)])
    assert.equal((await page({ limit: 100 })).ids.length, 23)
  })

  test('reports that there are no more if the page ends with the last item', async () => {
    const { ids, hasMore } = await page({ limit: 3, offset: 20 })
    assert.deepEqual([ids.length, hasMore], [3, false])
  })

  test('is empty after the end, with the same total', async () => {
    assert.deepEqual(await page({ offset: 1000 }), { ids: [], rows: [], total, hasMore: false })
  })

  for (const limit of ['0', '101', '1.5', 'abc', '-1', '', 'NaN', 'Infinity', '0x10', '1000000000000000000000']) {
    test(`rejects limit=${limit} with its path`, async () => {
      assert.deepEqual(issuePaths(await api.get(list.path, { limit })), ['limit'])
    })
  }

  for (const offset of ['-1', '1.5', 'abc', '', 'NaN', '1e400']) {
    test(`rejects offset=${offset} with its path`, async () => {
      assert.deepEqual(issuePaths(await api.get(list.path, { offset })), ['offset'])
    })
  }

  test('rejects a limit that is passed twice', async () => {
    refused(await api.call('GET', `${list.path}?limit=1&limit=2`), 'invalid_request')
  })

  test('rejects unknown query parameters, and reports all of them together', async () => {
    assert.deepEqual(issuePaths(await api.get(list.path, { Limit: 5, limit: 0, offset: -1, page: 2 })), [
      'Limit',
      'limit',
      'offset',
      'page',
    ])
    const { issues } = refused(await api.get(list.path, { limits: 5 }), 'invalid_request')
    assert.equal(issues?.[0]?.message, 'is not a known query parameter. Did you mean "limit"?')
  })
}

for (const list of lists.filter((each) => each.name === 'workflows' || each.name === 'images')) {
  area(`GET ${list.path} filtered by project`, {}, () => {
    let api: Client
    let projectId: string
    let inside: string[]
    before(async () => {
      api = await firstAccount()
      projectId = ok(await api.post<Project>('/projects', { name: 'Filtered' }), 201).id
      inside = []
      for (let i = 0; i < 3; i++) {
        inside.push(await list.make(api, projectId))
        await list.make(api)
      }
    })

    test('returns and counts only items of the project', async () => {
      const body = ok(await api.get<Page>(list.path, { projectId, limit: 2 }))
      assert.deepEqual(
        body[list.name]?.map((row) => row.id),
        [inside[2], inside[1]],
      )
      assert.deepEqual([body.total, body.hasMore], [3, true])
    })

    test('treats the project of another account like an unknown one', async () => {
      const { api: other } = await secondAccount()
      const otherApi = await other.get(list.path, { projectId })
      const ofUnknown = await other.get(list.path, { projectId: projectId.replace(/.{4}$/, '0000') })
      const bare = (text: string): string => text.replace(/"requestId":"[^"]*"/, '').replaceAll(/proj_[0-9a-z]+/g, '')
      assert.deepEqual([otherApi.status, bare(otherApi.text)], [ofUnknown.status, bare(ofUnknown.text)])
      assert.ok(!otherApi.text.includes(inside[0] ?? 'none'))
    })

    test('rejects a projectId that is passed twice', async () => {
      refused(await api.call('GET', `${list.path}?projectId=${projectId}&projectId=${projectId}`), 'invalid_request')
    })
  })
}

area('GET /batches with long defaults', {}, () => {
  test('has them, and the fields of a page', async () => {
    const { api } = await newAccount()
    const { id: workflowId } = await save(api, { ...canvas(), parameters: [{ name: 'text', type: 'string' }] })
    const texts = ['a', 'x'.repeat(60_000), 'y'.repeat(60_000)]
    for (const text of texts) ok(await api.post('/batches', { workflowId, defaults: { text } }), 201)
    const page = await api.get<Page>('/batches', { limit: 2 })
    assert.equal(page.headers['content-type'], 'application/json; charset=utf-8')
    const { batches, total, hasMore } = ok(page)
    assert.deepEqual(
      batches?.map(({ defaults }) => defaults),
      [{ text: texts[2] }, { text: texts[1] }],
    )
    assert.deepEqual([total, hasMore], [3, true])
  })
})

area('GET /workflows/executions with long parameters', {}, () => {
  test('has them, and the fields of a page', async () => {
    const { api } = await newAccount()
    const parameters = [{ name: 'text', type: 'string' }]
    const { id: workflowId } = await save(api, { ...canvas(), parameters })
    const texts = ['a', 'x'.repeat(99_000), 'y'.repeat(99_000)]
    for (const text of texts) ok(await api.post('/workflows/execute', { workflowId, parameters: { text } }))
    const page = await api.get<Page>('/workflows/executions', { limit: 2 })
    assert.equal(page.headers['content-type'], 'application/json; charset=utf-8')
    const { executions, hasMore } = ok(page)
    assert.deepEqual(
      executions?.map(({ parameters }) => parameters),
      [{ text: texts[2] }, { text: texts[1] }],
    )
    assert.equal(hasMore, true)
  })
})
