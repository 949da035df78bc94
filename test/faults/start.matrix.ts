/** A start that fails at its last step: open listeners and timers must not keep the process running. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../src/storage/database/open.ts'
import { startPostgres } from '../harness/postgres.ts'
import { inherited, startProcess } from '../harness/process.ts'
import { until } from '../harness/wait.ts'

test('a service or worker that cannot use the queue at its start ends, so that a supervisor can restart it', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-start-'))
  const postgres = await startPostgres({ durable: false })
  t.after(async () => {
    await postgres.remove()
    rmSync(dir, { recursive: true, force: true })
  })
  const url = await postgres.newDatabase()
  await (await openDatabase({ url })).close()
  // This role may use all records except the leases of workers, which are used last.
  await run(url, 'create role few login')
  await run(url, 'grant all on all tables in schema public to few')
  await run(url, 'revoke all on workers from few')
  const DATABASE_URL = Object.assign(new URL(url), { username: 'few' }).href
  for (const args of [['worker'], ['serve']]) {
    const env = { ...inherited(), DATABASE_URL, DATA_DIR: join(dir, args.join('')), PORT: '0' }
    const started = startProcess(args, { cwd: dir, env }, [])
    t.after(() => started.kill())
    await until(`${args} to end`, () => !started.isRunning() || undefined)
    assert.equal(await started.ended(), 1)
    assert.match(started.printed().join('\n'), /Tintype failed: .*permission denied for table workers/)
  }
})

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
