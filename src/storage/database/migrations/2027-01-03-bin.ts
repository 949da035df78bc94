import type { Kysely } from 'kysely'
import { execute, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'
import { triggersOf } from './init-bytes.ts'
import { totalsOf } from './init-triggers.ts'

/**
 * The bin: images that were deleted and can be restored. They are rows of another table, so that nothing that reads `images` finds them. Their bytes still
 * count. And the order of images by name.
 */
export const bin: LockingMigration = {
  tables: ['images', 'accounts', 'projects'],
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      `create table binned_images (
        id ${text} primary key,
        account_id ${text} not null references accounts (id),
        project_id ${text} references projects (id),
        name ${text} not null,
        format ${text} not null,
        size bigint not null,
        width integer not null,
        height integer not null,
        sha256 ${text} not null,
        origin ${text},
        credentials ${text},
        is_private integer not null default 0,
        execution_id ${text},
        created_at bigint not null,
        expires_at bigint,
        binned_at bigint not null)`,
      'create index binned_images_newest on binned_images (account_id, binned_at, id)',
      'create index binned_images_oldest on binned_images (binned_at)',
      'create index binned_images_expiring on binned_images (expires_at, created_at, id) where expires_at is not null',
      'create index binned_images_of_project on binned_images (project_id)',
      ...totalsOf(db, {
        table: 'binned_images',
        columns: ['account_id'],
        lists: [{ list: 'binned_images', value: () => `''`, isIn: () => '1 = 1' }],
      }),
      ...triggersOf(db, { table: 'binned_images', bytes: (row) => `${row}size`, isCounted: () => '1 = 1' }),
      'create index images_by_name on images (account_id, lower(name), id)',
    ])
  },
}
