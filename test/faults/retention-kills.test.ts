/** The retention is killed before and after each of its writes. No record is half removed, and the next run removes what is left. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { dayMs } from '../../src/domain/accounts/activity.ts'
import { forAllPlans } from '../../src/domain/accounts/plan.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { batch } from '../contract/batches.ts'
import { key } from '../contract/records.ts'
import { ages, now, setupOf } from '../contract/retention.ts'
import { session } from '../contract/sessions.ts'
import { countedTotals, storedTotals } from '../contract/totals.ts'
import { killAtWrites } from '../harness/killed-writes.ts'
import { retentionOf } from '../harness/retention.ts'

const settings = { deliveryBytesMax: 1_500, quotas: { cacheBytes: forAllPlans(0) } }
const program = fileURLToPath(new URL('processes/dying-sweeper.ts', import.meta.url))

/** Fills a database with old and young records of every kind. Returns the keys of all blobs. */
async function fill(database: Database): Promise<string[]> {
  const setup = await setupOf(database)
  const { stores, kysely, accountId, owner } = setup
  const blobs: (string | undefined)[] = []
  for (const { keptMs, add } of Object.values(ages))
    for (const [n, at] of [now - keptMs - 5, now - keptMs - 4, now].entries()) blobs.push(await add(setup, at, n))
  const old = now - 95 * dayMs
  for (const status of ['completed', 'failed']) await setup.end(old, {}, status)
  await kysely
    .insertInto('executions_daily')
    .values({ account_id: accountId, day: '2026-12-31', failures: '[]', durations: '[]' })
    .execute()
  const result = { accountId, facts: '{}', size: 9, createdAt: now, usedAt: now }
  await stores.stepResults.add([1, 2].map((n) => ({ ...result, key: `r${n}`, blobKey: `step_r${n}` })))
  blobs.push('step_r1', 'step_r2')
  const file = {
    account_id: accountId,
    execution_id: null,
    format: 'png',
    size: 1_000,
    width: 1,
    height: 1,
    sha256: '',
  }
  const use = { max_age: 0, reads_urls: 0, is_paid: 0, created_at: 1 }
  const files = [owner.workflow.id, 'img_1', 'img_1', 'img_1'].map((owner_id, n) => ({
    ...{ ...file, ...use, owner_id, key: `f${n}`, id: `img_f${n}`, used_at: now - 2 * dayMs + n },
  }))
  await kysely
    .insertInto('derived_files')
    .values(files as never)
    .execute()
  blobs.push(...files.map(({ id }) => `${id}.png`))
  const move = {
    workflow_id: owner.workflow.id,
    channel: 'live',
    version: 1,
    from_version: null,
    is_rollback: 0,
    key_id: null,
  }
  const moves = [1, 2].map((n) => ({ ...move, sequence: n, workflow_sequence: n, moved_at: 1 }))
  await kysely
    .insertInto('channel_moves')
    .values(moves as never)
    .execute()
  const created = batch(owner.workflow, { createdAt: now })
  await stores.batches.create(created)
  for (const rows of [['a', 'b'], ['c']]) {
    const upload = Number(await stores.batchItems.beginUpload(created.id, { now, until: now + 1 }))
    const items = rows.map((each) => ({ key: each, parameters: {} }))
    await stores.batchItems.add({ id: created.id, upload }, 1, items, now + 1)
    await stores.batchItems.endUpload({ id: created.id, upload }, rows.length)
  }
  await stores.batches.remove(accountId, created.id, now)
  const ended = key({ accountId, revokedAt: 5 })
  await stores.keys.create(ended)
  await stores.sessions.create(session(ended, { expiresAt: now + dayMs }), { ofKeyMax: 9 })
  await stores.workflows.remove(accountId, owner.workflow.id, old)
  return blobs.flatMap((blob) => blob ?? []).sort()
}

/** Counts of all tables, and the blobs that a record names or a note. */
async function stateOf({ kysely, stores }: Database) {
  const tables = (await kysely.introspection.getTables()).map(({ name }) => name)
  const counts: Record<string, number> = {}
  for (const table of tables) {
    if (table === 'list_totals') continue
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(kysely)
    counts[table] = Number(rows[0]?.n)
  }
  const named = await sql<{ blob: string }>`
    select id || '.webp' as blob from previews union all select id || '.png' from derived_files where id is not null
    union all select id || '.jpg' from images where expires_at is not null and format = 'jpeg'
    union all select id || '.jpg' from binned_images
    union all select blob_key from step_results union all select blob_key from step_checkpoints
    union all select response ->> '$.blobKeys[0]' from provider_calls`.execute(kysely)
  const noted = (await stores.blobRemovals.list(1_000)).map((note) => note.key)
  assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
  return { counts, blobs: [...named.rows.map(({ blob }) => blob), ...noted].sort() }
}

test('killed before and after each of its writes, the retention removes no record by half, and the next run finishes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-retention-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const filled = join(folder, 'filled.db')
  const database = await openDatabase({ file: filled })
  const blobs = await fill(database)
  await database.close()

  async function read(file: string) {
    const reopened = await openDatabase({ file })
    try {
      return await stateOf(reopened)
    } finally {
      await reopened.close()
    }
  }

  /** The next run, in this process. */
  async function finish(file: string): Promise<void> {
    const reopened = await openDatabase({ file })
    const retention = retentionOf({ ...reopened, clock: { now: () => now } }, settings)
    for (const { name } of retention.jobs) await retention.sweep(name, { rowsMax: 1_000 })
    await reopened.close()
  }

  let expected: Awaited<ReturnType<typeof stateOf>>
  await killAtWrites({
    program,
    file: filled,
    args: [`${now}`, JSON.stringify(settings)],
    every: 3,
    writesMin: 26,
    async check(file, { isWhole, label }) {
      const state = await read(file)
      assert.deepEqual(state.blobs, blobs, `${label}: each blob is named, or noted for removal`)
      if (isWhole) {
        expected = state
        const tables = ['batches', 'batch_items', 'channel_moves', 'channel_leftovers', 'step_results']
        assert.deepEqual(
          tables.map((table) => state.counts[table]),
          [0, 0, 0, 0, 0],
        )
        return
      }
      await finish(file)
      assert.deepEqual(await read(file), expected, label)
    },
  })
})
