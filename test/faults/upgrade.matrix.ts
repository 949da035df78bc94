/** The promise of docs/guide/upgrades.md: a new release migrates PostgreSQL while processes of the previous one work, and these continue. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type LockingMigration, migrate } from '../../src/storage/database/migrate.ts'
import { migrations } from '../../src/storage/database/migrations/index.ts'
import { openPostgres } from '../../src/storage/database/postgres.ts'
import { createClient, ok } from '../harness/client.ts'
import { scale } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, run, save, upload } from '../harness/workflows.ts'

let postgres: PostgresServer
let service: Service | undefined
let url: string
before(async () => {
  postgres = await startPostgres()
  url = await postgres.newDatabase()
  service = await startWithoutExamples({ DATABASE_URL: url })
})
after(async () => {
  await service?.remove()
  await postgres.remove()
})

/** Changes all tables, with a required column, triggers and a foreign key. Requests lock them in other orders. */
function changingAll(tables: readonly string[]): LockingMigration {
  return {
    tables,
    async up(db) {
      for (const table of tables)
        await sql`alter table ${sql.table(table)} add column added_later text not null default 'x'`.execute(db)
      await sql`alter table images add foreign key (account_id) references accounts (id)`.execute(db)
      await sql`create function look() returns trigger language plpgsql as $$ begin return null; end $$`.execute(db)
      await sql`create trigger look after insert or update on images for each row execute function look()`.execute(db)
      await sql`create trigger look after insert or update on executions for each row execute function look()`.execute(
        db,
      )
    },
  }
}

test('a release that changes all tables migrates them under load, and the previous one continues without an error', async () => {
  assert.ok(service)
  const api = await createClient(service, service.key)
  const bytes = await plain('png')
  const { id: workflowId } = await save(api, scale())
  const parameters = { source: (await upload(api, bytes)).id }
  const work = [
    () => upload(api, bytes),
    async () => assert.equal((await fetchImage(api, (await run(api, workflowId, parameters)).url)).length > 0, true),
    async () => {
      const started = ok(await api.post<Execution>('/workflows/execute', { workflowId, parameters, async: true }), 202)
      const { status } = await until(`the end of ${started.executionId}`, async () => {
        const execution = ok(await api.get<Execution>(`/workflows/executions/${started.executionId}`))
        return execution.status === 'completed' || execution.status === 'failed' ? execution : undefined
      })
      assert.equal(status, 'completed')
    },
    async () => {
      for (const path of ['/workflows/executions', '/storage/images', '/workflows']) ok(await api.get(path))
      await save(api, scale())
    },
  ]
  const done = work.map(() => 0)
  let isOpen = true
  const all = Promise.all(
    work.map(async (each, i) => {
      try {
        while (isOpen) {
          await each()
          done[i] = Number(done[i]) + 1
        }
      } finally {
        isOpen = false
      }
    }),
  )
  all.catch(() => undefined)
  /** Each loop goes round some more times. */
  const continues = async () => {
    const before = [...done]
    const moreOfAll = () => done.every((count, i) => count >= Number(before[i]) + 10) || undefined
    await Promise.race([all, until('more requests', moreOfAll)])
  }
  await continues()
  const { db, migrating } = await openPostgres(url, { connectionsMax: 1 })
  try {
    // The newest first: a table refers to older ones.
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not like 'kysely%' order by relname in ('account_queues', 'list_totals'), oid desc`.execute(db)
    const tables = rows.map(({ name }) => name)
    assert.ok(tables.length > 40)
    await migrating((migrator) => migrate(migrator, { ...migrations, '2099-01-01-test': changingAll(tables) }))
    await continues()
  } finally {
    isOpen = false
    await db.destroy()
  }
  await all
})
