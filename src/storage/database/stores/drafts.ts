import { type Kysely, sql } from 'kysely'
import type { Quota } from '../../../domain/accounts/quota.ts'
import { WorkflowGone } from '../../../domain/executions/execution.ts'
import type { Draft, DraftDocument, DraftItem, DraftStore } from '../../../domain/workflows/draft.ts'
import type { Dialect } from '../dialect.ts'
import type { DraftRow, Schema } from '../schema.ts'
import { factsOf, recordChange } from '../sql/audit.ts'
import { documentSearch, searchResult } from '../sql/document-search.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import { listTotal } from '../sql/list-total.ts'
import { nameContains } from '../sql/name-contains.ts'
import { prepared } from '../sql/prepared.ts'
import { type Quotas, quotasOf } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { insertOnce } from './idempotency.ts'
import { insertVersion, lockWithUsed, toRow as toWorkflowRow } from './workflows.ts'

/** Writers lock the row of the workflow first, so that they wait for each other there. */
export function createDraftStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): DraftStore {
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db
      .selectFrom('drafts')
      .select([...itemColumns, 'document'])
      .where('workflow_id', '=', id)
      .where('account_id', '=', accountId),
  )
  const update = prepared((values: SaveValues) => saving(db, values))
  const updateRevision = prepared(({ ifRevision, ...values }: SaveValues & { ifRevision: number }) =>
    saving(db, values).where('revision', '=', ifRevision),
  )

  return {
    async create(draft, record) {
      const { workflowId: id, accountId, name, createdAt } = draft
      const reserved = { ...draft, id, slug: null, name, description: '', version: 0, updatedAt: createdAt }
      await insertNew(dialect, 'draft', () =>
        db.transaction().execute((trx) =>
          insertOnce(trx, record, id, () =>
            quotas.within(trx, { accountId }, ['drafts', ...quotasOf(draft.document)], async () => {
              const row = { ...toWorkflowRow(reserved), deleted_at: createdAt }
              await trx.insertInto('workflows').values(row).execute()
              await trx.insertInto('drafts').values(toRow(draft)).execute()
              await recordChange(trx, 'drafts', { workflow_id: id }, 'draft.create')
            }),
          ),
        ),
      )
    },

    async begin(draft) {
      const { workflowId, accountId } = draft
      const insert = async (trx: Kysely<Schema>) => {
        const live = trx
          .selectFrom('workflows')
          .select('draft_revisions')
          .where('id', '=', workflowId)
          .where('account_id', '=', accountId)
          .where('deleted_at', 'is', null)
        const workflow = await dialect.lockRows(live).executeTakeFirst()
        if (workflow === undefined) return undefined
        const revision = workflow.draft_revisions + 1
        const inserted = await trx
          .insertInto('drafts')
          .values(toRow({ ...draft, revision }))
          .onConflict((conflict) => conflict.column('workflow_id').doNothing())
          .executeTakeFirst()
        if (inserted.numInsertedOrUpdatedRows !== 1n) return undefined
        await recordChange(trx, 'drafts', { workflow_id: workflowId }, 'draft.create')
        return revision
      }
      return db
        .transaction()
        .execute((trx) => quotas.within(trx, { accountId }, ['drafts', ...quotasOf(draft.document)], () => insert(trx)))
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && { ...toItem(row), document: JSON.parse(row.document) as DraftDocument }
    },

    async list(accountId, page, { workflowId, projectId, search }) {
      let found = db.selectFrom('drafts').where('account_id', '=', accountId)
      if (workflowId !== undefined) found = found.where('workflow_id', '=', workflowId)
      if (projectId !== undefined) found = found.where(projectOf, '=', projectId)
      if (search !== undefined) found = found.where(nameContains(dialect, 'drafts.name', search))
      return readCounted(page, {
        table: db.selectFrom('drafts'),
        matching: found,
        id: 'workflow_id',
        columns: (rows) => rows.select(itemColumns),
        count:
          workflowId === undefined && projectId === undefined && search === undefined
            ? listTotal(db, accountId, 'drafts')
            : found.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem,
      })
    },

    async containing(accountId, workflowIds, text) {
      if (workflowIds.length === 0) return searchResult([])
      const rows = await db
        .selectFrom('drafts')
        .select(['workflow_id as id', ...documentSearch(dialect, 'document', text)])
        .where('workflow_id', 'in', workflowIds)
        .where('account_id', '=', accountId)
        .execute()
      return searchResult(rows)
    },

    async save(accountId, id, { name, document, updatedAt }, ifRevision) {
      const values = { id, accountId, name, document: JSON.stringify(document), updatedAt }
      const write = (within: Kysely<Schema>) =>
        ifRevision === undefined ? update(within, values) : updateRevision(within, { ...values, ifRevision })
      const counted = quotasOf(document)
      const { rows } =
        counted.length === 0
          ? await write(db)
          : await inTransaction(db, (trx) => quotas.within(trx, { accountId }, counted, () => write(trx)))
      const [row] = rows
      return row && toItem(row)
    },

    async publish({ workflow, document, note, revision, expectedVersion }, record) {
      const { id, account_id: accountId, draft_revisions, slug, ...changed } = toWorkflowRow(workflow)
      const names: Quota[] = [...(expectedVersion === 0 ? ['workflows' as const] : []), ...quotasOf(document)]
      const publish = async (trx: Kysely<Schema>) => {
        if (document !== undefined) await lockWithUsed(trx, dialect, workflow)
        const before = await factsOf(trx, 'workflows', { id })
        const updated = await trx
          .updateTable('workflows')
          .set({ ...changed, draft_revisions: revision })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('version', '=', expectedVersion)
          .where('deleted_at', expectedVersion === 0 ? 'is not' : 'is', null)
          .executeTakeFirst()
        if (updated.numUpdatedRows === 0n) throw new NotPublished('newer')
        const deleted = await trx
          .deleteFrom('drafts')
          .where('workflow_id', '=', id)
          .where('revision', '=', revision)
          .executeTakeFirst()
        if (deleted.numDeletedRows === 0n) throw new NotPublished('changed')
        if (document !== undefined) await insertVersion(trx, dialect, workflow, document, workflow.updatedAt, note)
        await recordChange(trx, 'workflows', { id }, 'workflow.publish', before)
      }
      try {
        await db
          .transaction()
          .execute((trx) =>
            insertOnce(trx, record, id, () => quotas.within(trx, { accountId }, names, () => publish(trx))),
          )
        return 'published'
      } catch (error) {
        if (error instanceof NotPublished) return error.because
        throw error
      }
    },

    async remove(accountId, id) {
      return db.transaction().execute(async (trx) => {
        const workflow = trx.selectFrom('workflows').select('version').where('id', '=', id)
        const locked = await dialect.lockRows(workflow).executeTakeFirst()
        const key = { workflow_id: id }
        const before = await factsOf(trx, 'drafts', key)
        const draft = await trx
          .deleteFrom('drafts')
          .where('workflow_id', '=', id)
          .where('account_id', '=', accountId)
          .returning('revision')
          .executeTakeFirst()
        if (draft === undefined) return false
        await recordChange(trx, 'drafts', key, 'draft.delete', before)
        if (locked?.version === 0 && !(await wasExecuted(trx, accountId, id))) {
          await trx.deleteFrom('workflows').where('id', '=', id).execute()
          return true
        }
        await trx.updateTable('workflows').set({ draft_revisions: draft.revision }).where('id', '=', id).execute()
        return true
      })
    },
  }
}

async function wasExecuted(trx: Kysely<Schema>, accountId: string, workflowId: string): Promise<boolean> {
  const execution = await trx
    .selectFrom('executions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workflow_id', '=', workflowId)
    .limit(1)
    .executeTakeFirst()
  return execution !== undefined
}

/**
 * Locks the draft for an execution of it if it was never published. Locks the row of the workflow, so that the draft is
 * not deleted with it before the execution is recorded. Throws `WorkflowGone` if it was.
 */
export async function requireReserved(trx: Kysely<Schema>, dialect: Dialect, workflowId: string): Promise<void> {
  const row = trx.selectFrom('workflows').select('id').where('id', '=', workflowId)
  if ((await dialect.lockRows(row).executeTakeFirst()) === undefined) throw new WorkflowGone(workflowId)
}

/** Rolls back the transaction in which it is thrown. */
class NotPublished extends Error {
  readonly because: 'changed' | 'newer'
  constructor(because: 'changed' | 'newer') {
    super('the draft was not published')
    this.name = 'NotPublished'
    this.because = because
  }
}

const projectOf = sql<string>`(select project_id from workflows where id = drafts.workflow_id)`

const itemColumns = [
  'workflow_id',
  'account_id',
  'name',
  'base_version',
  'revision',
  'created_at',
  'updated_at',
  projectOf.as('project_id'),
] as const

interface SaveValues {
  id: string
  accountId: string
  name: string
  document: string
  updatedAt: number
}

/** Editors save every few seconds: one statement, which changes no column of an index. */
function saving(db: Kysely<Schema>, { id, accountId, name, document, updatedAt }: SaveValues) {
  return db
    .updateTable('drafts')
    .set((eb) => ({ name, document, updated_at: updatedAt, revision: eb('revision', '+', sql.lit(1)) }))
    .where('workflow_id', '=', id)
    .where('account_id', '=', accountId)
    .returning(itemColumns)
}

function toItem(row: Omit<DraftRow, 'document'> & { project_id: string }): DraftItem {
  return {
    workflowId: row.workflow_id,
    accountId: row.account_id,
    projectId: row.project_id,
    name: row.name,
    baseVersion: row.base_version,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow({
  workflowId,
  accountId,
  name,
  baseVersion,
  revision,
  document,
  createdAt,
  updatedAt,
}: Draft): DraftRow {
  return {
    workflow_id: workflowId,
    account_id: accountId,
    name,
    base_version: baseVersion,
    revision,
    document: JSON.stringify(document),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
