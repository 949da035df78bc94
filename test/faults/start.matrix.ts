/** A start that fails at its last step. Open listeners and timers must not keep a worker running; a service isn't ready without its executor. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../src/storage/database/open.ts'
import { sendRequest } from '../harness/http.ts'
import { startPostgres } from '../harness/postgres.ts'
import { inherited, startProcess } from '../harness/process.ts'
import { until } from '../harness/wait.ts'

test('a worker that cannot use the queue at its start ends, and a service is not ready, so that a supervisor can restart it', async (t) => {
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
  const start = (command: string) => {
    const env = { ...inherited(), DATABASE_URL, DATA_DIR: join(dir, command), PORT: '0' }
    const started = startProcess([command], { cwd: dir, env }, [])
    t.after(() => started.kill())
    return started
  }
  const cause = /permission denied for table workers/

  const worker = start('worker')
  await until('worker to end', () => !worker.isRunning() || undefined)
  assert.equal(await worker.ended(), 1)
  assert.match(worker.printed().join('\n'), /Tintype failed: /)
  assert.match(worker.printed().join('\n'), cause)

  const serve = start('serve')
  const origin = await serve.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
  await until('503 of /health/ready', async () => {
    const { status, bytes } = await sendRequest(origin, '/health/ready', { keepAlive: false })
    return (status === 503 && /executor has ended several times/.test(bytes.toString())) || undefined
  })
  assert.match(serve.printed().join('\n'), cause)
})

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
