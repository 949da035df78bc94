import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { executeFor } from '../dialect.ts'

/**
 * How many rows a list has, kept by triggers in the transaction of every change, whoever makes it: to count a million of
 * them takes a hundred times longer than to read a page. Executions that have not ended are few, and are counted.
 *
 * The total of one list of one account is the sum of its rows here. On PostgreSQL a writer takes one of them that no other
 * holds, and adds another when there is none: nobody waits, so nothing can deadlock, and there are as many as there were
 * ever writers at once. On SQLite there is one writer, and one row.
 */
export const writtenTotals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('list_totals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('list_totals_of_list')
      .on('list_totals')
      .columns(['account_id', 'list', 'value'])
      .execute()
    // With one of its two parts alone, SQLite and PostgreSQL would pass over all that the other part rules out.
    await db.schema
      .createIndex('executions_of_workflow_in_status_newest')
      .on('executions')
      .columns(['account_id', 'workflow_id', 'status', 'created_at desc', 'id desc'])
      .execute()
    // The triggers come first: they lock their tables, so what is counted after them is all that they have not counted.
    await executeFor(db, {
      sqlite: [...tables.flatMap(sqliteTriggers), ...fill(sqliteId)],
      postgres: [postgresAdd, ...tables.flatMap(postgresTriggers), ...fill(postgresId)],
    })
  },
}

interface Counted {
  table: string
  /** A change of these may move a row from one list to another. */
  columns: string[]
  /** The lists that a row is in: which of that kind, and whether at all. `row` stands for it, with its dot. */
  lists: { list: string; value: (row: string) => string; isIn: (row: string) => string }[]
}

const always = () => '1 = 1'
const isLive = (row: string) => `${row}deleted_at is null`
const hasEnded = (row: string) => `${row}status in ('completed', 'failed')`

const tables: Counted[] = [
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
]

const sqliteId = 'hex(randomblob(16))'
const postgresId = 'gen_random_uuid()::text'

function fill(id: string): string[] {
  return tables.map(
    ({ table, lists }) => `insert into list_totals (id, account_id, list, value, total)
      select ${id}, account_id, list, value, n from (${grouped(table, lists)}) as counted`,
  )
}

function grouped(from: string, lists: Counted['lists']): string {
  return lists
    .map(
      ({ list, value, isIn }) => `select account_id, '${list}' as list, ${value('')} as value, count(*) as n
        from ${from} where ${isIn('')} group by account_id, ${value('') === `''` ? 'account_id' : value('')}`,
    )
    .join(' union all ')
}

function sqliteTriggers({ table, columns, lists }: Counted): string[] {
  const add = (row: 'new.' | 'old.', change: string) =>
    lists
      .map(({ list, value, isIn }) => {
        const key = `account_id = ${row}account_id and list = '${list}' and value = ${value(row)}`
        return `
          insert into list_totals (id, account_id, list, value, total)
            select ${sqliteId}, ${row}account_id, '${list}', ${value(row)}, 0
            where ${isIn(row)} and not exists (select 1 from list_totals where ${key});
          update list_totals set total = total ${change} where ${key} and ${isIn(row)};`
      })
      .join('')
  return [
    `create trigger ${table}_counted after insert on ${table} begin ${add('new.', '+ 1')} end`,
    `create trigger ${table}_uncounted after delete on ${table} begin ${add('old.', '- 1')} end`,
    `create trigger ${table}_recounted after update of ${columns.join(', ')} on ${table}
      when ${moves(lists, 'is not')}
      begin ${add('old.', '- 1')} ${add('new.', '+ 1')} end`,
  ]
}

/** Whether a change moves a row at all: an execution that begins to run, or waits again, stays where it was. */
function moves(lists: Counted['lists'], isNot: string): string {
  return lists
    .map(
      ({ value, isIn }) =>
        `(${isIn('old.')}) ${isNot} (${isIn('new.')}) or (${isIn('new.')}) and ${value('old.')} ${isNot} ${value('new.')}`,
    )
    .concat(`old.account_id ${isNot} new.account_id`)
    .join(' or ')
}

const postgresAdd = `
  create function add_to_list(of_account text, of_list text, of_value text, change bigint) returns void
  language plpgsql as $$
  begin
    update list_totals set total = total + change where id = (
      select id from list_totals where account_id = of_account and list = of_list and value = of_value
      limit 1 for update skip locked);
    if not found then
      insert into list_totals values (${postgresId}, of_account, of_list, of_value, change);
    end if;
  end $$`

/** A statement that changes many rows adds once for each list; one that moves a row adds where it made a difference. */
function postgresTriggers({ table, columns, lists }: Counted): string[] {
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
          select account_id, list, value, case tg_op when 'DELETE' then -n else n end as n
          from (${grouped('changed_rows', lists)}) as counted
        loop ${add} end loop;
        return null;
      end $$`,
    `create function recount_${table}() returns trigger language plpgsql as $$
      declare changed record;
      begin
        for changed in
          select account_id, list, value, sum(n)::bigint as n
          from (${moved}) as counted (account_id, list, value, n)
          group by account_id, list, value having sum(n) <> 0
        loop ${add} end loop;
        return null;
      end $$`,
    `create trigger ${table}_counted after insert on ${table} referencing new table as changed_rows
      for each statement execute function count_${table}()`,
    `create trigger ${table}_uncounted after delete on ${table} referencing old table as changed_rows
      for each statement execute function count_${table}()`,
    `create trigger ${table}_recounted after update of ${columns.join(', ')} on ${table} for each row
      when (${moves(lists, 'is distinct from')})
      execute function recount_${table}()`,
  ]
}
