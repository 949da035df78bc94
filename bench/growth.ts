/**
 * The growth of the database by executions, in bytes of each table with its indexes, on both engines: `node bench/growth.ts`. The numbers are sizes of
 * pages, so they don't depend on the machine. Each execution has two steps, two parameters and an output image.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../src/storage/database/open.ts'
import { execution, step, success, tenant } from '../test/contract/records.ts'
import { startPostgres } from '../test/harness/postgres.ts'

const executions = 5_000
const atOnce = 20

/** Bytes of each table with its indexes. */
async function sizesOf({ engine, kysely }: Database): Promise<Map<string, number>> {
  if (engine === 'postgres') await sql`vacuum full`.execute(kysely)
  const query =
    engine === 'postgres'
      ? sql<{ name: string; bytes: number }>`
          select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
          where relkind = 'r' and relnamespace = 'public'::regnamespace`
      : sql<{ name: string; bytes: number }>`
          select m.tbl_name as name, sum(s.pgsize) as bytes
          from dbstat as s join sqlite_master as m on m.name = s.name group by m.tbl_name`
  return new Map((await query.execute(kysely)).rows.map(({ name, bytes }) => [name, bytes]))
}

async function fill({ stores }: Database): Promise<void> {
  const { workflow } = await tenant(stores)
  const steps = ['photo', 'cover'].map((node) => step({ node }))
  const executeOne = async () => {
    const parameters = { headline: 'Small things travel far', site: 'example.com' }
    await stores.executions.create(execution(workflow, { parameters }))
    const claimed = await stores.executions.claimNext(Date.now())
    if (claimed === undefined) return
    await stores.executions.saveSteps(claimed.id, claimed.attempt, steps)
    const result = { ...success(claimed, { projectId: workflow.projectId }), steps, completedAt: Date.now() }
    await stores.executions.complete(claimed.id, claimed.attempt, result)
  }
  for (let done = 0; done < executions; done += atOnce) await Promise.all(Array.from({ length: atOnce }, executeOne))
}

async function measure(database: Database): Promise<void> {
  const before = await sizesOf(database)
  await fill(database)
  const after = await sizesOf(database)
  const rows = [...after]
    .map(([name, bytes]) => [name, Math.round((bytes - (before.get(name) ?? 0)) / executions)] as const)
    .filter(([, bytes]) => bytes >= 20)
    .sort(([, a], [, b]) => b - a)
  const sum = rows.reduce((total, [, bytes]) => total + bytes, 0)
  process.stdout.write(`${database.engine}: ${sum} bytes per execution, ${(sum / 1_000).toFixed(2)} GB per million\n`)
  for (const [name, bytes] of rows) process.stdout.write(`  ${name} ${bytes}\n`)
  await database.close()
}

const dir = mkdtempSync(join(tmpdir(), 'tintype-growth-'))
const server = await startPostgres({ durable: false })
try {
  await measure(await openDatabase({ file: join(dir, 'tintype.db') }))
  await measure(await openDatabase({ url: await server.newDatabase() }))
} finally {
  await server.remove()
  rmSync(dir, { recursive: true })
}
