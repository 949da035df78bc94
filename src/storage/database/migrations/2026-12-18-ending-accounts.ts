import type { Kysely } from 'kysely'
import { execute, isPostgres, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Accounts that are suspended or deleted, and projects that are deleted. Executions of such an account don't start. Indexes find the rows that refer to a row
 * which is removed: without them, each removal of a version or a project would read all executions or images.
 */
export const endingAccounts: LockingMigration = {
  tables: [
    'accounts',
    'account_queues',
    'projects',
    'workflows',
    'workflow_uses',
    'images',
    'executions',
    'batches',
    'step_results',
    'derived_files',
    'brands',
    'provider_calls',
  ],
  async up(db: Kysely<unknown>) {
    await execute(db, [
      'alter table accounts add column suspended_at bigint',
      'alter table accounts add column deleted_at bigint',
      'alter table projects add column deleted_at bigint',
      `alter table projects add column moves_to ${textByBytes(db)}`,
      'create index accounts_deleted on accounts (deleted_at) where deleted_at is not null',
      'create index projects_deleted on projects (deleted_at) where deleted_at is not null',
      'create index brands_of_account on brands (account_id)',
      'create index workflows_of_account on workflows (account_id)',
      'create index workflows_of_project on workflows (project_id)',
      'create index workflow_uses_of_used on workflow_uses (used_workflow_id, used_version)',
      'create index batches_of_account on batches (account_id, deleted_at)',
      'create index batches_of_workflow on batches (workflow_id)',
      'create index provider_calls_of_account on provider_calls (account_id)',
      // The first two columns change places: lists have both, and references only one.
      'drop index executions_of_workflow_newest',
      'create index executions_of_workflow_newest on executions (workflow_id, account_id, created_at, id)',
      'drop index if exists images_of_project_newest',
      'create index images_of_project_newest on images (project_id, account_id, created_at, id)',
      ...resultImages(textByBytes(db)),
      ...(isPostgres(db) ? postgresTriggers : sqliteTriggers),
    ])
  },
}

/** The images from which cached results and files of delivery URLs were made: they are removed with the image. */
const resultImages = (text: string) => [
  `create table step_result_images (
    account_id ${text} not null,
    key ${text} not null,
    image_id ${text} not null,
    primary key (account_id, key, image_id),
    foreign key (account_id, key) references step_results (account_id, key) on delete cascade)`,
  'create index step_result_images_of_image on step_result_images (image_id)',
  `create table derived_file_images (
    key ${text} not null references derived_files (key) on delete cascade,
    image_id ${text} not null,
    primary key (key, image_id))`,
  'create index derived_file_images_of_image on derived_file_images (image_id)',
]

/** `runningMax` of `domain/accounts/plan.ts`, as in `2026-12-10-running-executions.ts`. */
const changeLimit = `update account_queues set running_max = case
    when new.suspended_at is not null or new.deleted_at is not null then 0
    when new.plan = 'starter' then 20 when new.plan = 'pro' then 80 when new.plan = 'enterprise' then 180 else 0 end
  where account_id = new.id;`

const sqliteTriggers = [
  'drop trigger accounts_plan_changed',
  `create trigger accounts_plan_changed after update of plan, suspended_at, deleted_at on accounts begin ${changeLimit} end`,
]

const postgresTriggers = [
  'drop trigger accounts_plan_changed on accounts',
  `create or replace function change_running_max() returns trigger language plpgsql as $$ begin ${changeLimit} return null; end $$`,
  `create trigger accounts_plan_changed after update of plan, suspended_at, deleted_at on accounts for each row
    execute function change_running_max()`,
]
