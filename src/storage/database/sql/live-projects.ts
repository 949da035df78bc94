/** Hides the images of a project that is deleted with them, because they are removed in parts. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../schema.ts'

const isGone = sql<SqlBool>`(deleted_at is not null and moves_to is null)`

/** The condition of one image, in the table of this name. */
export function ofLiveProject(images = 'images') {
  return sql<SqlBool>`not exists (select 1 from projects where id = ${sql.ref(`${images}.project_id`)} and ${isGone})`
}

/**
 * The projects of an account that are gone, and still have images. Usually none, so that a list doesn't look at the project of each image, which its index
 * doesn't contain.
 */
export async function goneProjects(db: Kysely<Schema>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where(isGone)
    .where(
      sql<SqlBool>`exists (select 1 from images where images.project_id = projects.id and images.account_id = ${accountId})`,
    )
    .execute()
  return rows.map(({ id }) => id)
}
