/** A data directory with services that start and die, their clients, and their records. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/domain/clock.ts'
import { createAccounts } from '../../src/services/accounts/accounts.ts'
import { createKeys } from '../../src/services/accounts/keys.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { scratchFolder } from '../contract/scratch.ts'
import type { Document } from '../harness/documents.ts'
import { sendRequest } from '../harness/http.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { checkCalls, readCalls } from './call-invariants.ts'
import type { ChildMessage } from './processes/halting-service.ts'

const haltingProgram = fileURLToPath(new URL('processes/halting-service.ts', import.meta.url))

export interface ExecutionWithCost extends Execution {
  error?: { code: string; message: string; details: { requestId: string; reason?: string; problem?: string } }
  cost?: { usd: number; unknown?: number }
}

/** A process of the service: `halted` are the executions that have halted. */
export interface Running {
  origin: string
  halted: Set<string>
  kill(): Promise<void>
}

export type Setup = Awaited<ReturnType<typeof openSetup>>

export async function openSetup(t: TestContext, environment: Record<string, string>) {
  const dir = scratchFolder()
  const database = await openDatabase({ file: join(dir, 'tintype.db') })
  t.after(() => database.close())
  const { accounts, executions, keys, projects } = database.stores
  const clock = systemClock
  const about = { name: 'A setup', plan: 'enterprise', rateLimit: 1_000_000 } as const
  const account = await createAccounts({ accounts, projects, executions, clock }).create(about)
  const { text: key } = await createKeys({ keys, accounts, clock }).create(account.id)
  const env = {
    ...inherited(),
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dir,
    LOG_LEVEL: 'info',
    EXECUTIONS_RUNNING_MAX: '400',
    SHUTDOWN_GRACE_SECONDS: '1',
    ...environment,
  }
  const lines: string[] = []
  let running: Running | undefined
  t.after(() => running?.kill())

  async function call<Body>(method: string, path: string, json?: object): Promise<Body> {
    const { origin } = running ?? {}
    assert.ok(origin, 'no service runs')
    const headers = { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) }
    const body = json && JSON.stringify(json)
    const response = await sendRequest(origin, `/v1${path}`, { method, headers, body, keepAlive: false })
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.bytes}`)
    return JSON.parse(response.bytes.toString()) as Body
  }

  async function callsOf(executionId: string) {
    return database.kysely.selectFrom('provider_calls').selectAll().where('execution_id', '=', executionId).execute()
  }

  /** Ids of executions that have not ended. */
  async function openExecutions(): Promise<Set<string>> {
    const query = database.kysely.selectFrom('executions').select('id')
    const rows = await query.where('status', 'in', ['pending', 'running']).execute()
    return new Set(rows.map(({ id }) => id))
  }

  return {
    kysely: database.kysely,
    openExecutions,
    call,
    callsOf,

    /** A service in which calls halt at the point in the name of their node. */
    async startHaltingService(): Promise<Running> {
      const child = fork(haltingProgram, [], { env, cwd: dir })
      const halted = new Set<string>()
      const origin = await new Promise<string>((resolve, fail) => {
        child.once('exit', () => fail(new Error('the service has ended while it started')))
        child.on('message', (message: ChildMessage) => {
          if ('origin' in message) resolve(message.origin)
          else halted.add(message.halted)
        })
      })
      running = { origin, halted, kill: () => killed(child) }
      return running
    },

    /** The real service, with its usual command. */
    async start(): Promise<Running & { process: RunningProcess }> {
      const process = startProcess(['serve'], { cwd: dir, env }, lines)
      const origin = await process.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
      const started = { origin, halted: new Set<string>(), kill: () => process.kill(), process }
      running = started
      await until('a response of /health/ready', async () => {
        const { status } = await sendRequest(origin, '/health/ready', { keepAlive: false })
        return status === 200 || undefined
      })
      return started
    },

    async execute(document: Document): Promise<string> {
      const { id: workflowId } = await call<{ id: string }>('POST', '/workflows', document)
      const { executionId } = await call<Execution>('POST', '/workflows/execute', { workflowId, async: true })
      return executionId
    },

    /** Returns the id of the execution that resumes it. */
    async resume(id: string): Promise<string> {
      const path = `/workflows/executions/${id}/resume`
      return (await call<Execution>('POST', path, { async: true })).executionId
    },

    getExecution: (id: string) => call<ExecutionWithCost>('GET', `/workflows/executions/${id}`),

    /** Waits until no execution is running. */
    async waitForExecutions(secondsMax = 60): Promise<void> {
      await until('executions to end', async () => (await openExecutions()).size === 0 || undefined, secondsMax)
    },

    async checkCosts({ givenUp: abandoned = true } = {}): Promise<void> {
      const records = await readCalls(database.kysely)
      checkCalls(records, { abandoned })
      const { totals } = await call<{ totals: { costUsd: number; calls: number; failures: number } }>('GET', '/usage')
      const spent = records.calls.reduce((sum, row) => sum + costMicrosOf(row), 0)
      assert.equal(Math.round(totals.costUsd * 1e6), spent, 'the usage that is told is what the calls cost')
      const ended = records.calls.filter(({ ended_at }) => ended_at !== null)
      assert.equal(totals.calls + totals.failures, ended.length)
    },
  }
}

type CallRow = Awaited<ReturnType<Setup['callsOf']>>[number]

/** Costs; a call with unknown cost counts with its reservation. */
export function costMicrosOf({ cost_micros, state, reserved_micros }: CallRow): number {
  return cost_micros ?? (state === 'done' || state === 'unknown' ? reserved_micros : 0)
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
