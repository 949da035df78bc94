import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, textByBytes } from '../dialect.ts'

/**
 * Keys are found by their end, which is an expression of two columns: see `endsAt` of the stores. The moves of all channels of a workflow have numbers
 * in one order, so that the oldest are found.
 */
export const endedKeys: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      ...['keys', 'signing_keys'].flatMap((table) => [
        `create index ${table}_ending on ${table} ((${endsAt}), id)`,
        `create index ${table}_of_account_ending on ${table} (account_id, (${endsAt}), id)`,
      ]),
      // No query uses it any longer.
      'drop index keys_expiring',
      'alter table channel_moves add column workflow_sequence bigint not null default 0',
      `update channel_moves set workflow_sequence = numbered.n from (
        select workflow_id, channel, sequence, row_number() over (
          partition by workflow_id order by moved_at, channel, sequence) as n from channel_moves) as numbered
        where channel_moves.workflow_id = numbered.workflow_id and channel_moves.channel = numbered.channel
          and channel_moves.sequence = numbered.sequence`,
      'create index channel_moves_of_workflow on channel_moves (workflow_id, workflow_sequence)',
      `create table channel_leftovers (workflow_id ${text} primary key references workflows (id))`,
    ])
  },
}

const endsAt =
  'coalesce(case when expires_at < revoked_at then expires_at else revoked_at end, expires_at, 9007199254740991)'
