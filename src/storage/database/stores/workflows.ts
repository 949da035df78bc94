import type { Kysely } from 'kysely'
import type { PlanName } from '../../../domain/accounts/plan.ts'
import {
  SlugTaken,
  type StoredWorkflow,
  UsedWorkflowDeleted,
  type Workflow,
  type WorkflowDocument,
  type WorkflowStore,
  WorkflowUsed,
} from '../../../domain/workflows/workflow.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema, WorkflowRow } from '../schema.ts'
import type { WorkflowUseRow } from '../schema-workflows.ts'
import { factsOf, recordChange, recording } from '../sql/audit.ts'
import { documentSearch, searchResult } from '../sql/document-search.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import { listTotal } from '../sql/list-total.ts'
import { nameContains } from '../sql/name-contains.ts'
import { prepared } from '../sql/prepared.ts'
import { type Quotas, quotasOf } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { insertOnce } from './idempotency.ts'

export function createWorkflowStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): WorkflowStore {
  /** Workflows that are not deleted. */
  function live(accountId: string) {
    return db.selectFrom('workflows').where('account_id', '=', accountId).where('deleted_at', 'is', null)
  }

  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    live(accountId).selectAll().where('id', '=', id),
  )
  const selectBySlug = prepared(({ accountId, slug }: { accountId: string; slug: string }) =>
    live(accountId).selectAll().where('slug', '=', slug),
  )
  const selectOwner = prepared(({ id }: { id: string }) =>
    db
      .selectFrom('workflows as w')
      .innerJoin('projects as p', 'p.id', 'w.project_id')
      .innerJoin('accounts as a', 'a.id', 'w.account_id')
      .select(['w.name', 'w.project_id', 'a.plan', 'p.outputs_expire_in'])
      .where('w.id', '=', id),
  )

  /** Throws `SlugTaken` in place of the error of the database. */
  async function orSlugTaken<Result>(
    accountId: string,
    slug: string | null | undefined,
    write: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await write()
    } catch (cause) {
      const isTaken =
        typeof slug === 'string' &&
        dialect.isUniqueViolation(cause) &&
        (await selectBySlug(db, { accountId, slug })).rows.length > 0
      throw isTaken ? new SlugTaken(slug, { cause }) : cause
    }
  }

  return {
    async create(workflow, document, record) {
      const { accountId, slug } = workflow
      const insert = () =>
        db.transaction().execute((trx) =>
          insertOnce(trx, record, workflow.id, () =>
            quotas.within(trx, { accountId }, ['workflows', ...quotasOf(document)], async () => {
              await trx.insertInto('workflows').values(toRow(workflow)).execute()
              await insertVersion(trx, dialect, workflow, document, workflow.createdAt)
              await recordChange(trx, 'workflows', { id: workflow.id }, 'workflow.create')
            }),
          ),
        )
      await insertNew(dialect, 'workflow', () => orSlugTaken(accountId, slug, insert))
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toWorkflow(row)
    },

    async findByName(accountId, name) {
      const row = await live(accountId)
        .selectAll()
        .where('name', '=', name)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toWorkflow(row)
    },

    async findBySlug(accountId, slug) {
      const [row] = (await selectBySlug(db, { accountId, slug })).rows
      return row && toWorkflow(row)
    },

    async list(accountId, page, { projectId, search }) {
      let matching = live(accountId)
      if (projectId !== undefined) matching = matching.where('project_id', '=', projectId)
      if (search !== undefined) matching = matching.where(nameContains(dialect, 'name', search))
      const list = projectId === undefined ? 'workflows' : 'workflows_of_project'
      return readCounted(page, {
        table: db.selectFrom('workflows'),
        matching,
        columns: (rows) => rows.selectAll(),
        count:
          search === undefined
            ? listTotal(db, accountId, list, projectId)
            : matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toWorkflow,
      })
    },

    async containing(accountId, ids, text) {
      if (ids.length === 0) return searchResult([])
      const rows = await live(accountId)
        .innerJoin('workflow_versions as newest', (join) =>
          join.onRef('newest.workflow_id', '=', 'workflows.id').onRef('newest.version', '=', 'workflows.version'),
        )
        .select(['workflows.id', ...documentSearch(dialect, 'newest.document', text)])
        .where('workflows.id', 'in', ids)
        .execute()
      return searchResult(rows)
    },

    async replace(workflow, document, expectedVersion, slug) {
      const write = () =>
        db.transaction().execute((trx) => quotas.within(trx, workflow, quotasOfVersion, () => replaceIn(trx)))
      const quotasOfVersion = workflow.version === expectedVersion ? [] : quotasOf(document)
      const replaceIn = async (trx: Kysely<Schema>) => {
        const { id, account_id, ...changed } = changedColumns(workflow)
        if (workflow.version !== expectedVersion) await lockWithUsed(trx, dialect, workflow)
        const before = await factsOf(trx, 'workflows', { id })
        const result = await trx
          .updateTable('workflows')
          .set({ ...changed, ...(slug === undefined ? {} : { slug }) })
          .where('id', '=', id)
          .where('account_id', '=', account_id)
          .where('version', '=', expectedVersion)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (result.numUpdatedRows === 0n) return false
        if (workflow.version !== expectedVersion)
          await insertVersion(trx, dialect, workflow, document, workflow.updatedAt)
        await recordChange(trx, 'workflows', { id }, 'workflow.save', before)
        return true
      }
      return orSlugTaken(workflow.accountId, slug, write)
    },

    async setSlug(accountId, id, slug, now) {
      return orSlugTaken(accountId, slug, () =>
        inTransaction(db, (trx) =>
          recording(trx, 'workflows', { id }, 'workflow.setSlug', async () => {
            const result = await trx
              .updateTable('workflows')
              .set({ slug, updated_at: now })
              .where('id', '=', id)
              .where('account_id', '=', accountId)
              .where('deleted_at', 'is', null)
              .executeTakeFirst()
            return result.numUpdatedRows > 0n
          }),
        ),
      )
    },

    async findVersion(workflowId, version) {
      const row = await db
        .selectFrom('workflow_versions')
        .select(['created_at', 'document', 'note'])
        .where('workflow_id', '=', workflowId)
        .where('version', '=', version)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const document = JSON.parse(row.document) as WorkflowDocument
      return { workflowId, version, document, createdAt: row.created_at, ...noteOf(row) }
    },

    async findOwner(workflowId) {
      const [row] = (await selectOwner(db, { id: workflowId })).rows
      if (row === undefined) return undefined
      const { name, project_id: projectId, outputs_expire_in: outputsExpireIn } = row
      return { name, projectId, plan: row.plan as PlanName, ...(outputsExpireIn !== null && { outputsExpireIn }) }
    },

    async listVersions(workflowId, page) {
      const matching = db.selectFrom('workflow_versions').where('workflow_id', '=', workflowId)
      return readCounted(page, {
        table: db.selectFrom('workflow_versions'),
        matching,
        by: 'version',
        id: null,
        columns: (rows) => rows.select(['version', 'created_at', 'note']),
        // Versions are numbered without gaps.
        count: matching.select((eb) => eb.fn.coalesce(eb.fn.max('version'), eb.lit(0)).as('total')),
        toItem: (row) => ({ workflowId, version: row.version, createdAt: row.created_at, ...noteOf(row) }),
      })
    },

    async uses(workflowId, version) {
      const rows = await db
        .selectFrom('workflow_uses')
        .select(['name', 'used_workflow_id', 'used_version'])
        .where('workflow_id', '=', workflowId)
        .where('version', '=', version)
        .orderBy('name')
        .execute()
      return rows.map((row) => ({ name: row.name, workflowId: row.used_workflow_id, version: row.used_version }))
    },

    async users(workflowId, limit) {
      const rows = await db
        .selectFrom('workflow_users')
        .innerJoin('workflows as users', 'users.id', 'workflow_users.workflow_id')
        .select(['users.id', 'users.name', 'users.slug', 'workflow_users.version', 'workflow_users.used_version'])
        .where('workflow_users.used_workflow_id', '=', workflowId)
        .orderBy('workflow_users.created_at', 'desc')
        .orderBy('workflow_users.workflow_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id, name, slug, version, used_version }) => {
        return { workflowId: id, name, slug, version, usedVersion: used_version }
      })
    },

    async remove(accountId, id, now) {
      return db.transaction().execute(async (trx) => {
        const before = await factsOf(trx, 'workflows', { id })
        const result = await trx
          .updateTable('workflows')
          .set({ deleted_at: now })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (result.numUpdatedRows === 0n) return false
        const user = trx.selectFrom('workflow_users').select('workflow_id').where('used_workflow_id', '=', id).limit(1)
        if ((await user.execute()).length > 0) throw new WorkflowUsed()
        await trx.deleteFrom('workflow_users').where('workflow_id', '=', id).execute()
        await trx.deleteFrom('drafts').where('workflow_id', '=', id).execute()
        await trx.deleteFrom('workflow_channels').where('workflow_id', '=', id).execute()
        // The background jobs remove what is left of it.
        await trx.insertInto('channel_leftovers').values({ workflow_id: id }).execute()
        await recordChange(trx, 'workflows', { id }, 'workflow.delete', before)
        return true
      })
    },
  }
}

/**
 * Locks rows before a new version is written to the row of the workflow. Two workflows can use each other: both of
 * their writers lock both rows in the same order, so that they wait for each other and do not deadlock.
 */
export async function lockWithUsed(
  trx: Kysely<Schema>,
  dialect: Dialect,
  { id, uses = [] }: Pick<StoredWorkflow, 'id' | 'uses'>,
): Promise<void> {
  if (uses.length === 0) return
  const ids = [id, ...uses.map(({ workflowId }) => workflowId)]
  await dialect.lockRows(trx.selectFrom('workflows').select('id').where('id', 'in', ids).orderBy('id')).execute()
}

/** Locks the used workflows, so that none of them is deleted before the version is written. `lockWithUsed` has locked those of a later version. */
export async function insertVersion(
  trx: Kysely<Schema>,
  dialect: Dialect,
  workflow: Pick<StoredWorkflow, 'id' | 'version' | 'createdAt' | 'uses'>,
  document: WorkflowDocument,
  createdAt: number,
  note?: string,
): Promise<void> {
  await trx
    .insertInto('workflow_versions')
    .values({
      workflow_id: workflow.id,
      version: workflow.version,
      created_at: createdAt,
      document: JSON.stringify(document),
      note: note ?? null,
    })
    .execute()
  const { uses = [] } = workflow
  if (uses.length === 0) return
  const live = trx
    .selectFrom('workflows')
    .select('id')
    .where(
      'id',
      'in',
      uses.map(({ workflowId }) => workflowId),
    )
    .where('deleted_at', 'is', null)
    .orderBy('id')
  const found = new Set((await dialect.lockRows(live).execute()).map(({ id }) => id))
  const deleted = uses.find(({ workflowId }) => !found.has(workflowId))
  if (deleted) throw new UsedWorkflowDeleted(deleted)
  const rows = uses.map(({ name, workflowId, version }) => ({
    workflow_id: workflow.id,
    version: workflow.version,
    name,
    used_workflow_id: workflowId,
    used_version: version,
  }))
  await trx.insertInto('workflow_uses').values(rows).execute()
  await insertUser(trx, workflow, rows)
}

/** Once for each used workflow, with the last version of it. */
async function insertUser(
  trx: Kysely<Schema>,
  { id, createdAt }: Pick<Workflow, 'id' | 'createdAt'>,
  uses: readonly WorkflowUseRow[],
): Promise<void> {
  const last = new Map<string, WorkflowUseRow>()
  for (const use of uses) {
    const before = last.get(use.used_workflow_id)
    if (before === undefined || before.used_version < use.used_version) last.set(use.used_workflow_id, use)
  }
  const rows = [...last.values()].map(({ used_workflow_id, version, used_version }) => {
    return { used_workflow_id, workflow_id: id, created_at: createdAt, version, used_version }
  })
  await trx
    .insertInto('workflow_users')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['used_workflow_id', 'workflow_id']).doUpdateSet((eb) => ({
        version: eb.ref('excluded.version'),
        used_version: eb
          .case()
          .when('excluded.used_version', '>', eb.ref('workflow_users.used_version'))
          .then(eb.ref('excluded.used_version'))
          .else(eb.ref('workflow_users.used_version'))
          .end(),
      })),
    )
    .execute()
}

export function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function noteOf({ note }: { note: string | null }): { note?: string } {
  return note === null ? {} : { note }
}

/** The columns that saving a document writes, and those that select the row. The slug is set on its own. */
export function changedColumns(workflow: Workflow) {
  const { created_at, deleted_at, draft_revisions, slug, ...changed } = toRow(workflow)
  return changed
}

export function toRow(workflow: Workflow): WorkflowRow {
  return {
    id: workflow.id,
    account_id: workflow.accountId,
    project_id: workflow.projectId,
    slug: workflow.slug,
    name: workflow.name,
    description: workflow.description,
    version: workflow.version,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    deleted_at: null,
    draft_revisions: 0,
  }
}
