/** Accounts and projects that end: suspension, and the removal of everything that belongs to them, on both engines. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { MoveTargetGone, type Project, ProjectUsed } from '../../src/domain/accounts/project.ts'
import { TooManyWaiting } from '../../src/domain/executions/execution.ts'
import { stopExecutions } from '../../src/services/executions/stop-executions.ts'
import { formerTables } from '../../src/storage/database/columns-hash.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { accountTables, otherTables, tablesOfTriggers } from '../../src/storage/database/retention/account-tables.ts'
import { createRemoval, projectKeptMs } from '../../src/storage/database/retention/removal.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { account, document, execution, image, key, project, step, success, tenant, workflow } from './records.ts'
import { countedTotals, storedTotals } from './totals.ts'

type OpenDatabase = (t: TestContext) => Promise<Database>

const now = 1_795_000_000_000

/** Adds rows of an account to every table of the list. Returns the keys of their blobs. */
export async function fillAccount({ stores, kysely }: Pick<Database, 'stores' | 'kysely'>, count = 2) {
  const owner = await tenant(stores)
  const accountId = owner.account.id
  const parent = (table: string, n = 0) => `${table}_${accountId}_${n}`
  const blobs: string[] = []
  const tables = new Map((await kysely.introspection.getTables()).map((table) => [table.name, table.columns]))
  const own: Record<string, (n: number) => object> = {
    keys: (n) => ({ hash: parent('hash', n) }),
    sessions: (n) => ({ hash: parent('session', n), key_id: parent('keys') }),
    workflow_versions: (n) => ({ version: n + 2 }),
    workflow_uses: (n) => ({ version: 1, name: `${n}`, used_workflow_id: owner.workflow.id, used_version: 1 }),
    workflow_users: (n) => ({ used_workflow_id: parent('workflows', n), workflow_id: parent('workflows', n) }),
    workflow_channels: (n) => ({ name: `${n}`, version: 1 }),
    channel_moves: (n) => ({ sequence: n }),
    channel_leftovers: (n) => ({ workflow_id: parent('workflows', n) }),
    drafts: (n) => ({ workflow_id: parent('workflows', n) }),
    executions: () => ({ status: 'failed', workflow_version: 1 }),
    batches: () => ({ status: 'completed', workflow_version: 1 }),
    batch_items: (n) => ({ batch_id: parent('batches'), row_number: n, key: `${n}`, state: 'open' }),
    provider_calls: (n) => ({
      execution_id: parent('executions', n),
      response: JSON.stringify({ blobKeys: [parent('call', n)] }),
    }),
    step_results: (n) => ({ blob_key: parent('step', n) }),
    step_result_images: (n) => ({ key: parent('step_results', n) }),
    step_checkpoints: (n) => ({ execution_id: parent('executions', n), blob_key: parent('checkpoint', n) }),
    images: () => ({ format: 'png' }),
    binned_images: () => ({ format: 'png' }),
    fonts: () => ({ format: 'ttf' }),
    derived_files: (n) => ({ id: parent('derived', n), format: 'png', width: 1, height: 1, sha256: '' }),
    idempotency_keys: () => ({ state: 'done' }),
    signing_keys: (n) => ({ budget_id: parent('budget', n) }),
    webhook_deliveries: () => ({ status: 'delivered', ended_at: 1 }),
    webhook_secrets: () => ({}),
  }
  const files: Record<string, (n: number) => string> = {
    provider_calls: (n) => parent('call', n),
    step_results: (n) => parent('step', n),
    step_checkpoints: (n) => parent('checkpoint', n),
    images: (n) => `${parent('images', n)}.png`,
    binned_images: (n) => `${parent('binned_images', n)}.png`,
    fonts: (n) => `${parent('fonts', n)}.ttf`,
    derived_files: (n) => `${parent('derived', n)}.png`,
    previews: (n) => `${parent('previews', n)}.webp`,
  }
  for (const { table, key: primary } of accountTables.toReversed()) {
    const columns = tables.get(table) ?? assert.fail(`${table} is missing`)
    for (let n = 0; n < (primary.join() === 'account_id' ? 1 : count); n += 1) {
      const values = columns
        .filter(({ isNullable, name }) => !isNullable || name === 'account_id' || primary.includes(name))
        .map(({ name, dataType }) => {
          if (name === 'account_id') return [name, accountId]
          if (name === 'workflow_id') return [name, owner.workflow.id]
          if (name === 'project_id') return [name, owner.project.id]
          if (primary[0] === name || primary.includes(name)) return [name, /int/i.test(dataType) ? n : parent(table, n)]
          return [name, /int/i.test(dataType) ? 0 : '[]']
        })
      const row = { ...Object.fromEntries(values), ...own[table]?.(n) }
      await kysely.insertInto(table).values(row).execute()
      const file = files[table]?.(n)
      if (file !== undefined) blobs.push(file)
    }
  }
  for (const scope of [accountId, parent('executions'), parent('budget'), parent('batches')])
    await kysely.insertInto('budgets').values({ scope, period: '', spent: 1, reserved: 0, unknown_costs: 0 }).execute()
  for (const id of [`budget_${accountId}_2026-11_80`, `key_${parent('keys')}_1`])
    await kysely.insertInto('webhook_notices').values({ id, created_at: 1 }).execute()
  const queue = { account_id: accountId, endpoint_id: '', waiting: 0, waiting_bytes: 0 }
  await kysely
    .insertInto('webhook_queues')
    .values(queue)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ...owner, accountId, blobs: blobs.sort() }
}

/** Number of rows of an account in each table. All ids that `fillAccount` makes contain one of these. */
export async function rowsOf(
  db: Kysely<Schema>,
  { accountId, workflow, project }: { accountId: string; workflow: { id: string }; project: { id: string } },
): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { name, columns } of await db.introspection.getTables()) {
    if (name === 'blob_removals') continue
    const all = sql.join(
      columns.map((column) => sql`coalesce(cast(${sql.ref(column.name)} as text), '')`),
      sql` || ' ' || `,
    )
    const has = sql.join(
      [accountId, workflow.id, project.id].map((id) => sql`${all} like ${`%${id}%`}`),
      sql` or `,
    )
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} where ${has}`.execute(db)
    if (Number(rows[0]?.n) > 0) found[name] = Number(rows[0]?.n)
  }
  return found
}

export function accountRemovalContract(name: string, open: OpenDatabase): void {
  const openSetup = async (t: TestContext) => {
    const database = await open(t)
    const clock = { ms: now, now: () => clock.ms }
    return { ...database, clock, removal: createRemoval({ ...database, db: database.kysely, clock }) }
  }

  describe(`the end of accounts on ${name}`, () => {
    test('every table of the schema is in one list: removed with the account, or left for a reason', async (t) => {
      const { kysely } = await openSetup(t)
      const tables = (await kysely.introspection.getTables()).filter(({ name }) => !name.startsWith('sqlite_'))
      const removed = new Set<string>([...accountTables.map(({ table }) => table), ...tablesOfTriggers])
      for (const { name, columns } of tables) {
        // Another test of the same database makes this table.
        if (formerTables.includes(name) || name === 'notes') continue
        assert.ok(
          removed.has(name) !== Object.hasOwn(otherTables, name),
          `${name} must be in one list of account-tables.ts`,
        )
        if (columns.some((column) => column.name === 'account_id'))
          assert.ok(removed.has(name), `${name} has an account`)
      }
      for (const table of removed)
        assert.ok(
          tables.some((each) => each.name === table),
          `${table} doesn't exist`,
        )
    })

    test('the removal of an account leaves no row of it, notes its blobs, and leaves other accounts as they are', async (t) => {
      const { stores, kysely, removal } = await openSetup(t)
      const [gone, other] = [await fillAccount({ stores, kysely }), await fillAccount({ stores, kysely })]
      const before = await rowsOf(kysely, other)
      for (const { table } of accountTables) assert.ok((before[table] ?? 0) > 0, `no row in ${table}`)
      await assert.rejects(removal.removeAccount(gone.accountId), /not marked/)
      assert.equal(await stores.accounts.markDeleted(gone.accountId, now), true)
      assert.deepEqual(await stores.accounts.listDeleted(now), [gone.accountId])
      const { isGone, rows, blobKeys } = await removal.removeAccount(gone.accountId)
      assert.equal(isGone, true)
      assert.deepEqual(await rowsOf(kysely, gone), {})
      assert.deepEqual([rows.images, rows.executions, rows.accounts], [2, 2, 1])
      assert.deepEqual(blobKeys.sort(), gone.blobs)
      assert.deepEqual((await stores.blobRemovals.list(1_000)).map((note) => note.key).sort(), gone.blobs)
      assert.deepEqual(await rowsOf(kysely, other), before)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
      assert.deepEqual(await stores.accounts.listDeleted(now), [])
      assert.equal(await stores.accounts.markDeleted(gone.accountId, now), false)
    })

    test('an account that is being removed is hidden, and rows that are added meanwhile are removed as well', async (t) => {
      const { stores, kysely, removal } = await openSetup(t)
      const gone = await fillAccount({ stores, kysely }, 3)
      const apiKey = key({ accountId: gone.accountId })
      await stores.keys.create(apiKey)
      const shown = image({ accountId: gone.accountId })
      await stores.images.create(shown)
      assert.equal((await stores.images.findPublic(shown.id))?.id, shown.id)
      await stores.accounts.markDeleted(gone.accountId, now)
      assert.equal(await stores.keys.findByHash(apiKey.hash), undefined)
      assert.equal(await stores.accounts.find(gone.accountId), undefined)
      assert.equal(await stores.accounts.update(gone.accountId, { plan: 'pro' }), false)
      assert.deepEqual(await stores.accounts.list(), [])
      assert.equal(await stores.images.findPublic(shown.id), undefined)
      for (let calls = 0; ; calls += 1) {
        const { isGone } = await removal.removeAccount(gone.accountId, { rowsMax: 1 })
        if (isGone) break
        if (calls < 3) await stores.images.create(image({ accountId: gone.accountId }))
        assert.ok(calls < 200)
      }
      assert.deepEqual(await rowsOf(kysely, gone), {})
      await assert.rejects(stores.images.create(image({ accountId: gone.accountId })))
    })

    test('a suspended account, and one whose plan has no API access, run nothing until they have access again', async (t) => {
      const { stores } = await openSetup(t)
      const { accounts, executions } = stores
      for (const [end, begin] of [
        [{ suspendedAt: now }, { suspendedAt: null }],
        [{ plan: 'free' }, { plan: 'pro' }],
      ] as const) {
        const [owner, other] = [await tenant(stores), await tenant(stores)]
        const [running, waiting, others] = [owner, owner, other].map(({ workflow }) => execution(workflow))
        assert.ok(running && waiting && others)
        await executions.create(running)
        const attempt = (await executions.claimNext(1)) ?? assert.fail()
        await executions.create(waiting)
        await executions.create(others)
        const others1 = (await executions.claimNext(2)) ?? assert.fail()
        const mine = others1.id === others.id ? others1 : ((await executions.claimNext(2)) ?? assert.fail())
        await accounts.update(owner.account.id, end)
        const clock = { now: () => 3 }
        assert.equal(await stopExecutions({ executions, clock }), 2)
        assert.deepEqual(await executions.whichRun([{ executionId: attempt.id, attempt: attempt.attempt }]), [])
        assert.deepEqual(await executions.whichRun([{ executionId: mine.id, attempt: mine.attempt }]), [mine.id])
        assert.equal(await executions.complete(attempt.id, attempt.attempt, success(attempt)), false)
        for (const { id } of [running, waiting]) {
          const { status, error, completedAt } = (await executions.find(owner.account.id, id)) ?? assert.fail()
          assert.deepEqual([status, error?.details.reason, completedAt], ['failed', 'account_suspended', 3])
        }
        assert.equal(await executions.claimNext(4), undefined)
        const more = execution(owner.workflow)
        await assert.rejects(executions.create(more), TooManyWaiting)
        assert.equal(await executions.countPending(), 0)
        await accounts.update(owner.account.id, begin)
        assert.equal(await stopExecutions({ executions, clock }), 0)
        await executions.create(more)
        assert.equal((await executions.claimNext(5))?.id, more.id)
        await executions.complete(more.id, 1, success(more))
        await executions.complete(mine.id, mine.attempt, success(mine))
      }
    })

    test('the executions of a suspended account end in parts, also if several processes end them and workers write', async (t) => {
      const { stores } = await openSetup(t)
      const { accounts, executions } = stores
      const owner = await tenant(stores)
      const all = Array.from({ length: 250 }, () => execution(owner.workflow))
      for (const each of all) await executions.create(each)
      const attempts = []
      for (let n = 0; n < 20; n += 1) attempts.push((await executions.claimNext(1)) ?? assert.fail())
      await accounts.update(owner.account.id, { suspendedAt: now })
      const clock = { now: () => 3 }
      const [first, second, ...written] = await Promise.all([
        stopExecutions({ executions, clock }, owner.account.id),
        stopExecutions({ executions, clock }),
        ...attempts.map(({ id, attempt }) => executions.saveSteps(id, attempt, [step()])),
        ...attempts.map((each) => executions.complete(each.id, each.attempt, success(each))),
      ])
      const completed = written.slice(attempts.length).filter(Boolean).length
      assert.equal(Number(first) + Number(second) + completed, all.length)
      const { items } = await executions.list(owner.account.id, { limit: 300, offset: 0 }, {})
      assert.equal(items.filter(({ status }) => status === 'failed').length, all.length - completed)
    })

    test('the images and workflows of a deleted project move to another one, or they are removed', async (t) => {
      const { stores, kysely, removal, clock } = await openSetup(t)
      for (const isMoved of [true, false]) {
        const { account: owner, project: home } = await tenant(stores)
        const [old, target] = [project({ accountId: owner.id }), project({ accountId: owner.id })]
        for (const each of [old, target]) await stores.projects.create(each)
        const images = Array.from({ length: 250 }, () => image({ accountId: owner.id, projectId: old.id }))
        for (const each of images) await stores.images.create(each)
        const inBin = image({ accountId: owner.id, projectId: old.id })
        await stores.images.create(inBin)
        await stores.images.removeSome(owner.id, { ids: [inBin.id] }, 1, now, { toBin: true })
        const saved = Array.from({ length: 45 }, () => workflow({ accountId: owner.id, projectId: old.id }))
        for (const each of saved) await stores.workflows.create(each, document())
        assert.equal(await stores.projects.markDeleted(owner.id, home.id, { movesTo: null, now }), false)
        const movesTo = isMoved ? target.id : null
        assert.equal(await stores.projects.markDeleted(owner.id, old.id, { movesTo, now }), true)
        assert.equal(await stores.projects.markDeleted(owner.id, old.id, { movesTo, now }), false)
        assert.equal(await stores.projects.find(owner.id, old.id), undefined)
        assert.equal((await stores.bin.find(owner.id, inBin.id))?.id, isMoved ? inBin.id : undefined)
        if (!isMoved) assert.deepEqual(await stores.bin.restore(owner.id, [inBin.id]), [])
        assert.equal((await stores.projects.list(owner.id, { limit: 9, offset: 0 })).total, 2)
        const first = await removal.removeProject(old.id, { rowsMax: 1 })
        assert.deepEqual([first.isGone, first.rows.images], [false, 100])
        const second = await removal.removeProject(old.id)
        assert.deepEqual([second.isGone, second.rows], [false, { images: 150, binned_images: 1, workflows: 45 }])
        assert.equal((await stores.bin.find(owner.id, inBin.id))?.projectId, isMoved ? target.id : undefined)
        const page = { limit: 1, offset: 0 }
        const left = await stores.images.list(owner.id, page, { projectId: target.id })
        const workflows = await stores.workflows.list(owner.id, page, {})
        // The tenant has a workflow, in the default project.
        assert.deepEqual([left.total, workflows.total], isMoved ? [250, 46] : [0, 1])
        // An execution that was about to end.
        await stores.images.create(image({ accountId: owner.id, projectId: old.id }))
        clock.ms += projectKeptMs
        assert.equal((await removal.removeProject(old.id)).isGone, true)
        assert.deepEqual(await stores.projects.listDeleted(), [])
        assert.equal((await stores.images.list(owner.id, page, {})).total, isMoved ? 251 : 0)
        clock.ms -= projectKeptMs
      }
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('images of a private project stay private if the project to which they move is deleted meanwhile', async (t) => {
      const { stores, removal } = await openSetup(t)
      const page = { limit: 9, offset: 0 }
      for (const isMoved of [true, false]) {
        const { account: owner, project: home } = await tenant(stores)
        const made = Array.from({ length: 3 }, () => project({ accountId: owner.id, isPrivate: true }))
        for (const each of made) await stores.projects.create(each)
        const [old, target, last] = made as [Project, Project, Project]
        await stores.images.create(image({ accountId: owner.id, projectId: old.id }))
        const mark = (from: Project, movesTo: string | null) =>
          stores.projects.markDeleted(owner.id, from.id, { movesTo, now })
        await assert.rejects(mark(old, home.id), MoveTargetGone)
        assert.equal(await mark(old, target.id), true)
        assert.equal(await mark(target, isMoved ? last.id : null), true)
        await assert.rejects(mark(last, target.id), MoveTargetGone)
        for (const { id } of [old, target]) await removal.removeProject(id)
        const { items } = await stores.images.list(owner.id, page, {})
        assert.deepEqual(
          items.map(({ projectId, requiresSignature }) => [projectId, requiresSignature]),
          isMoved ? [[last.id, true]] : [],
        )
      }
    })

    test('a project can be deleted with its contents only if no workflow uses one that is still to move to it', async (t) => {
      const { stores, kysely } = await openSetup(t)
      const { account: owner, project: home, workflow: user } = await tenant(stores)
      const [old, target] = [project({ accountId: owner.id }), project({ accountId: owner.id })]
      for (const each of [old, target]) await stores.projects.create(each)
      const used = workflow({ accountId: owner.id, projectId: old.id })
      await stores.workflows.create(used, document())
      const use = { used_workflow_id: used.id, workflow_id: user.id, created_at: now, version: 1, used_version: 1 }
      await kysely.insertInto('workflow_users').values(use).execute()
      assert.equal(await stores.projects.markDeleted(owner.id, old.id, { movesTo: target.id, now }), true)
      await assert.rejects(stores.projects.markDeleted(owner.id, target.id, { movesTo: null, now }), ProjectUsed)
      assert.equal(await stores.projects.markDeleted(owner.id, target.id, { movesTo: home.id, now }), true)
    })

    test('a deleted image takes the cached results and files with it that were made from it', async (t) => {
      const { stores, kysely } = await openSetup(t)
      const { account: owner } = await tenant(stores)
      const [gone, kept] = [image({ accountId: owner.id }), image({ accountId: owner.id })]
      for (const each of [gone, kept]) await stores.images.create(each)
      const result = (key: string, imageIds: string[]) => {
        const row = { accountId: owner.id, key, blobKey: `step_${key}`, size: 9, facts: '{}' }
        return { ...row, createdAt: now, usedAt: now, imageIds }
      }
      const many = Array.from({ length: 1_100 }, (_, n) => result(`k${n}`, [gone.id]))
      for (let at = 0; at < many.length; at += 100) await stores.stepResults.add(many.slice(at, at + 100))
      await stores.stepResults.add([result('both', [gone.id, kept.id]), result('other', [kept.id]), result('none', [])])
      const file = (key: string, id: string) => ({
        ...{ key, owner_id: 'wf_1', account_id: owner.id, execution_id: null, id, format: 'png', size: 9, width: 1 },
        ...{ height: 1, sha256: '', max_age: 0, reads_urls: 0, is_paid: 0, created_at: 1, used_at: 1 },
      })
      await kysely
        .insertInto('derived_files')
        .values([file('a', 'img_a'), file('b', 'img_b')] as never)
        .execute()
      const links = [
        { key: 'a', image_id: gone.id },
        { key: 'b', image_id: kept.id },
      ]
      await kysely.insertInto('derived_file_images').values(links).execute()
      assert.ok(await stores.images.remove(owner.id, gone.id, now))
      const left = await kysely.selectFrom('step_results').select('key').orderBy('key').execute()
      assert.deepEqual(
        left.map(({ key }) => key),
        ['none', 'other'],
      )
      const notes = new Set((await stores.blobRemovals.list(2_000)).map((note) => note.key))
      assert.equal(notes.size, 1_100 + 3)
      assert.ok(notes.has('step_both') && notes.has('step_k0') && notes.has('img_a.png'))
      assert.deepEqual(await stores.derivedFiles.existing(['img_a', 'img_b']), new Set(['img_b']))
      const late = [result('late', [gone.id]), result('next', [kept.id])]
      assert.deepEqual(await stores.stepResults.add(late), [late[1]])
      const after = await kysely.selectFrom('step_result_images').select('key').orderBy('key').execute()
      assert.deepEqual(
        after.map(({ key }) => key),
        ['next', 'other'],
      )
    })

    test('an account that is missing is not marked', async (t) => {
      const { stores } = await openSetup(t)
      await stores.accounts.create(account())
      assert.equal(await stores.accounts.markDeleted('acct_unknown', now), false)
    })
  })
}
