/** The removal of images and projects, and the suspension of an account, are killed before and after each of their writes. Nothing is half done, and the next run finishes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { newId } from '../../src/domain/ids.ts'
import { thumbnailKeys } from '../../src/domain/images/preview.ts'
import { stopExecutions } from '../../src/services/executions/stop-executions.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { createRemoval, projectKeptMs } from '../../src/storage/database/retention/removal.ts'
import { batch } from '../contract/batches.ts'
import { document, execution, image, project, step, tenant, workflow } from '../contract/records.ts'
import { countedTotals, storedTotals } from '../contract/totals.ts'
import { killAtWrites } from '../harness/killed-writes.ts'

const now = 1_795_000_000_000
const program = fileURLToPath(new URL('processes/dying-remover.ts', import.meta.url))

async function filledDatabase<Filled>(
  t: TestContext,
  fill: (database: Database) => Promise<Filled>,
): Promise<Filled & { file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-removals-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'filled.db')
  const database = await openDatabase({ file })
  const filled = await fill(database)
  await database.close()
  return { ...filled, file }
}

async function within<Result>(file: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ file })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Two projects with images, of which each has a thumbnail, a cached result and a file, and with workflows. */
async function fillProjects({ stores, kysely }: Database) {
  const { account, project: home } = await tenant(stores)
  const old = project({ accountId: account.id })
  await stores.projects.create(old)
  const blobs: string[] = []
  const images = []
  for (const [n, projectId] of [old.id, old.id, old.id, home.id].entries()) {
    const stored = image({ accountId: account.id, projectId, name: projectId === old.id ? 'Old' : 'New' })
    await stores.images.create(stored)
    images.push(stored)
    const [key = ''] = thumbnailKeys(stored.id)
    const made = { accountId: account.id, size: 9, createdAt: now, usedAt: now }
    await kysely
      .insertInto('previews')
      .values({
        id: `prev_${n}`,
        account_id: account.id,
        key,
        size: 9,
        width: 1,
        height: 1,
        created_at: now,
        used_at: now,
      } as never)
      .execute()
    await stores.stepResults.add([{ ...made, key: `r${n}`, blobKey: `step_${n}`, facts: '{}', imageIds: [stored.id] }])
    const file = { account_id: account.id, execution_id: null, format: 'png', size: 9, width: 1, height: 1, sha256: '' }
    const use = { max_age: 0, reads_urls: 0, is_paid: 0, created_at: 1, used_at: 1 }
    await kysely
      .insertInto('derived_files')
      .values({ ...file, ...use, key: `f${n}`, id: `img_f${n}`, owner_id: stored.id } as never)
      .execute()
    blobs.push(`${stored.id}.jpg`, `prev_${n}.webp`, `step_${n}`, `img_f${n}.png`)
  }
  for (const name of ['One', 'Two'])
    await stores.workflows.create(workflow({ accountId: account.id, projectId: old.id, name }), document())
  await stores.drafts.create({
    ...{ workflowId: newId('wf', now), accountId: account.id, projectId: old.id, name: 'New', document: {} },
    ...{ baseVersion: 0, revision: 1, createdAt: now, updatedAt: now },
  })
  return { account, old, home, images, blobs: blobs.sort() }
}

/** No record of a removed image is left, each blob is named or noted, and each removed image is in the audit log. Returns the images. */
async function checkImages({ stores, kysely }: Database, blobs: string[], { isRecorded }: { isRecorded: boolean }) {
  const rest = await sql<{ id: string }>`
    select owner_id as id from derived_files union select image_id from step_result_images`.execute(kysely)
  const { rows } = await sql<{ id: string; name: string }>`select id, name from images`.execute(kysely)
  const ids = new Set(rows.map(({ id }) => id))
  for (const { id } of rest.rows) assert.ok(ids.has(id), `image ${id} is gone, but not what was made of it`)
  const named = await sql<{ blob: string }>`
    select id || '.webp' as blob from previews union all select id || '.png' from derived_files
    union all select id || '.jpg' from images union all select blob_key from step_results`.execute(kysely)
  const noted = (await stores.blobRemovals.list(100)).map(({ key }) => key)
  assert.deepEqual([...named.rows.map(({ blob }) => blob), ...noted].sort(), blobs)
  assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
  const { entries } = await kysely
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .where('action', '=', 'image.delete')
    .executeTakeFirstOrThrow()
  assert.equal(Number(entries), isRecorded ? 4 - ids.size : 0)
  return rows
}

for (const [what, more] of [
  ['image', undefined],
  ['images', 'Old'],
] as const)
  test(`killed at each of its writes, the removal of ${what === 'image' ? 'an image' : 'images by a filter'} leaves nothing of an image that is gone`, async (t) => {
    const { account, images, blobs, file } = await filledDatabase(t, fillProjects)
    const [first] = images
    assert.ok(first)
    await killAtWrites({
      program,
      file,
      args: [`${now}`, what, account.id, more ?? first.id],
      every: 3,
      writesMin: 8,
      check: (copy, { isWhole, label }) =>
        within(copy, async (database) => {
          const { images: store } = database.stores
          await checkImages(database, blobs, { isRecorded: true })
          if (!isWhole)
            await (what === 'image'
              ? store.remove(account.id, first.id, now)
              : store.removeSome(account.id, { search: 'Old' }, 10, now))
          const left = await checkImages(database, blobs, { isRecorded: true })
          assert.equal(left.length, what === 'image' ? 3 : 1, label)
        }),
    })
  })

for (const isMoved of [true, false])
  test(`killed at each of its writes, the deletion of a project whose contents ${isMoved ? 'move' : 'are removed'} continues`, async (t) => {
    const { account, old, home, images, blobs, file } = await filledDatabase(t, async (database) => {
      const filled = await fillProjects(database)
      const movesTo = isMoved ? filled.home.id : null
      await database.stores.projects.markDeleted(filled.account.id, filled.old.id, { movesTo, now })
      return filled
    })
    /** Compares the lists and look-ups with those of a finished deletion. */
    async function checkSeen({ stores }: Database, isMoved: boolean): Promise<void> {
      const page = { limit: 9, offset: 0 }
      for (const filter of [{}, { search: 'O' }, { projectId: old.id }]) {
        const { items, total } = await stores.images.list(account.id, page, filter)
        assert.equal(total, items.length)
        if (!isMoved) assert.ok(items.every(({ projectId }) => projectId === home.id))
        else if (filter.projectId === undefined) assert.equal(total, filter.search === undefined ? 4 : 3)
      }
      assert.equal((await stores.images.list(account.id, { limit: 1, offset: 0 }, {})).total, isMoved ? 4 : 1)
      for (const { id, sha256, projectId } of images) {
        const isSeen = isMoved || projectId === home.id
        for (const found of [
          await stores.images.find(account.id, id),
          await stores.images.findPublic(id),
          await stores.images.findByHash(account.id, sha256),
        ])
          assert.equal(found?.id, isSeen ? id : undefined)
      }
      const workflows = await stores.workflows.list(account.id, page, {})
      assert.deepEqual([workflows.items.length, workflows.total], isMoved ? [3, 3] : [1, 1])
      assert.equal((await stores.drafts.list(account.id, page, {})).total, isMoved ? 1 : 0)
    }

    await killAtWrites({
      program,
      file,
      args: [`${now + projectKeptMs}`, 'project', old.id],
      every: 3,
      writesMin: isMoved ? 4 : 15,
      check: (copy, { label }) =>
        within(copy, async (database) => {
          const { stores, kysely, dialect } = database
          await checkImages(database, blobs, { isRecorded: false })
          assert.equal(await stores.projects.find(account.id, old.id), undefined)
          await checkSeen(database, isMoved)
          const clock = { now: () => now + projectKeptMs }
          assert.equal((await createRemoval({ db: kysely, dialect, clock }).removeProject(old.id)).isGone, true, label)
          const page = { limit: 9, offset: 0 }
          const left = await checkImages(database, blobs, { isRecorded: false })
          assert.equal(left.length, isMoved ? 4 : 1, label)
          const inHome = await stores.images.list(account.id, page, { projectId: home.id })
          assert.equal(inHome.total, left.length, label)
          const { total } = await stores.workflows.list(account.id, page, { projectId: home.id })
          // The tenant has a workflow in the default project.
          assert.equal(total, isMoved ? 3 : 1, label)
        }),
    })
  })

test('killed at each of its writes, the suspension of an account ends each execution as a whole, and the next run ends all', async (t) => {
  const { owner, other, stored, file } = await filledDatabase(t, async ({ stores }) => {
    const [owner, other] = [await tenant(stores), await tenant(stores)]
    const { executions } = stores
    for (const { workflow } of [owner, owner, other]) {
      await executions.create(execution(workflow))
      const { id, attempt } = (await executions.claimNext(now)) ?? assert.fail()
      const open = step({ status: 'running', durationMs: null, width: null, height: null })
      await executions.saveSteps(id, attempt, [step({ node: 'first' }), open])
    }
    for (let n = 0; n < 3; n += 1) await executions.create(execution(owner.workflow))
    const stored = batch(owner.workflow, { createdAt: now })
    await stores.batches.create(stored)
    const upload = Number(await stores.batchItems.beginUpload(stored.id, { now, until: now + 1 }))
    const rows = ['a', 'b', 'c'].map((key) => ({ key, parameters: {} }))
    await stores.batchItems.add({ id: stored.id, upload }, 1, rows, now + 1)
    await stores.batchItems.endUpload({ id: stored.id, upload }, 3)
    await stores.batches.changeStatus(owner.account.id, stored.id, ['created'], { status: 'running', at: now })
    for (const row of [1, 2]) {
      const ofRow = execution(owner.workflow, { batchId: stored.id })
      await executions.create(ofRow, { batchItem: { batchId: stored.id, upload, row } })
    }
    await stores.accounts.update(owner.account.id, { suspendedAt: now })
    return { owner, other, stored }
  })

  async function check({ stores, kysely }: Database): Promise<number> {
    const { rows } = await sql<{
      id: string
      status: string
      error: string | null
      steps: string
      batch: string | null
    }>`
      select id, status, error, steps, batch_id as batch from executions where account_id = ${owner.account.id}`.execute(
      kysely,
    )
    for (const { id, status, error, steps, batch } of rows) {
      const { events = [] } = (await stores.executions.readEvents(owner.account.id, id, 0)) ?? {}
      const last = events.findLast((event) => 'status' in event)
      assert.equal(last?.status, status, id)
      const { n } = await kysely
        .selectFrom('batch_items')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where(status === 'failed' ? 'resumed_from' : 'execution_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(Number(n), batch === null ? 0 : 1)
      if (status !== 'failed') continue
      const { reason, executionId } = JSON.parse(String(error)).details
      assert.deepEqual([reason, executionId], ['account_suspended', id])
      assert.doesNotMatch(steps, /"status":"running"/)
    }
    const count = (status: string) => rows.filter((row) => row.status === status).length
    const queue = await kysely
      .selectFrom('account_queues')
      .select(['waiting', 'running'])
      .where('account_id', '=', owner.account.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([queue.waiting, queue.running].map(Number), [count('pending'), count('running')])
    const { counts } = (await stores.batches.find(owner.account.id, stored.id, now)) ?? assert.fail()
    assert.deepEqual([counts.failed, counts.pending + counts.running], [0, 3])
    assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    assert.equal(await stores.executions.claimNext(now), undefined)
    return count('failed')
  }

  await killAtWrites({
    program,
    file,
    args: [`${now}`, 'suspension', owner.account.id],
    every: 3,
    writesMin: 11,
    check: (copy, { isWhole, label }) =>
      within(copy, async (database) => {
        const failed = await check(database)
        const { stores } = database
        // The background job.
        const ended = await stopExecutions({ executions: stores.executions, clock: { now: () => now + 1 } })
        assert.deepEqual([failed + ended, isWhole ? ended : 0], [7, 0], label)
        assert.equal(await check(database), 7, label)
        const { items } = await stores.executions.list(other.account.id, { limit: 9, offset: 0 }, {})
        assert.deepEqual(
          items.map(({ status }) => status),
          ['running'],
        )
      }),
  })
})
