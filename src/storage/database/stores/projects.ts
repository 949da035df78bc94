import type { Kysely } from 'kysely'
import type { Project, ProjectStore } from '../../../domain/project.ts'
import type { Dialect } from '../dialect.ts'
import type { ProjectRow, Schema } from '../schema.ts'
import { insertNew } from '../sql/insert.ts'
import { listTotal } from '../sql/list-total.ts'
import { readPage } from '../sql/read-page.ts'
import { insertOnce } from './idempotency.ts'

export function createProjectStore(db: Kysely<Schema>, dialect: Dialect): ProjectStore {
  return {
    async create(project, record) {
      await insertNew(dialect, 'project', () =>
        insertOnce(db, record, project.id, (within) => within.insertInto('projects').values(toRow(project)).execute()),
      )
    },

    async find(accountId, id) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
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

    async list(accountId, page) {
      const matching = db.selectFrom('projects').where('account_id', '=', accountId)
      return readPage(
        page,
        matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        listTotal(db, accountId, 'projects'),
        toProject,
      )
    },
  }
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    isDefault: row.is_default === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow(project: Project): ProjectRow {
  return {
    id: project.id,
    account_id: project.accountId,
    name: project.name,
    description: project.description,
    is_default: project.isDefault ? 1 : 0,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  }
}
