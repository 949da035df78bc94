/** Pages after a place: each item that existed while a list was read is on exactly one page, whatever is added and removed meanwhile. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../src/domain/ids.ts'
import type { ImageFilter, ImageOrder } from '../../src/domain/images/image.ts'
import type { Page, PageRequest, Place } from '../../src/domain/page.ts'
import type { Database, OpenOptions } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { batch } from './batches.ts'
import { signingKey } from './delivery.ts'
import { document, execution, font, image, key, maximum, project, tenant, workflow } from './records.ts'
import { deliveryTo, endpointOf } from './webhooks.ts'

type Setup = Database & Awaited<ReturnType<typeof tenant>> & { accountId: string }
type Listed = Page<object> & { total?: number }

interface List {
  table: keyof Schema
  /** Stores one more item at this place of the order, and returns its id. */
  add(setup: Setup, value: number): Promise<string>
  list(setup: Setup, page: PageRequest): Promise<Listed>
  /** Default: the item with the largest value first. */
  isAscending?: boolean
}

const lists: Record<string, List> = {
  projects: {
    table: 'projects',
    async add({ stores, accountId }, createdAt) {
      const created = project({ accountId, createdAt })
      await stores.projects.create(created)
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.projects.list(accountId, page),
  },
  workflows: workflows({}),
  'workflows of a project': workflows({ projectId: 'own' }),
  'workflows with a name': workflows({ search: 'launch' }),
  drafts: drafts({}),
  'drafts of a project': drafts({ projectId: 'own' }),
  'drafts with a name': drafts({ search: 'draw' }),
  images: images({}),
  'images, oldest first': images({}, 'oldest'),
  'images, largest first': images({}, 'largest'),
  'images, smallest first': images({}, 'smallest'),
  'images of a project': images({ projectId: 'own' }),
  'images of a project, largest first': images({ projectId: 'own' }, 'largest'),
  uploads: images({ source: 'upload' }),
  'uploads of a project': images({ projectId: 'own', source: 'upload' }),
  'uploads of a project with a name, smallest first': images(
    { projectId: 'own', source: 'upload', search: 'trait' },
    'smallest',
  ),
  'uploads, smallest first': images({ source: 'upload' }, 'smallest'),
  'images with a name': images({ search: 'TRAIT' }),
  'images with a name, largest first': images({ search: 'trait' }, 'largest'),
  'images by name': images({}, 'name'),
  'images of a project with a name, by name': images({ projectId: 'own', search: 'trait' }, 'name'),
  'images of some days': images({ createdAfter: 0, createdBefore: 2_000 }),
  'images in the bin': {
    table: 'binned_images',
    async add({ stores, accountId }, binnedAt) {
      const created = image({ accountId, createdAt: binnedAt })
      await stores.images.create(created)
      await stores.images.removeSome(accountId, { ids: [created.id] }, 1, binnedAt, { toBin: true })
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.bin.list(accountId, page),
  },
  fonts: {
    table: 'fonts',
    async add({ stores, accountId }, createdAt) {
      const created = font({ accountId, createdAt })
      await stores.fonts.create(created, '1t,q')
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.fonts.list(accountId, page),
  },
  keys: {
    table: 'keys',
    async add({ stores, accountId }, createdAt) {
      const created = key({ accountId, createdAt })
      await stores.keys.create(created)
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.keys.listPage(accountId, page),
  },
  'signing keys': {
    table: 'signing_keys',
    async add({ stores, accountId }, createdAt) {
      const created = signingKey(accountId, { createdAt })
      await stores.signingKeys.create(created, {})
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.signingKeys.list(accountId, page),
  },
  'webhook endpoints': {
    table: 'webhook_endpoints',
    async add({ stores, accountId }, createdAt) {
      const created = endpointOf(accountId, { createdAt })
      await stores.webhookEndpoints.create(created)
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.webhookEndpoints.list(accountId, page),
  },
  executions: executions({}),
  'executions of a workflow': executions({ workflowId: 'own' }),
  'executions that wait': executions({ status: 'pending' }),
  'executions of a workflow that wait': executions({ workflowId: 'own', status: 'pending' }),
  deliveries: deliveries({}),
  'deliveries to an endpoint': deliveries({ endpointId: 'whe_own' }),
  'deliveries that wait': deliveries({ status: 'pending' }),
  'deliveries to an endpoint that wait': deliveries({ endpointId: 'whe_own', status: 'pending' }),
  batches: {
    table: 'batches',
    async add({ stores, accountId, workflow: { id } }, createdAt) {
      const created = batch({ accountId, id }, { createdAt })
      await stores.batches.create(created)
      return created.id
    },
    list: ({ stores, accountId, workflow: { id } }, page) =>
      stores.batches.list(accountId, page, { workflowId: id, status: 'created' }, 1),
  },
  'the audit log': {
    table: 'audit_log',
    async add({ kysely, accountId }, created_at) {
      const id = newId('aud', 1)
      const entry = { id, account_id: accountId, created_at, action: 'image.update', subject: 'img_1', actor: 'key' }
      await kysely
        .insertInto('audit_log')
        .values({ ...entry, key_id: null, session_id: null, command: null, address: null, before: null, after: null })
        .execute()
      return id
    },
    list: ({ stores, accountId }, page) =>
      stores.audit.list(accountId, page, { subject: 'img_1', action: 'image.update', createdBefore: 2_000 }),
  },
}

function workflows({ projectId, search }: { projectId?: string; search?: string }): List {
  return {
    table: 'workflows',
    async add({ stores, accountId, project: home }, createdAt) {
      const created = workflow({ accountId, projectId: home.id, createdAt })
      await stores.workflows.create(created, document())
      return created.id
    },
    list: ({ stores, accountId, project: home }, page) =>
      stores.workflows.list(accountId, page, {
        ...(projectId !== undefined && { projectId: home.id }),
        ...(search !== undefined && { search }),
      }),
  }
}

function drafts({ projectId, search }: { projectId?: string; search?: string }): List {
  return {
    table: 'drafts',
    async add({ stores, accountId, project: { id } }, createdAt) {
      const workflowId = newId('wf', 1)
      const fields = { name: 'Drawn', baseVersion: 0, revision: 1, document: { name: 'Drawn' }, updatedAt: 1 }
      await stores.drafts.create({ workflowId, accountId, projectId: id, createdAt, ...fields })
      return workflowId
    },
    list: ({ stores, accountId, project: { id } }, page) =>
      stores.drafts.list(accountId, page, {
        ...(projectId !== undefined && { projectId: id }),
        ...(search !== undefined && { search }),
      }),
  }
}

function images(filter: ImageFilter, order: ImageOrder = 'newest'): List {
  return {
    table: 'images',
    isAscending: order === 'oldest' || order === 'smallest' || order === 'name',
    async add({ stores, accountId, project: { id } }, value) {
      const created = image({
        accountId,
        projectId: id,
        createdAt: value,
        size: value,
        name: `Portrait ${String(value).padStart(9, '0')}.png`,
      })
      await stores.images.create(created)
      return created.id
    },
    list: ({ stores, accountId, project: { id } }, page) =>
      stores.images.list(accountId, page, { ...filter, ...(filter.projectId && { projectId: id }) }, order),
  }
}

function executions({ workflowId, status }: { workflowId?: string; status?: 'pending' }): List {
  return {
    table: 'executions',
    async add({ stores, workflow: of }, createdAt) {
      const created = execution(of, { createdAt })
      await stores.executions.create(created)
      return created.id
    },
    list: ({ stores, accountId, workflow: { id } }, page) =>
      stores.executions.list(accountId, page, { ...(workflowId && { workflowId: id }), ...(status && { status }) }),
  }
}

function deliveries(filter: { endpointId?: string; status?: 'pending' }): List {
  return {
    table: 'webhook_deliveries',
    async add({ stores, accountId }, createdAt) {
      const created = deliveryTo(endpointOf(accountId, { id: 'whe_own' }), { createdAt })
      await stores.webhookDeliveries.add(created, '{}')
      return created.id
    },
    list: ({ stores, accountId }, page) => stores.webhookDeliveries.list(accountId, page, filter),
  }
}

function idOf(item: object): string {
  const { id, workflowId } = item as { id?: string; workflowId?: string }
  return id ?? workflowId ?? assert.fail()
}

/** Removes a row as the store does it, or without the records that belong to it. */
async function remove(db: Kysely<Schema>, table: keyof Schema, id: string): Promise<void> {
  if (table === 'executions') await db.deleteFrom('execution_events').where('execution_id', '=', id).execute()
  const column = sql.ref(table === 'drafts' ? 'workflow_id' : 'id')
  const isMarked = table === 'workflows' || table === 'batches' || table === 'projects'
  const change = isMarked ? sql`update ${sql.table(table)} set deleted_at = 1` : sql`delete from ${sql.table(table)}`
  const { numAffectedRows } = await sql`${change} where ${column} = ${id}`.execute(db)
  assert.equal(Number(numAffectedRows), 1)
}

/** All pages. `between` is called after each page but the last. */
async function walk(
  list: (page: PageRequest) => Promise<Listed>,
  limit: number,
  between: (page: Listed) => Promise<void> = async () => {},
): Promise<Listed[]> {
  const pages: Listed[] = []
  let after: Place | undefined
  for (;;) {
    const page = await list({ limit, offset: 0, after })
    pages.push(page)
    if (page.next === null) return pages
    assert.equal(page.items.length, limit)
    after = page.next
    await between(page)
  }
}

export function cursorsContract(
  name: string,
  open: (t: TestContext, options?: OpenOptions) => Promise<Database>,
): void {
  async function openSetup(t: TestContext): Promise<Setup> {
    const database = await open(t, maximum('webhookEndpoints', 1_000))
    const owner = await tenant(database.stores)
    // Only the items of the test are listed.
    const at = { deleted_at: 1 }
    await database.kysely.updateTable('workflows').set(at).where('id', '=', owner.workflow.id).execute()
    // Contents that are to move are listed.
    const moving = { ...at, moves_to: owner.project.id }
    await database.kysely.updateTable('projects').set(moving).where('id', '=', owner.project.id).execute()
    return { ...database, ...owner, accountId: owner.account.id }
  }

  describe(`pages after a place on ${name}`, () => {
    for (const [noun, { table, add, list, isAscending = false }] of Object.entries(lists)) {
      const sorted = (items: { value: number; id: string }[]) =>
        items
          .toSorted((a, b) => (a.value - b.value || (a.id < b.id ? -1 : 1)) * (isAscending ? 1 : -1))
          .map(({ id }) => id)

      test(`${noun} are on one page each, in the order of the list`, async (t) => {
        const setup = await openSetup(t)
        const added: { value: number; id: string }[] = []
        for (const value of [50, 10, 30, 30, 30, 20, 40]) added.push({ value, id: await add(setup, value) })
        for (const limit of [1, 2, 3, 6, 7, 100]) {
          const pages = await walk((page) => list(setup, page), limit)
          assert.deepEqual(
            pages.flatMap(({ items }) => items.map(idOf)),
            sorted(added),
          )
          assert.equal(pages.length, Math.ceil(added.length / limit))
          for (const { total = 7 } of pages) assert.equal(total, 7)
        }
        const { next } = await list(setup, { limit: 2, offset: 0 })
        const third = await list(setup, { limit: 2, offset: 1, after: next ?? assert.fail() })
        assert.deepEqual(third.items.map(idOf), sorted(added).slice(3, 5))
      })

      test(`${noun} that stay are found once while others are added and removed`, async (t) => {
        const setup = await openSetup(t)
        const places = new Map<string, number>()
        const create = async (value: number) => {
          const id = await add(setup, value)
          places.set(id, value)
          return id
        }
        for (const value of [10, 20, 30, 30, 30, 30, 40, 50, 60, 60, 70]) await create(value)
        const stay = new Set(places.keys())
        const seen: string[] = []
        const pages = await walk(
          (page) => list(setup, page),
          2,
          async ({ items }) => {
            seen.push(...items.map(idOf))
            const last = seen.at(-1) ?? assert.fail()
            // Before the place, at it and after it, as long as the walk can end.
            for (const value of places.size < 40 ? [1, places.get(last) ?? assert.fail(), 1_000] : [])
              await create(value)
            // The item of the place, and one that was not read yet.
            await remove(setup.kysely, table, last)
            const ahead = [...stay].find((id) => !seen.includes(id))
            if (ahead !== undefined && seen.length === 4) {
              await remove(setup.kysely, table, ahead)
              stay.delete(ahead)
            }
          },
        )
        const found = pages.flatMap(({ items }) => items.map(idOf))
        assert.equal(new Set(found).size, found.length)
        assert.deepEqual(
          [...stay].filter((id) => !found.includes(id)),
          [],
        )
        assert.deepEqual(found, sorted(found.map((id) => ({ id, value: places.get(id) ?? assert.fail() }))))
      })
    }

    test('images of a large project are found by their size among those of the account', async (t) => {
      const { stores, kysely, accountId, project: home } = await openSetup(t)
      await sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 11000)
        insert into images (id, account_id, project_id, name, format, size, width, height, sha256, created_at)
        select 'img_' || (10000 + i), ${sql.lit(accountId)}, case when i % 50 = 0 then null else ${sql.lit(home.id)} end, 'x',
          'png', i % 400, 1, 1, 'x', i from numbers`.execute(kysely)
      for (const order of ['largest', 'smallest'] as const) {
        const pages = await walk(
          (page) => stores.images.list(accountId, page, { projectId: home.id, source: 'upload' }, order),
          500,
        )
        const found = pages.flatMap(({ items }) => items as { id: string; size: number; projectId: string }[])
        assert.equal(new Set(found.map(idOf)).size, 10_780)
        assert.ok(found.every(({ projectId }) => projectId === home.id))
        const places = found.map(({ id, size }) => size * 100_000 + Number(id.slice(4)))
        assert.deepEqual(
          places,
          places.toSorted((a, b) => (order === 'largest' ? b - a : a - b)),
        )
        // More are not counted.
        assert.ok(pages.every(({ total }) => total === 1_000))
      }
    })

    const numbered: Record<
      string,
      { add(setup: Setup, numbers: number[]): Promise<unknown>; list: List['list']; numberOf(item: object): unknown }
    > = {
      versions: {
        add: ({ kysely, workflow: { id } }, numbers) =>
          kysely
            .insertInto('workflow_versions')
            .values(
              numbers
                .filter((version) => version > 1)
                .map((version) => ({ workflow_id: id, version, created_at: 1, document: '{}', note: null })),
            )
            .execute(),
        list: ({ stores, workflow: { id } }, page) => stores.workflows.listVersions(id, page),
        numberOf: (item) => (item as { version: number }).version,
      },
      'moves of a channel': {
        add: ({ kysely, workflow: { id } }, numbers) =>
          kysely
            .insertInto('channel_moves')
            .values(
              numbers.map((sequence) => ({
                ...{ workflow_id: id, channel: 'live', sequence, workflow_sequence: sequence, version: 1 },
                ...{ from_version: null, is_rollback: 0 as const, moved_at: sequence, key_id: null },
              })),
            )
            .execute(),
        list: ({ stores, workflow: { id } }, page) => stores.channels.listMoves(id, 'live', page),
        numberOf: (item) => (item as { movedAt: number }).movedAt,
      },
    }

    for (const [noun, { add, list, numberOf }] of Object.entries(numbered))
      test(`${noun} continue after a number while others are added`, async (t) => {
        const setup = await openSetup(t)
        await add(setup, [1, 2, 3, 4, 5, 6, 7])
        let newest = 7
        const pages = await walk(
          (page) => list(setup, page),
          3,
          async () => void (await add(setup, [++newest])),
        )
        assert.deepEqual(
          pages.map(({ items }) => items.map((item) => Number(numberOf(item)))),
          [[7, 6, 5], [4, 3, 2], [1]],
        )
        assert.deepEqual(
          pages.map(({ total }) => total),
          [7, 8, 9],
        )
        // Any number that a cursor can contain.
        const all = await list(setup, { limit: 100, offset: 0, after: { value: 999_999_999_999_999, id: '' } })
        assert.equal(all.items.length, 9)
      })

    for (const status of [undefined, 'pending', 'completed', 'running'] as const)
      test(`rows of a batch (${status ?? 'all'}) continue after a row`, async (t) => {
        const setup = await openSetup(t)
        const { stores, kysely, accountId, workflow: of } = setup
        const created = batch({ accountId, id: of.id })
        await stores.batches.create(created)
        const upload = (await stores.batchItems.beginUpload(created.id, { now: 1, until: 2e13 })) ?? assert.fail()
        const rows = { id: created.id, upload }
        const items = Array.from({ length: 14 }, (_, i) => ({ key: `k${i + 1}`, parameters: {} }))
        await stores.batchItems.add(rows, 1, items, 2e13)
        await stores.batchItems.endUpload(rows, items.length)
        const chosen = [1, 2, 5, 6, 7, 11, 14]
        if (status === 'completed')
          await kysely
            .updateTable('batch_items')
            .set({ state: status, ended_at: 1 })
            .where('row_number', 'in', chosen)
            .execute()
        if (status === 'running')
          for (const row of chosen) {
            const started = execution(of, { createdAt: row })
            await stores.executions.create(started)
            await kysely
              .updateTable('executions')
              .set({ status, batch_id: created.id })
              .where('id', '=', started.id)
              .execute()
            await kysely
              .updateTable('batch_items')
              .set({ execution_id: started.id })
              .where('row_number', '=', row)
              .execute()
          }
        const expected = status === 'completed' || status === 'running' ? chosen : items.map((_, i) => i + 1)
        const state = (await stores.batches.find(accountId, created.id, 1)) ?? assert.fail()
        for (const limit of [1, 3, 7, 14, 100]) {
          const pages = await walk(async (page) => {
            const { parts, next, total } = await stores.batchItems.list(state, page, status)
            return { items: (await Array.fromAsync(parts)).flat(), next, total }
          }, limit)
          assert.deepEqual(
            pages.flatMap(({ items: found }) => found.map((item) => (item as { row: number }).row)),
            expected,
          )
          assert.ok(pages.every(({ total }) => total === expected.length))
        }
      })
  })
}
