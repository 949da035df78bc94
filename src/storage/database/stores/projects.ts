import type { Insertable, Kysely } from 'kysely'
import { MoveTargetGone, type Project, type ProjectStore, ProjectUsed } from '../../../domain/accounts/project.ts'
import type { Dialect } from '../dialect.ts'
import type { ProjectRow, Schema } from '../schema.ts'
import { factsOf, recordChange, recording } from '../sql/audit.ts'
import { insertNew } from '../sql/insert.ts'
import { lockAccount, type Quotas } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { notePrivateImages } from './accounts.ts'
import { insertOnce } from './idempotency.ts'

export function createProjectStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): ProjectStore {
  return {
    async create(project, record) {
      const { id, accountId, isPrivate } = project
      await insertNew(dialect, 'project', () =>
        db.transaction().execute((trx) =>
          insertOnce(trx, record, id, () =>
            quotas.within(trx, { accountId }, ['projects'], async () => {
              if (isPrivate) await notePrivateImages(trx, accountId)
              await trx.insertInto('projects').values(toRow(project)).execute()
              await recordChange(trx, 'projects', { id }, 'project.create')
            }),
          ),
        ),
      )
    },

    async find(accountId, id) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && toProject(row)
    },

    async findDefault(accountId) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('is_default', '=', (eb) => eb.lit(1))
        .executeTakeFirst()
      return row && toProject(row)
    },

    async update(accountId, id, { name, description, isPrivate, uploadsExpireIn, outputsExpireIn, updatedAt }) {
      const columns = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(isPrivate === undefined ? {} : { is_private: isPrivate ? (1 as const) : (0 as const) }),
        ...(uploadsExpireIn === undefined ? {} : { uploads_expire_in: uploadsExpireIn }),
        ...(outputsExpireIn === undefined ? {} : { outputs_expire_in: outputsExpireIn }),
      }
      return db.transaction().execute(async (trx) => {
        if (isPrivate) await notePrivateImages(trx, accountId)
        return recording(trx, 'projects', { id }, 'project.update', async () => {
          const result = await trx
            .updateTable('projects')
            .set({ ...columns, updated_at: updatedAt })
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        })
      })
    },

    async markDeleted(accountId, id, { movesTo, now }) {
      return db.transaction().execute(async (trx) => {
        await lockAccount(trx, dialect, accountId)
        const before = await factsOf(trx, 'projects', { id })
        const { numUpdatedRows } = await trx
          .updateTable('projects')
          .set({ deleted_at: now, moves_to: movesTo })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('deleted_at', 'is', null)
          .where('is_default', '=', (eb) => eb.lit(0))
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        if (movesTo !== null && !(await isMoveTarget(trx, id, movesTo))) throw new MoveTargetGone()
        if (movesTo === null && (await isUsed(trx, accountId, id))) throw new ProjectUsed()
        if (movesTo === null) await removeWorkflows(trx, dialect, goneWith(trx, accountId, id), now)
        // Contents of deleted projects that are still to move to this one.
        await trx
          .updateTable('projects')
          .set({ moves_to: movesTo })
          .where('account_id', '=', accountId)
          .where('moves_to', '=', id)
          .execute()
        const fate = movesTo === null ? { contents: 'delete' } : { contents: 'move', moveTo: movesTo }
        await recordChange(
          trx,
          'projects',
          { id },
          'project.delete',
          before && { ...before, facts: { ...before.facts, ...fate } },
        )
        return true
      })
    },

    async listDeleted() {
      const rows = await db.selectFrom('projects').select('id').where('deleted_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },

    async list(accountId, page) {
      const matching = liveProjects(db, accountId)
      return readCounted(page, {
        table: db.selectFrom('projects'),
        matching,
        columns: (rows) => rows.selectAll(),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toProject,
      })
    },
  }
}

function liveProjects(db: Kysely<Schema>, accountId: string) {
  return db.selectFrom('projects').where('account_id', '=', accountId).where('deleted_at', 'is', null)
}

/** Images of a private project don't become public: see also `targetOf` in the service. */
async function isMoveTarget(trx: Kysely<Schema>, from: string, to: string): Promise<boolean> {
  const row = await trx
    .selectFrom('projects as p')
    .innerJoin('projects as target', 'target.account_id', 'p.account_id')
    .select('target.id')
    .where('p.id', '=', from)
    .where('target.id', '=', to)
    .where('target.deleted_at', 'is', null)
    .where('p.is_private', '<=', (eb) => eb.ref('target.is_private'))
    .executeTakeFirst()
  return row !== undefined
}

/** The project, and those whose contents are still to move to it. */
function goneWith(trx: Kysely<Schema>, accountId: string, projectId: string) {
  return trx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('id', '=', projectId), eb('moves_to', '=', projectId)]))
}

/** Whether a workflow outside the project uses one of its workflows, or one that is still to move to it. */
async function isUsed(trx: Kysely<Schema>, accountId: string, projectId: string): Promise<boolean> {
  const gone = goneWith(trx, accountId, projectId)
  const user = await trx
    .selectFrom('workflows as w')
    .innerJoin('workflow_users as u', 'u.used_workflow_id', 'w.id')
    .innerJoin('workflows as user', 'user.id', 'u.workflow_id')
    .select('u.workflow_id')
    .where('w.project_id', 'in', gone)
    .where('user.project_id', 'not in', gone)
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}

/** Deletes all of them in one statement, so that no caller sees a part. For images, see `ofLiveProject`. */
async function removeWorkflows(
  trx: Kysely<Schema>,
  dialect: Dialect,
  gone: ReturnType<typeof goneWith>,
  now: number,
): Promise<void> {
  const ids = trx.selectFrom('workflows').select('id').where('project_id', 'in', gone)
  // In the order of `lockWithUsed`.
  await dialect.lockRows(ids.orderBy('id')).execute()
  await trx
    .updateTable('workflows')
    .set({ deleted_at: now })
    .where('project_id', 'in', gone)
    .where('deleted_at', 'is', null)
    .execute()
  await trx.deleteFrom('drafts').where('workflow_id', 'in', ids).execute()
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    isDefault: row.is_default === 1,
    ...(row.is_private === 1 ? { isPrivate: true as const } : {}),
    ...(row.uploads_expire_in === null ? {} : { uploadsExpireIn: row.uploads_expire_in }),
    ...(row.outputs_expire_in === null ? {} : { outputsExpireIn: row.outputs_expire_in }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow(project: Project): Insertable<ProjectRow> {
  return {
    id: project.id,
    account_id: project.accountId,
    name: project.name,
    description: project.description,
    is_default: project.isDefault ? 1 : 0,
    is_private: project.isPrivate ? 1 : 0,
    uploads_expire_in: project.uploadsExpireIn ?? null,
    outputs_expire_in: project.outputsExpireIn ?? null,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  }
}
