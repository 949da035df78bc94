/** Agents at two processes of one PostgreSQL: a call at one is continued, repeated and paid for once at the other. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { Fake } from '../../fakes/src/fake.ts'
import { startFake } from '../../fakes/src/index.ts'
import { openRecordServices } from '../../src/app/records.ts'
import { drawn } from '../harness/ai.ts'
import { sendRequest } from '../harness/http.ts'
import { answer, connectMcp, type Revision } from '../harness/mcp.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import { until } from '../harness/wait.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
const dir = mkdtempSync(path.join(os.tmpdir(), 'tintype-agents-'))
const processes: RunningProcess[] = []
const revisions: readonly Revision[] = ['auto', 'legacy']
let databaseUrl: string
let openai: Fake
let key: string
let one: RunningProcess
let origins: [string, string]

interface Ran {
  executionId: string
  status: string
  costUsd: number
}

before(async () => {
  openai = await startFake('openai', { key: 'sk-fake' })
  databaseUrl = await newDatabaseOn(serverUrl ?? server?.url ?? '')
  one = start('one', 'serve', '--no-worker')
  const first = await originOf(one)
  origins = [first, await originOf(start('two', 'serve', '--no-worker'))]
  await start('worker', 'worker').waitForOutput(/is working: /)
  const records = await openRecordServices({
    dataDir: dir,
    databaseUrl,
    databaseConnectionsMax: 2,
    accountBudgetUsdPerMonth: undefined,
    executionsKeptDays: 90,
  })
  const { id } = await records.accounts.create({ name: 'Agents', plan: 'enterprise', rateLimit: 1_000_000 })
  key = (await records.keys.create(id, { name: '', permissions: ['all'] })).text
  await records.close()
  const document = { ...drawn(), mcp: { description: 'Draws a prompt.' }, slug: 'drawn' }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(document)
  const saved = await sendRequest(first, '/v1/workflows', { method: 'POST', headers, body })
  assert.equal(saved.status, 201, saved.bytes.toString())
})

after(async () => {
  await Promise.all(processes.map((each) => each.kill()))
  await openai?.close()
  await server?.remove()
  rmSync(dir, { recursive: true, force: true })
})

beforeEach(() => openai.reset())

const originOf = (api: RunningProcess) => api.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)

function start(name: string, ...args: string[]): RunningProcess {
  const env = {
    ...inherited(),
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: path.join(dir, name),
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS_MAX: '4',
    STORAGE_URL: `file://${dir}/blobs`,
    OPENAI_BASE_URL: openai.url,
    OPENAI_API_KEY: 'sk-fake',
  }
  const started = startProcess(args, { cwd: dir, env }, [])
  processes.push(started)
  return started
}

async function at<T>(
  process: 0 | 1,
  revision: Revision,
  work: (client: Awaited<ReturnType<typeof connectMcp>>) => Promise<T>,
) {
  const client = await connectMcp({ origin: origins[process] }, key, { revision })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

for (const revision of revisions) {
  test(`${revision}: a client that gives up at one process gets its execution at the other, and pays once`, async () => {
    openai.script({ do: 'slow', ms: 1_500 })
    const prompt = `Give up ${revision}`
    await at(0, revision, (client) =>
      assert.rejects(client.callTool({ name: 'run_drawn', arguments: { prompt } }, { timeout: 300 })),
    )
    const ran = await at(1, revision, (client) => answer<Ran>(client, 'run_drawn', { prompt }))
    assert.equal(ran.status, 'completed')
    const found = await at(0, revision, (client) =>
      answer<Ran>(client, 'get_execution', { executionId: ran.executionId }),
    )
    assert.deepEqual([found.status, found.costUsd], ['completed', ran.costUsd])
    assert.equal(openai.billed().length, 1)
  })

  test(`${revision}: 100 equal calls at two processes start one execution`, async () => {
    const prompt = `Together ${revision}`
    const ids = await Promise.all(
      ([0, 1] as const).map((process) =>
        at(process, revision, (client) =>
          Promise.all(
            Array.from({ length: 50 }, async () => (await answer<Ran>(client, 'run_drawn', { prompt })).executionId),
          ),
        ),
      ),
    )
    assert.equal(new Set(ids.flat()).size, 1)
    assert.equal(openai.billed().length, 1)
  })
}

// The last test, because it ends the first process.
test('the process of a call is killed, and the client continues at the other', async () => {
  openai.script({ do: 'slow', ms: 2_000 })
  const prompt = 'Killed'
  const client = await connectMcp({ origin: origins[0] }, key)
  const lost = assert.rejects(client.callTool({ name: 'run_drawn', arguments: { prompt } }))
  await until('the call of the model', async () => openai.log.length > 0 || undefined)
  await one.kill()
  await lost
  await client.close()
  const { status } = await at(1, 'auto', (other) => answer<Ran>(other, 'run_drawn', { prompt }))
  assert.equal(status, 'completed')
  assert.equal(openai.billed().length, 1)
})
