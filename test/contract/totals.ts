import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { storageOf } from '../../src/domain/accounts/quota.ts'
import type { Database, Stores } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { batch } from './batches.ts'
import { document, execution, image, lost, project, step, success, tenant, workflow } from './records.ts'

type OpenDatabase = (t: { after(work: () => Promise<void>): void }) => Promise<Database>

export function totalsContract(name: string, open: OpenDatabase): void {
  describe(`totals of lists on ${name}`, () => {
    test('they equal the counted rows after any concurrent additions, moves, ends and removals', async (t) => {
      const { stores, kysely } = await open(t)
      const owners = [await tenant(stores), await tenant(stores)]
      await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const { account, project: home, workflow: first } = owners[i % 2] ?? owners[0] ?? (await tenant(stores))
          const accountId = account.id
          const storedImage = image({ accountId, projectId: i % 3 === 0 ? null : home.id })
          await stores.images.create(storedImage)
          if (i % 5 === 0) await stores.images.remove(accountId, storedImage.id, 1)
          if (i % 5 === 1) await stores.images.removeSome(accountId, { ids: [storedImage.id] }, 1, 1, { toBin: true })
          if (i % 10 === 1) await stores.bin.restore(accountId, [storedImage.id])
          const campaign = project({ accountId })
          await stores.projects.create(campaign)
          const saved = workflow({ accountId, projectId: home.id })
          await stores.workflows.create(saved, document())
          if (i % 2 === 0)
            await stores.workflows.replace({ ...saved, projectId: campaign.id, version: 2 }, document(), 1)
          if (i % 4 === 0) await stores.workflows.remove(accountId, saved.id, 1)
          await stores.executions.create(execution(i % 3 === 0 ? first : saved))
          const running = i % 7 === 0 ? undefined : await stores.executions.claimNext(1)
          if (running === undefined) return
          const { id, attempt } = running
          if (i % 3 === 0) await stores.executions.complete(id, attempt, success(running))
          else if (i % 3 === 1) await stores.executions.fail(id, attempt, { error: lost, steps: [], completedAt: 1 })
          else if (i % 6 === 2) await stores.executions.release(id, attempt, 25)
        }),
      )
      const counted = await countedTotals(kysely)
      assert.ok(counted.size > 20, `${counted.size} totals`)
      assert.deepEqual(await storedTotals(kysely), counted)
    })

    test('a statement with many rows counts all of them, and a rolled-back one none', async (t) => {
      const { stores, kysely } = await open(t)
      const { account, project: home } = await tenant(stores)
      const storedImages = Array.from({ length: 30 }, (_, i) =>
        image({ accountId: account.id, projectId: i < 10 ? home.id : null }),
      )
      for (const each of storedImages) await stores.images.create(each)
      await sql`insert into images select 'copy_' || id, account_id, project_id, name, format, size, width, height, sha256,
        origin, credentials, is_private, execution_id, created_at, expires_at from images`.execute(kysely)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
      await sql`update images set project_id = ${home.id} where id like 'copy%'`.execute(kysely)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
      const undone = kysely.transaction().execute(async (trx) => {
        await sql`delete from images`.execute(trx)
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      const { total } = await stores.images.list(account.id, { limit: 1, offset: 0 }, { projectId: home.id })
      assert.equal(total, 40)
      await sql`delete from images where id like 'copy%'`.execute(kysely)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('texts count from 16 KiB, and rows of batches always, through insertions, changes and removals', async (t) => {
      const { stores, kysely } = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const isCounted = async (bytes: number) => {
        assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
        assert.equal(await storedBytes(stores, account.id), bytes)
      }
      const text = (length: number) => 'ä'.repeat(length / 2)
      const long = { ...document(), description: text(20_000) }
      const longBytes = Buffer.byteLength(JSON.stringify(long))
      await stores.workflows.replace({ ...saved, version: 2 }, long, 1)
      await isCounted(longBytes)
      await sql`insert into drafts (workflow_id, account_id, name, base_version, revision, document, created_at, updated_at)
        values (${saved.id}, ${account.id}, 'D', 2, 1, ${text(16_384)}, 1, 1)`.execute(kysely)
      await isCounted(longBytes + 16_384)
      for (const length of [16_382, 30_000, 40_000, 10]) {
        await sql`update drafts set document = ${text(length)}`.execute(kysely)
        await isCounted(longBytes + (length < 16_384 ? 0 : length))
      }
      await sql`update drafts set document = ${text(30_000)}`.execute(kysely)
      await sql`delete from drafts`.execute(kysely)
      await isCounted(longBytes)
      await sql`insert into idempotency_keys (account_id, key, method, path, fingerprint, state, created_at)
        values (${account.id}, 'k', 'POST', '/', '', 'running', 1)`.execute(kysely)
      await sql`update idempotency_keys set response = ${text(20_000)}`.execute(kysely)
      await isCounted(longBytes + 20_000)
      await sql`delete from idempotency_keys`.execute(kysely)
      const created = batch(saved)
      await stores.batches.create(created)
      for (const row of [1, 2, 3])
        await sql`insert into batch_items (batch_id, upload, row_number, account_id, key, parameters)
          values (${created.id}, 1, ${row}, ${account.id}, ${String(row)}, '{"a":1}')`.execute(kysely)
      await isCounted(longBytes + 21)
      await sql`update batch_items set parameters = '{"a":1000}'`.execute(kysely)
      await isCounted(longBytes + 30)
      await sql`update batch_items set parameters = '{"a":1}'`.execute(kysely)
      await isCounted(longBytes + 21)
      await sql`insert into batch_items (batch_id, upload, row_number, account_id, key, parameters)
        select batch_id, 2, row_number, account_id, key, parameters from batch_items`.execute(kysely)
      await isCounted(longBytes + 42)
      await sql`delete from batch_items where row_number < 3`.execute(kysely)
      await isCounted(longBytes + 14)
    })

    test('the steps, outputs and errors of executions count from 16 KiB, through each change', async (t) => {
      const { stores, kysely } = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const isCounted = async (isLong: boolean) => {
        assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
        assert.equal((await storedBytes(stores, account.id)) >= 16_384, isLong)
      }
      const steps = (count: number) => Array.from({ length: count }, (_, i) => step({ node: `node ${i}` }))
      const start = async () => {
        await stores.executions.create(execution(saved))
        return (await stores.executions.claimNext(1)) ?? assert.fail('nothing to claim')
      }
      const first = await start()
      await stores.executions.saveSteps(first.id, first.attempt, steps(3))
      await isCounted(false)
      await stores.executions.saveSteps(first.id, first.attempt, steps(300))
      await isCounted(true)
      assert.equal(await stores.executions.release(first.id, first.attempt, 2), true)
      await isCounted(false)
      const again = (await stores.executions.claimNext(3)) ?? assert.fail('nothing to claim')
      await stores.executions.complete(again.id, again.attempt, { ...success(again), steps: steps(300) })
      await isCounted(true)
      await sql`delete from images`.execute(kysely)
      await isCounted(true)
      await sql`delete from executions`.execute(kysely)
      await isCounted(false)
      const failing = await start()
      const error = { ...lost, message: 'ä'.repeat(10_000) }
      await stores.executions.fail(failing.id, failing.attempt, { error, steps: [], completedAt: 4 })
      await isCounted(true)
    })

    test('long brand values of executions are stored once for an account, and read by each execution', async (t) => {
      const { stores, kysely } = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const [long, changed, short] = [{ slogan: 'ä'.repeat(20_000) }, { slogan: 'ö'.repeat(300) }, { slogan: 'ä' }]
      const bytesOf = (brand: object) => Buffer.byteLength(JSON.stringify(brand))
      const add = async (brand: Record<string, string>, { workflow: saved } = owner) => {
        const added = execution(saved, { brand })
        await stores.executions.create(added)
        return added
      }
      const all = await Promise.all([long, long, long, changed, long, changed, short].map((brand) => add(brand)))
      await add(long, other)
      for (const { id, brand } of all)
        assert.deepEqual((await stores.executions.find(owner.account.id, id))?.brand, brand)
      const claimed = (await stores.executions.claimNext(1)) ?? assert.fail('nothing to claim')
      assert.deepEqual(claimed.brand, all.find(({ id }) => id === claimed.id)?.brand ?? long)
      assert.equal(await storedBytes(stores, owner.account.id), bytesOf(long) + bytesOf(changed))
      assert.equal(await storedBytes(stores, other.account.id), bytesOf(long))
      const page = await stores.executions.list(owner.account.id, { limit: 10, offset: 0 }, {})
      const listed = new Map(page.items.map(({ id, brand }) => [id, brand]))
      for (const { id, brand } of all) assert.deepEqual(listed.get(id), brand === long ? undefined : brand)
      assert.equal(page.longIds?.size, 4)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('an execution that is refused stores no brand values', async (t) => {
      const { stores, kysely } = await open(t)
      const { workflow: saved } = await tenant(stores)
      const refused = execution(saved, { brand: { slogan: 'a'.repeat(1_000) } })
      await assert.rejects(stores.executions.create(refused, { waitingMax: 0 }))
      assert.deepEqual(await kysely.selectFrom('execution_brands').selectAll().execute(), [])
      await stores.executions.create(refused)
      assert.equal((await kysely.selectFrom('execution_brands').selectAll().execute()).length, 1)
    })
  })
}

const executionBytes = sql.raw(
  ['parameters', 'document', 'brand', 'steps', 'output', 'outputs', 'error']
    .map((column) => `coalesce(octet_length(${column}), 0)`)
    .join(' + '),
)

/** Totals by account, list and value. A total of zero may have a row or not. */
export async function storedTotals(db: Kysely<Schema>): Promise<Map<string, number>> {
  return totals(db, sql`select account_id, list, value, sum(total) as n from list_totals group by 1, 2, 3`)
}

export async function countedTotals(db: Kysely<Schema>): Promise<Map<string, number>> {
  return totals(
    db,
    sql`
      select account_id, 'projects' as list, '' as value, count(*) as n from projects group by 1
      union all select account_id, 'images', '', count(*) from images group by 1
      union all select account_id, 'binned_images', '', count(*) from binned_images group by 1
      union all select account_id, 'images_of_project', project_id, count(*) from images
        where project_id is not null group by 1, 3
      union all select account_id, 'workflows', '', count(*) from workflows where deleted_at is null group by 1
      union all select account_id, 'drafts', '', count(*) from drafts group by 1
      union all select account_id, 'workflows_of_project', project_id, count(*) from workflows
        where deleted_at is null group by 1, 3
      union all select account_id, 'derived_file_bytes', '', sum(size + 500) from derived_files group by 1
      union all select account_id, 'step_result_bytes', '', sum(size) from step_results group by 1
      union all select account_id, 'step_checkpoint_bytes', '', sum(size) from step_checkpoints group by 1
      union all select account_id, 'stored_bytes', '', sum(bytes) from (
        select account_id, size as bytes from images union all
        select account_id, size from binned_images union all
        select account_id, octet_length(parameters) from batch_items union all
        select account_id, octet_length(brand) from execution_brands union all
        select account_id, ${executionBytes} from executions where ${executionBytes} >= 16384 union all
        select account_id, octet_length(document) from drafts where octet_length(document) >= 16384 union all
        select account_id, octet_length(response) from idempotency_keys where octet_length(response) >= 16384 union all
        select account_id, octet_length(v.document) from workflow_versions v join workflows w on w.id = v.workflow_id
          where octet_length(v.document) >= 16384) as stored group by 1
      union all select account_id, 'preview_bytes', '', sum(coalesce(size, width * height / 4) + 4096) from previews group by 1`,
  )
}

async function totals(db: Kysely<Schema>, query: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const { rows } = await query.execute(db)
  const entries = (rows as { account_id: string; list: string; value: string; n: number | string }[])
    .map((row): [string, number] => [`${row.account_id} ${row.list} ${row.value}`, Number(row.n)])
    .filter(([, n]) => n !== 0)
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function storedBytes({ quotas }: Stores, accountId: string): Promise<number> {
  return storageOf(await quotas.read(accountId, ['storageBytes'], 0)).bytes
}
