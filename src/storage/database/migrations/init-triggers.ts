/**
 * Triggers that count rows in the transaction of each change, of any writer: the totals of lists, and the executions that wait in the queue
 * of their account.
 *
 * To count a million rows takes a hundred times longer than to read a page of them. Executions that have not ended are few, and lists
 * count them. On PostgreSQL a writer updates a row of `list_totals` that no other transaction has locked, and adds a row if there is none: no writer
 * waits, so none can deadlock, and a list has as many rows as it ever had writers at the same time. On SQLite there is one writer and one row.
 */
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect.ts'

export function triggers(db: Kysely<unknown>): string[] {
  return isPostgres(db)
    ? [addToList, ...lists.flatMap(postgresTotals), ...postgresQueues]
    : [...lists.flatMap(sqliteTotals), ...sqliteQueues]
}

export interface CountedTable {
  table: string
  /** A change of these columns may move a row from one list to another. */
  columns: string[]
  /** The lists of a row. `row` is the prefix of its columns, with the dot. */
  lists: { list: string; value: (row: string) => string; isIn: (row: string) => string }[]
}

const always = () => '1 = 1'
const isLive = (row: string) => `${row}deleted_at is null`
const hasEnded = (row: string) => `${row}status in ('completed', 'failed')`
const deliveryEnded = (row: string) => `${row}status <> 'pending'`

const lists: CountedTable[] = [
  {
    table: 'projects',
    columns: ['account_id'],
    lists: [{ list: 'projects', value: () => `''`, isIn: always }],
  },
  {
    table: 'workflows',
    columns: ['account_id', 'project_id', 'deleted_at'],
    lists: [
      { list: 'workflows', value: () => `''`, isIn: isLive },
      { list: 'workflows_of_project', value: (row) => `${row}project_id`, isIn: isLive },
    ],
  },
  {
    table: 'drafts',
    columns: ['account_id'],
    lists: [{ list: 'drafts', value: () => `''`, isIn: always }],
  },
  {
    table: 'images',
    columns: ['account_id', 'project_id'],
    lists: [
      { list: 'images', value: () => `''`, isIn: always },
      {
        list: 'images_of_project',
        value: (row) => `${row}project_id`,
        isIn: (row) => `${row}project_id is not null`,
      },
    ],
  },
  {
    table: 'executions',
    columns: ['account_id', 'workflow_id', 'status'],
    lists: [
      { list: 'executions', value: () => `''`, isIn: always },
      { list: 'executions_of_workflow', value: (row) => `${row}workflow_id`, isIn: always },
      { list: 'executions_in_status', value: (row) => `${row}status`, isIn: hasEnded },
      {
        list: 'executions_of_workflow_in_status',
        value: (row) => `${row}workflow_id || ' ' || ${row}status`,
        isIn: hasEnded,
      },
    ],
  },
  {
    table: 'batch_items',
    columns: ['state'],
    lists: [
      {
        list: 'batch_items_in_state',
        value: (row) => `${row}batch_id || ' ' || ${row}state`,
        isIn: (row) => `${row}state <> 'open'`,
      },
    ],
  },
  // Queues have the number of those that wait.
  {
    table: 'webhook_deliveries',
    columns: ['account_id', 'endpoint_id', 'status'],
    lists: [
      { list: 'webhook_deliveries_in_status', value: (row) => `${row}status`, isIn: deliveryEnded },
      {
        list: 'webhook_deliveries_of_endpoint_in_status',
        value: (row) => `${row}endpoint_id || ' ' || ${row}status`,
        isIn: deliveryEnded,
      },
    ],
  },
]

/** The triggers of the totals of a table. */
export function totalsOf(db: Kysely<unknown>, table: CountedTable): string[] {
  return isPostgres(db) ? postgresTotals(table) : sqliteTotals(table)
}

/** A trigger for each list, so that an update only runs the statements of the lists that it moves a row between. */
function sqliteTotals({ table, columns, lists }: CountedTable): string[] {
  return lists.flatMap((countedList) => {
    const { list, value, isIn } = countedList
    const add = (row: 'new.' | 'old.', change: 1 | -1) => `
      insert into list_totals (account_id, list, value, total)
        select ${row}account_id, '${list}', ${value(row)}, ${change} where ${isIn(row)}
        on conflict do update set total = total + excluded.total;`
    return [
      `create trigger ${list}_added after insert on ${table} when ${isIn('new.')} begin ${add('new.', 1)} end`,
      `create trigger ${list}_removed after delete on ${table} when ${isIn('old.')} begin ${add('old.', -1)} end`,
      `create trigger ${list}_moved after update of ${columns.join(', ')} on ${table}
        when ${moves([countedList], 'is not')}
        begin ${add('old.', -1)} ${add('new.', 1)} end`,
    ]
  })
}

/** Whether an update moves a row: an execution that starts, or waits again, stays in its lists. */
function moves(lists: CountedTable['lists'], isNot: string): string {
  return lists
    .map(
      ({ value, isIn }) =>
        `(${isIn('old.')}) ${isNot} (${isIn('new.')}) or (${isIn('new.')}) and ${value('old.')} ${isNot} ${value('new.')}`,
    )
    .concat(`old.account_id ${isNot} new.account_id`)
    .join(' or ')
}

const addToList = `
  create function add_to_list(of_account text, of_list text, of_value text, change bigint) returns void
  language plpgsql as $$
  begin
    update list_totals set total = total + change where id = (
      select id from list_totals where account_id = of_account and list = of_list and value = of_value
      limit 1 for update skip locked);
    if not found then
      insert into list_totals values (gen_random_uuid()::text, of_account, of_list, of_value, change);
    end if;
  end $$`

/** A statement that adds or removes many rows counts once for each list; an update counts each row that it moves. */
function postgresTotals({ table, columns, lists }: CountedTable): string[] {
  const counted = lists
    .map(
      ({ list, value, isIn }) => `select account_id, '${list}' as list, ${value('')} as value, count(*) as n
        from changed_rows where ${isIn('')} group by account_id, ${value('') === `''` ? 'account_id' : value('')}`,
    )
    .join(' union all ')
  const moved = lists
    .flatMap(({ list, value, isIn }) =>
      (['new.', 'old.'] as const).map(
        (row) => `select ${row}account_id, '${list}', ${value(row)}, ${row === 'new.' ? 1 : -1} where ${isIn(row)}`,
      ),
    )
    .join(' union all ')
  const add = 'perform add_to_list(changed.account_id, changed.list, changed.value, changed.n);'
  return [
    `create function count_${table}() returns trigger language plpgsql as $$
      declare changed record;
      begin
        for changed in
          select account_id, list, value, case tg_op when 'DELETE' then -n else n end as n from (${counted}) as counted
        loop ${add} end loop;
        return null;
      end $$`,
    `create function move_${table}() returns trigger language plpgsql as $$
      declare changed record;
      begin
        for changed in
          select account_id, list, value, sum(n)::bigint as n
          from (${moved}) as counted (account_id, list, value, n)
          group by account_id, list, value having sum(n) <> 0
        loop ${add} end loop;
        return null;
      end $$`,
    `create trigger ${table}_added after insert on ${table} referencing new table as changed_rows
      for each statement execute function count_${table}()`,
    `create trigger ${table}_removed after delete on ${table} referencing old table as changed_rows
      for each statement execute function count_${table}()`,
    `create trigger ${table}_moved after update of ${columns.join(', ')} on ${table} for each row
      when (${moves(lists, 'is distinct from')})
      execute function move_${table}()`,
  ]
}

const countWaiting = (row: 'new' | 'old', change: string) =>
  `update account_queues set waiting = waiting ${change} where account_id = ${row}.account_id;`
const waits = (row: 'new' | 'old') => `${row}.status = 'pending'`
const starts = `${waits('old')} and not ${waits('new')}`
const waitsAgain = `${waits('new')} and not ${waits('old')}`

const sqliteQueues = [
  `create trigger accounts_queued after insert on accounts
    begin insert into account_queues (account_id) values (new.id); end`,
  `create trigger executions_waiting_added after insert on executions when ${waits('new')}
    begin ${countWaiting('new', '+ 1')} end`,
  `create trigger executions_waiting_removed after delete on executions when ${waits('old')}
    begin ${countWaiting('old', '- 1')} end`,
  `create trigger executions_waiting_started after update of status on executions when ${starts}
    begin ${countWaiting('old', '- 1')} end`,
  `create trigger executions_waiting_again after update of status on executions when ${waitsAgain}
    begin ${countWaiting('new', '+ 1')} end`,
]

const postgresQueues = [
  `create function add_account_queue() returns trigger language plpgsql as $$
    begin insert into account_queues (account_id) values (new.id); return null; end $$`,
  `create function add_waiting() returns trigger language plpgsql as $$
    begin ${countWaiting('new', '+ 1')} return null; end $$`,
  `create function remove_waiting() returns trigger language plpgsql as $$
    begin ${countWaiting('old', '- 1')} return null; end $$`,
  `create trigger accounts_queued after insert on accounts for each row execute function add_account_queue()`,
  `create trigger executions_waiting_added after insert on executions for each row when (${waits('new')})
    execute function add_waiting()`,
  `create trigger executions_waiting_removed after delete on executions for each row when (${waits('old')})
    execute function remove_waiting()`,
  `create trigger executions_waiting_started after update of status on executions for each row when (${starts})
    execute function remove_waiting()`,
  `create trigger executions_waiting_again after update of status on executions for each row when (${waitsAgain})
    execute function add_waiting()`,
]
