import type { Kysely } from 'kysely'
import { execute, isPostgres, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** The audit log. Rows are added, and removed by retention or with their account, but never changed. */
export const audit: LockingMigration = {
  tables: ['accounts'],
  async up(db: Kysely<unknown>) {
    await execute(db, [table(textByBytes(db)), ...indexes, ...(isPostgres(db) ? postgresTrigger : sqliteTrigger)])
  },
}

const table = (text: string) => `create table audit_log (
  id ${text} primary key,
  account_id ${text} not null references accounts (id),
  created_at bigint not null,
  action ${text} not null,
  subject ${text} not null,
  actor ${text} not null,
  key_id ${text},
  session_id ${text},
  command ${text},
  address ${text},
  before ${text},
  after ${text})`

const indexes = [
  'create index audit_log_oldest on audit_log (created_at)',
  'create index audit_log_newest on audit_log (account_id, created_at, id)',
  'create index audit_log_of_subject_newest on audit_log (account_id, subject, created_at, id)',
  'create index audit_log_of_action_newest on audit_log (account_id, action, created_at, id)',
  'create index audit_log_of_key_newest on audit_log (account_id, key_id, created_at, id)',
]

const refusal = 'entries of the audit log cannot be changed'

const sqliteTrigger = [
  `create trigger audit_log_unchanged before update on audit_log begin select raise(abort, '${refusal}'); end`,
]

const postgresTrigger = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception '${refusal}'; end $$`,
  `create trigger audit_log_unchanged before update on audit_log for each row execute function refuse_audit_change()`,
]
