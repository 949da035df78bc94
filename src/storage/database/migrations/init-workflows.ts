/** The part of the first schema for versions of workflows: `schema-workflows.ts` describes the columns. */

export const workflowTables = (text: string): string[] => [
  // The names in a document may be slugs, which can move to another workflow: these rows say what a version uses.
  `create table workflow_uses (
    workflow_id ${text} not null,
    version integer not null,
    name ${text} not null,
    used_workflow_id ${text} not null,
    used_version integer not null,
    primary key (workflow_id, version, name),
    foreign key (workflow_id, version) references workflow_versions (workflow_id, version),
    foreign key (used_workflow_id, used_version) references workflow_versions (workflow_id, version))`,

  // One row for each pair of workflows that are not deleted: a workflow has many versions, and \`usedBy\` reads the newest users only.
  `create table workflow_users (
    used_workflow_id ${text} not null references workflows (id),
    workflow_id ${text} not null references workflows (id),
    created_at bigint not null,
    version integer not null,
    used_version integer not null,
    primary key (used_workflow_id, workflow_id))`,

  `create table workflow_channels (
    workflow_id ${text} not null references workflows (id),
    name ${text} not null,
    version integer not null,
    moved_at bigint not null,
    key_id ${text},
    primary key (workflow_id, name),
    foreign key (workflow_id, version) references workflow_versions (workflow_id, version))`,

  // No reference to the channel: the moves of a deleted channel stay.
  `create table channel_moves (
    workflow_id ${text} not null references workflows (id),
    channel ${text} not null,
    sequence integer not null,
    workflow_sequence bigint not null default 0,
    version integer,
    from_version integer,
    is_rollback integer not null,
    moved_at bigint not null,
    key_id ${text},
    primary key (workflow_id, channel, sequence))`,

  `create table channel_leftovers (workflow_id ${text} primary key references workflows (id))`,
]

export const workflowIndexes = [
  'create index workflow_users_newest on workflow_users (used_workflow_id, created_at desc, workflow_id desc)',
  'create index workflow_users_of_workflow on workflow_users (workflow_id)',
  'create index channel_moves_of_workflow on channel_moves (workflow_id, workflow_sequence)',
]
