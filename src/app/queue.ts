/**
 * Composition of the parts that depend on the number of processes: queue, notices between processes, and request counters. SQLite has one
 * serving process, PostgreSQL any number.
 */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { RateCounter } from '../domain/accounts/rate.ts'
import type { AttemptBounds } from '../domain/executions/execution.ts'
import type { ExecutionNotices } from '../domain/executions/execution-notice.ts'
import type { ExecutionQueue, HandOver } from '../domain/executions/execution-queue.ts'
import { newId } from '../domain/ids.ts'
import { failure } from '../errors.ts'
import type { NoticeLink } from '../executor/executor.ts'
import { limits } from '../limits.ts'
import { executionError } from '../services/executions/executions.ts'
import type { Database } from '../storage/database/open.ts'
import { type ServeLock, waitForServeLock } from '../storage/database/serve-lock.ts'
import { rawQuery } from '../storage/database/sql/raw-query.ts'
import { createExecutionQueue } from '../storage/queue/claims.ts'
import { createInProcessNotices } from '../storage/queue/in-process-notices.ts'
import { createLeases } from '../storage/queue/leases.ts'
import { createMemoryRates } from '../storage/rate-limits/memory.ts'
import { createPostgresRates } from '../storage/rate-limits/postgres.ts'

export interface Queueing {
  notices: ExecutionNotices
  queue: ExecutionQueue
  /** Runs before the first claim: recovers executions of a lost process, if this process is responsible for them. */
  recover(): Promise<void>
  close(): Promise<void>
}

export interface QueueOptions {
  /** Connection from the service to its executor and back, with SQLite. */
  link?: NoticeLink | undefined
  /** Passes executions from the service to its executor. */
  handOver?: HandOver | undefined
  /**
   * Id of the worker with PostgreSQL: the one of the service and its executor, and of the next executor, which takes
   * over the executions of a lost one.
   */
  workerId?: string | undefined
}

export async function createQueueAndNotices(
  config: Config,
  database: Database,
  log: Logger,
  options: QueueOptions = {},
): Promise<Queueing> {
  return config.databaseUrl === undefined
    ? sqliteQueue(config, database, log, options)
    : manyProcesses(config.databaseUrl, config, database, log, options)
}

/** Counts requests, for the rate limit of an account. */
export function createRateCounter({ engine, kysely, clock }: Database, log: Logger): RateCounter {
  if (engine === 'sqlite') return createMemoryRates()
  return createPostgresRates({
    query: rawQuery(kysely),
    clock,
    onError: (err) => log.warn({ err }, 'requests are counted by this process alone'),
  })
}

function sqliteQueue(
  config: Config,
  { stores: { executions }, clock }: Database,
  log: Logger,
  { link, handOver }: QueueOptions,
): Queueing {
  const local = createInProcessNotices({ onError: (err) => log.error({ err }, 'a listener of notices failed') })
  const notices = link ? linked(local, link) : local
  let lock: ServeLock | undefined
  return {
    notices,
    queue: createExecutionQueue({ executions, notices, clock, boundsOf, secondsMax: secondsMaxOf(config), handOver }),
    async recover() {
      // The executor of a killed service can run for another moment and claim an execution, which would be lost.
      lock ??= await waitForServeLock(join(config.dataDir, 'worker.lock'))
      const recovered = await executions.recover({ ...boundsOf(), now: clock.now() })
      if (recovered.requeued + recovered.failed > 0)
        log.warn(recovered, 'recovered executions of a process that stopped')
    },
    close: async () => lock?.release(),
  }
}

function linked(local: ExecutionNotices, link: NoticeLink): ExecutionNotices {
  link.listen((notice) => local.send(notice))
  return {
    send(notice) {
      local.send(notice)
      link.send(notice)
    },
    listen: (notify) => local.listen(notify),
  }
}

async function manyProcesses(
  url: string,
  config: Config,
  { stores: { executions }, kysely, clock }: Database,
  log: Logger,
  { workerId = newId('wrk', clock.now()), handOver }: QueueOptions,
): Promise<Queueing> {
  const { createPostgresNotices } = await import('../storage/queue/postgres-notices.ts')
  const notices = await createPostgresNotices(url, { onError: (err) => log.error({ err }, 'notices failed') })
  const secondsMax = secondsMaxOf(config)
  const leases = createLeases(rawQuery(kysely), workerId)
  return {
    notices,
    queue: createExecutionQueue({ executions, notices, clock, boundsOf, secondsMax, leases, handOver }),
    // The leases show which executions were lost.
    recover: async () => {},
    close: () => notices.close(),
  }
}

/** Time that an execution can wait for memory, and for storage of its output, in addition to its deadline. */
const executionMoreSeconds = 300

function secondsMaxOf({ executionTimeoutSeconds }: Config): number {
  return executionTimeoutSeconds + executionMoreSeconds
}

/** Bounds of an execution; without an id several executions ended, and each sends its own notice. */
function boundsOf(executionId = ''): AttemptBounds {
  const message = `All ${limits.executionAttemptsMax} attempts of the execution ended early: the worker process stopped, or the database or the image storage became unavailable. Execute again, or contact the operator.`
  const fault = failure('worker_lost', message)
  return { attemptsMax: limits.executionAttemptsMax, error: executionError(executionId, fault) }
}
