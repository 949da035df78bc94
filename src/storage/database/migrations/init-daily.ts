/** The part of the first schema with a row for each day: `schema-daily.ts` describes the columns. */

export const dailyTables = (text: string): string[] => [
  `create table usage_daily (
    account_id ${text} not null references accounts (id),
    day ${text} not null,
    workflow_id ${text} not null,
    key_id ${text} not null,
    model ${text} not null,
    capability ${text} not null,
    calls bigint not null,
    failures bigint not null,
    cost bigint not null,
    unknown_costs bigint not null,
    primary key (account_id, day, workflow_id, key_id, model, capability))`,

  `create table requests_daily (
    account_id ${text} not null references accounts (id),
    day ${text} not null,
    requests bigint not null,
    refused bigint not null,
    primary key (account_id, day))`,

  `create table executions_daily (
    account_id ${text} not null references accounts (id),
    day ${text} not null,
    failures ${text} not null,
    durations ${text} not null,
    primary key (account_id, day))`,
]
