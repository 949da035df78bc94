/**
 * Removes what belongs to accounts and projects that were marked as deleted. Each part is one transaction, so that a crash leaves no row without the note of its
 * blobs, and the next call continues. Work that was under way when the account was marked can still add rows: then the last statement fails, because they refer to
 * the account, and everything is looked through again.
 */
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../../../domain/clock.ts'
import { type Removal, type RemovalOptions, type RemovedRecords, removalNotedMs } from '../../../domain/removal.ts'
import { formerTables } from '../columns-hash.ts'
import { type Dialect, isPostgres } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { removeFilesOf } from '../sql/remove-derived-files.ts'
import { removeImages } from '../sql/remove-images.ts'
import { accountTables, removeNotices, tablesOfTriggers } from './account-tables.ts'
import { ofAccount, removePart } from './sweeper.ts'

interface Dependencies {
  db: Kysely<Schema>
  dialect: Dialect
  clock: Clock
}

/** Executions that are about to end when their project is deleted can store their outputs in it. */
export const projectKeptMs = 300_000
/** Rows that are added meanwhile are few: the background job finds more. */
const roundsMax = 3
const imagesAtOnce = 100
const workflowsAtOnce = 20
/** Images that are moved to the bin meanwhile come after those that are not. */
const projectTables = ['images', 'binned_images', 'workflows'] as const
type ProjectTable = (typeof projectTables)[number]

export function createRemoval({ db, dialect, clock }: Dependencies): Removal {
  /** Counts removed rows up to a limit. */
  function counting({ rowsMax = Number.POSITIVE_INFINITY, signal }: RemovalOptions) {
    const removed: RemovedRecords = { isGone: false, rows: {}, blobKeys: [] }
    let count = 0
    return {
      removed,
      add(table: string, rows: number, blobKeys: readonly string[] = []): void {
        count += rows
        if (rows > 0) removed.rows[table] = (removed.rows[table] ?? 0) + rows
        removed.blobKeys.push(...blobKeys)
      },
      isStopped: () => count >= rowsMax || signal?.aborted === true,
    }
  }

  /** False if rows refer to the removed ones. */
  async function unlessReferred(work: (trx: Kysely<Schema>) => Promise<boolean>): Promise<boolean> {
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (dialect.isReferenceViolation(error)) return false
      throw error
    }
  }

  function removeRow(accountId: string): Promise<boolean> {
    return unlessReferred(async (trx) => {
      await trx.deleteFrom('accounts').where('id', '=', accountId).where('deleted_at', 'is not', null).execute()
      for (const table of [...tablesOfTriggers, ...(isPostgres(db) ? formerTables : [])])
        await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx)
      await trx.deleteFrom('budgets').where('scope', '=', accountId).execute()
      if (isPostgres(db)) await sql`delete from rate_limit_windows where key = ${accountId}`.execute(trx)
      await removeNotices(trx, `budget_${accountId}`)
      return true
    })
  }

  async function removeAccount(accountId: string, options: RemovalOptions = {}): Promise<RemovedRecords> {
    const { removed, add, isStopped } = counting(options)
    const { deleted_at } =
      (await db.selectFrom('accounts').select('deleted_at').where('id', '=', accountId).executeTakeFirst()) ?? {}
    if (deleted_at === null) throw new Error(`the account ${accountId} is not marked as deleted`)
    let notedAt = Number.NEGATIVE_INFINITY
    /** Other processes leave the account to this one, which reports all rows that it removes. */
    async function noteProgress(): Promise<void> {
      if (clock.now() - notedAt < removalNotedMs) return
      notedAt = clock.now()
      await db.updateTable('accounts').set({ deleted_at: notedAt }).where('id', '=', accountId).execute()
    }
    for (let round = 0; round < roundsMax; round += 1) {
      for (const { of = ofAccount, ...table } of accountTables) {
        const kind = { job: `records-of-accounts`, ...table }
        for (let isLast = false; !isLast; ) {
          if (isStopped()) return removed
          await noteProgress()
          const part = await inTransaction(db, (trx) =>
            removePart(trx, dialect, kind, clock.now(), {
              conditions: [of(accountId)],
              rowsMax: Number.MAX_SAFE_INTEGER,
            }),
          )
          add(table.table, part.rows, part.blobKeys)
          // Rows that another process has locked: the next round.
          isLast = part.isLast || part.rows === 0
        }
      }
      if (await removeRow(accountId)) {
        add('accounts', deleted_at === undefined ? 0 : 1)
        return { ...removed, isGone: true }
      }
    }
    return removed
  }

  /** Moves rows to another project. */
  async function moveSome(table: ProjectTable, from: string, to: string): Promise<number> {
    const some = db.selectFrom(table).select('id').where('project_id', '=', from).limit(imagesAtOnce)
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ project_id: to })
      .where('id', 'in', some)
      .where('project_id', '=', from)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  async function removeSomeImages(
    from: 'images' | 'binned_images',
    { id }: Marked,
  ): Promise<{ rows: number; blobKeys: string[] }> {
    const found = await db
      .selectFrom(from)
      .select(['id', 'account_id'])
      .where('project_id', '=', id)
      .limit(imagesAtOnce)
      .execute()
    const blobKeys: string[] = []
    // The account of the project, and its twin.
    for (const [accountId, images] of Map.groupBy(found, ({ account_id }) => account_id)) {
      const ids = images.map((image) => image.id)
      blobKeys.push(...(await removeImages(db, accountId, ids, { now: clock.now(), isRecorded: false, from })))
    }
    return { rows: found.length, blobKeys }
  }

  async function removeAllFilesOf(owner: string): Promise<void> {
    while (await inTransaction(db, (trx) => removeFilesOf(trx, owner, clock.now())));
  }

  /** Their rows stay, as those of every deleted workflow, because executions refer to them. They move to the default project. */
  async function removeSomeWorkflows({ id, account_id, deleted_at: markedAt }: Marked, to: string): Promise<number> {
    const now = clock.now()
    const some = await db
      .selectFrom('workflows')
      .select(['id', 'deleted_at'])
      .where('project_id', '=', id)
      .limit(workflowsAtOnce)
      .execute()
    const ids = some.map((workflow) => workflow.id)
    if (ids.length === 0) return 0
    // Before the workflow moves: files of a private project stay private.
    for (const workflow of ids) await removeAllFilesOf(workflow)
    return inTransaction(db, async (trx) => {
      await trx
        .updateTable('workflows')
        .set((eb) => ({ deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)), project_id: to }))
        .where('id', 'in', ids)
        .where('account_id', '=', account_id)
        .execute()
      for (const column of ['workflow_id', 'used_workflow_id'] as const)
        await trx.deleteFrom('workflow_users').where(column, 'in', ids).execute()
      for (const table of ['drafts', 'workflow_channels'] as const)
        await trx.deleteFrom(table).where('workflow_id', 'in', ids).execute()
      await trx
        .insertInto('channel_leftovers')
        .values(ids.map((workflow_id) => ({ workflow_id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // Those that were deleted with the project, or added since.
      return some.filter(({ deleted_at }) => deleted_at === null || deleted_at === markedAt).length
    })
  }

  async function removeProject(projectId: string, options: RemovalOptions = {}): Promise<RemovedRecords> {
    const { removed, add, isStopped } = counting(options)
    const project = await db
      .selectFrom('projects')
      .select(['id', 'account_id', 'moves_to', 'deleted_at'])
      .where('id', '=', projectId)
      .executeTakeFirst()
    if (project === undefined) return { ...removed, isGone: true }
    const { account_id, moves_to: target, deleted_at } = project
    if (deleted_at === null) throw new Error(`the project ${projectId} is not marked as deleted`)
    const { id: home } = await db
      .selectFrom('projects')
      .select('id')
      .where('account_id', '=', account_id)
      .where('is_default', '=', (eb) => eb.lit(1))
      .executeTakeFirstOrThrow()
    for (const table of projectTables) {
      for (let hasMore = true; hasMore; ) {
        if (isStopped()) return removed
        if (target !== null) {
          const rows = await moveSome(table, projectId, target)
          add(table, rows)
          hasMore = rows > 0
        } else if (table !== 'workflows') {
          const { rows, blobKeys } = await removeSomeImages(table, project)
          add(table, rows, blobKeys)
          hasMore = rows > 0
        } else {
          add(table, await removeSomeWorkflows(project, home))
          hasMore = await hasWorkflows(db, projectId)
        }
      }
    }
    await db.deleteFrom('brands').where('owner_id', '=', projectId).execute()
    if (clock.now() - deleted_at < projectKeptMs) return removed
    const isGone = await unlessReferred(async (trx) => {
      await trx.deleteFrom('projects').where('id', '=', projectId).execute()
      return true
    })
    return { ...removed, isGone }
  }

  return { removeAccount, removeProject }
}

interface Marked {
  id: string
  account_id: string
  deleted_at: number | null
}

async function hasWorkflows(db: Kysely<Schema>, projectId: string): Promise<boolean> {
  const row = await db.selectFrom('workflows').select('id').where('project_id', '=', projectId).executeTakeFirst()
  return row !== undefined
}
