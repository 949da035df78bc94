import type { Kysely } from 'kysely'
import type { Workflow, WorkflowDocument, WorkflowStore } from '../../domain/workflow.ts'
import type { Dialect } from './dialect.ts'
import { insertOnce } from './idempotency.ts'
import { insertNew } from './insert.ts'
import { listTotal } from './list-total.ts'
import { prepared } from './prepared.ts'
import { readPage } from './read-page.ts'
import type { Schema, WorkflowRow } from './schema.ts'

export function createWorkflowStore(db: Kysely<Schema>, dialect: Dialect): WorkflowStore {
  /** What finding and listing see: deleted workflows are not there. */
  function live(accountId: string) {
    return db.selectFrom('workflows').where('account_id', '=', accountId).where('deleted_at', 'is', null)
  }

  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    live(accountId).selectAll().where('id', '=', id),
  )
  const selectOwner = prepared(({ id }: { id: string }) =>
    db.selectFrom('workflows').select(['name', 'project_id']).where('id', '=', id),
  )

  return {
    async create(workflow, document, record) {
      await insertNew(dialect, 'workflow', () =>
        db.transaction().execute((trx) =>
          insertOnce(trx, record, workflow.id, async () => {
            await trx.insertInto('workflows').values(toRow(workflow)).execute()
            await insertVersion(trx, workflow, document, workflow.createdAt)
          }),
        ),
      )
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

    async list(accountId, page, { projectId }) {
      const matching = projectId === undefined ? live(accountId) : live(accountId).where('project_id', '=', projectId)
      return readPage(
        page,
        matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        projectId === undefined
          ? listTotal(db, accountId, 'workflows')
          : listTotal(db, accountId, 'workflows_of_project', projectId),
        toWorkflow,
      )
    },

    async replace(workflow, document, expectedVersion) {
      return db.transaction().execute(async (trx) => {
        const { id, account_id, created_at, deleted_at, ...changed } = toRow(workflow)
        const result = await trx
          .updateTable('workflows')
          .set(changed)
          .where('id', '=', id)
          .where('account_id', '=', account_id)
          .where('version', '=', expectedVersion)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (result.numUpdatedRows === 0n) return false
        await insertVersion(trx, workflow, document, workflow.updatedAt)
        return true
      })
    },

    async findVersion(workflowId, version) {
      const row = await db
        .selectFrom('workflow_versions')
        .select(['created_at', 'document'])
        .where('workflow_id', '=', workflowId)
        .where('version', '=', version)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const document = JSON.parse(row.document) as WorkflowDocument
      return { workflowId, version, document, createdAt: row.created_at }
    },

    async findOwner(workflowId) {
      const [row] = (await selectOwner(db, { id: workflowId })).rows
      return row && { name: row.name, projectId: row.project_id }
    },

    async listVersions(workflowId, page) {
      const matching = db.selectFrom('workflow_versions').where('workflow_id', '=', workflowId)
      return readPage(
        page,
        matching.select(['version', 'created_at']).orderBy('version', 'desc'),
        matching.select((eb) => eb.fn.countAll<number>().as('total')),
        (row) => ({ workflowId, version: row.version, createdAt: row.created_at }),
      )
    },

    async remove(accountId, id, now) {
      const result = await db
        .updateTable('workflows')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
  }
}

async function insertVersion(
  trx: Kysely<Schema>,
  workflow: Workflow,
  document: WorkflowDocument,
  createdAt: number,
): Promise<void> {
  await trx
    .insertInto('workflow_versions')
    .values({
      workflow_id: workflow.id,
      version: workflow.version,
      created_at: createdAt,
      document: JSON.stringify(document),
    })
    .execute()
}

function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow(workflow: Workflow): WorkflowRow {
  return {
    id: workflow.id,
    account_id: workflow.accountId,
    project_id: workflow.projectId,
    name: workflow.name,
    description: workflow.description,
    version: workflow.version,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    deleted_at: null,
  }
}
