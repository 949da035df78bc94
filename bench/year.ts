/**
 * A year of executions with the jobs of the retention, on an engine: `node bench/year.ts sqlite 500` simulates 500 executions per day, each with an
 * idempotency key, an output that expires after 30 days, and a webhook delivery, and one upload in ten with an entry of the audit log. It prints the size of the
 * database and the rows at the end of each quarter. After the longest times (90 days, and a year for the audit log) both stay the same.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dayMs } from '../src/domain/accounts/activity.ts'
import { newId } from '../src/domain/ids.ts'
import { createActivity } from '../src/services/accounts/activity.ts'
import { type Database, openDatabase } from '../src/storage/database/open.ts'
import { toDeliveryRow } from '../src/storage/database/sql/webhook-delivery-row.ts'
import { execution, image, step, success, tenant } from '../test/contract/records.ts'
import { deliveryTo, endpointOf } from '../test/contract/webhooks.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { retentionOf } from '../test/harness/retention.ts'

const [engine = 'sqlite', perDay = '500', days = '365'] = process.argv.slice(2)
const executionsPerDay = Number(perDay)
const atOnce = 20
/** The jobs run as often on a day. */
const partsOfDay = 2
const tables = [
  'executions',
  'execution_events',
  'images',
  'webhook_deliveries',
  'idempotency_keys',
  'audit_log',
] as const

async function simulate(database: Database, sizeOf: () => Promise<string>): Promise<void> {
  const { kysely, stores } = database
  const { account, workflow } = await tenant(stores)
  const clock = { ms: Date.UTC(2026, 0, 1), now: () => clock.ms }
  const retention = retentionOf({ ...database, clock }, { auditKeptDays: 90 })
  const activity = createActivity({ ...stores, clock })
  const endpoint = endpointOf(account.id)
  const steps = ['photo', 'cover'].map((node) => step({ node }))
  let sweepMs = 0
  let removed = 0

  async function executeOne(n: number): Promise<void> {
    const at = clock.ms
    const { id: accountId } = account
    const parameters = { headline: 'Small things travel far', site: 'example.com' }
    const created = execution(workflow, { id: newId('exec', at), createdAt: at, parameters })
    const record = { accountId, key: newId('key', at), method: 'POST', path: '/v1', fingerprint: 'f', createdAt: at }
    await stores.executions.create(created, { record })
    await stores.idempotency.finish(record, {
      status: 200,
      headers: {},
      body: '{"status":"completed"}',
    })
    let claimed = await stores.executions.claimNext(at)
    // On PostgreSQL, a claim passes over an account that another one has locked.
    while (claimed === undefined) claimed = await stores.executions.claimNext(at)
    await stores.executions.saveSteps(claimed.id, claimed.attempt, steps)
    const output = { id: newId('img', at), createdAt: at, expiresAt: at + 30 * dayMs, projectId: workflow.projectId }
    await stores.executions.complete(claimed.id, claimed.attempt, {
      ...success(claimed, output),
      steps,
      completedAt: at,
    })
    const delivery = {
      id: newId('whd', at),
      createdAt: at,
      endedAt: at,
      nextAttemptAt: null,
      status: 'delivered',
    } as const
    const row = toDeliveryRow(deliveryTo(endpoint, delivery), `{"type":"execution.completed","data":{"n":${n}}}`)
    await kysely.insertInto('webhook_deliveries').values(row).execute()
    if (n % 10 > 0) return
    const upload = image({ accountId, id: newId('img', at), createdAt: at, expiresAt: at + 30 * dayMs })
    await stores.images.create(upload)
    // Entries have the time of the machine.
    await sql`drop trigger if exists audit_log_unchanged ${sql.raw(engine === 'sqlite' ? '' : 'on audit_log')}`.execute(
      kysely,
    )
    await kysely.updateTable('audit_log').set({ created_at: at }).where('subject', '=', upload.id).execute()
  }

  for (let day = 1; day <= Number(days); day += 1) {
    for (let part = 0; part < partsOfDay; part += 1) {
      clock.ms += dayMs / partsOfDay
      for (let n = 0; n < executionsPerDay / partsOfDay; n += atOnce)
        await Promise.all(Array.from({ length: atOnce }, (_, i) => executeOne(n + i)))
      const startedAt = performance.now()
      await activity.closeDays(100)
      for (const { name } of retention.jobs) removed += await retention.sweep(name, { rowsMax: 200_000 })
      await kysely.deleteFrom('blob_removals').execute()
      sweepMs += performance.now() - startedAt
    }
    // Days pass faster than autovacuum looks.
    if (engine !== 'sqlite' && day % 5 === 0) await sql`vacuum`.execute(kysely)
    if (day % 91 > 0 && day !== 45 && day !== 100 && day !== Number(days)) continue
    const counts = []
    for (const table of tables) {
      const { n } = await kysely
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      counts.push(`${table} ${n}`)
    }
    process.stdout.write(
      `day ${day}: ${await sizeOf()}; ${counts.join(', ')}; removed ${removed} rows, ${Math.round(removed / (sweepMs / 1_000))} per second\n`,
    )
    sweepMs = 0
    removed = 0
  }
  await database.close()
}

const mb = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
if (engine === 'sqlite') {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-year-'))
  const file = join(dir, 'tintype.db')
  const database = await openDatabase({ file })
  await simulate(database, async () => {
    const { rows } = await sql<{ pages: number; free: number }>`
      select (select page_count from pragma_page_count) as pages, (select freelist_count from pragma_freelist_count) as free`.execute(
      database.kysely,
    )
    const log = statSync(`${file}-wal`).size
    return `${mb(statSync(file).size)}, log ${mb(log)}, ${rows[0]?.free} of ${rows[0]?.pages} pages free`
  })
  rmSync(dir, { recursive: true })
} else {
  const server = await startPostgres({ durable: false })
  const database = await openDatabase({ url: await server.newDatabase() })
  await simulate(database, async () => {
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(
      database.kysely,
    )
    return mb(Number(rows[0]?.bytes))
  })
  await server.remove()
}
