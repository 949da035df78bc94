/** The part of the first schema for delivery URLs: `schema-delivery.ts` describes the columns. */

export const deliveryTables = (text: string): string[] => [
  `create table signing_keys (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    name ${text} not null,
    secret ${text} not null,
    workflow_ids ${text},
    images integer not null,
    monthly_budget_micros bigint,
    budget_id ${text} not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint)`,

  // `id` and its facts are null until the file is ready. The owner is a workflow or an image.
  `create table derived_files (
    key ${text} primary key,
    owner_id ${text} not null,
    account_id ${text} not null references accounts (id),
    execution_id ${text},
    id ${text} unique,
    format ${text},
    size bigint not null,
    width integer,
    height integer,
    sha256 ${text},
    max_age integer not null,
    reads_urls integer not null,
    is_paid integer not null,
    created_at bigint not null,
    used_at bigint not null)`,
]

/** The end of a key: `endsAt` of the stores is the same expression. */
const endsAt =
  'coalesce(case when expires_at < revoked_at then expires_at else revoked_at end, expires_at, 9007199254740991)'

export const deliveryIndexes = [
  'create index signing_keys_of_account_newest on signing_keys (account_id, created_at, id)',
  // With the size, so that sums and evictions read no row.
  'create index derived_files_least_used on derived_files (account_id, used_at, key, size)',
  'create index derived_files_of_owner on derived_files (owner_id)',
  // After the others: SQLite prefers the last one of two that seem equal.
  ...['keys', 'signing_keys'].flatMap((table) => [
    `create index ${table}_ending on ${table} ((${endsAt}), id)`,
    `create index ${table}_of_account_ending on ${table} (account_id, (${endsAt}), id)`,
  ]),
]
