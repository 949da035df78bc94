/**
 * The queue of many processes: pg-boss, in the schema `pgboss` of the same database. A job only says "look at this
 * execution"; what is to be done with it is told by its row. The settings that are not pg-boss's own were measured: see
 * docs/decisions/0018-queue.md. Imported only where `DATABASE_URL` is set.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type ConstructorOptions, type Job, PgBoss, type Queue } from 'pg-boss'
import { type Clock, elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type {
  AttemptBounds,
  ExecutionNotices,
  ExecutionQueue,
  ExecutionStore,
  Meanwhile,
} from '../../domain/execution.ts'
import { limits } from '../../limits.ts'
import { rawQuery } from '../database/raw-query.ts'
import type { Schema } from '../database/schema.ts'
import { createSlots } from './slots.ts'

export interface PgBossOptions {
  url: string
  /** How long a worker may be busy with one execution, from its claim to its outcome. */
  executionSecondsMax: number
  /** Runs the work while no other process runs work of this name. */
  exclusively(name: string, work: () => Promise<void>): Promise<void>
  onError(error: unknown): void
}

export interface PgBossQueue {
  /** Within the transaction that leaves the execution pending. One that is queued or run already is not queued again. */
  enqueue(trx: Kysely<Schema>, executionId: string): Promise<void>
  /** What takes from the queue. */
  worker(dependencies: {
    executions: ExecutionStore
    notices: ExecutionNotices
    clock: Clock
    boundsOf(executionId: string): AttemptBounds
  }): ExecutionQueue
  /** Throws where nothing could be queued. */
  check(): Promise<void>
  close(): Promise<void>
}

interface Payload {
  executionId: string
}

const name = 'executions'

/** The least that pg-boss takes: a worker that was not heard of for so long is lost. */
const heartbeatSeconds = 10

function queueOptions(executionSecondsMax: number): Omit<Queue, 'name' | 'policy'> {
  return {
    notify: true,
    heartbeatSeconds,
    // A day is the most that pg-boss takes.
    expireInSeconds: Math.min(86_400, Math.ceil(executionSecondsMax)),
    // The row counts the attempts, and ends the execution when there were enough.
    retryLimit: 1_000_000,
    retryDelay: 0,
    retentionSeconds: 365 * 86_400,
    deleteAfterSeconds: 60,
  }
}

export function createPgBossQueue(options: PgBossOptions): PgBossQueue {
  const onError = withoutRepeats(options.onError)
  /** Only sends, so that it needs no connection of its own once it is there. */
  let sender: Promise<PgBoss> | undefined

  async function start(own: Partial<ConstructorOptions>): Promise<PgBoss> {
    const boss = new PgBoss({ ...connection(options.url), schedule: false, reindex: false, ...own })
    boss.on('error', onError)
    try {
      await options.exclusively('queue', async () => {
        await boss.start()
        const queue = queueOptions(options.executionSecondsMax)
        // `exclusive`: of one execution there is one job that waits or is worked on.
        if (await boss.getQueue(name)) await boss.updateQueue(name, queue)
        else await boss.createQueue(name, { ...queue, policy: 'exclusive' })
      })
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined)
      throw error
    }
    return boss
  }

  function senderStarted(): Promise<PgBoss> {
    sender ??= start({ max: 1, supervise: false }).catch((error) => {
      sender = undefined
      throw error
    })
    return sender
  }

  return {
    async enqueue(trx, executionId) {
      const boss = await senderStarted()
      await boss.send(name, { executionId }, { singletonKey: executionId, db: { executeSql: rawQuery(trx) } })
    },

    worker: ({ executions, notices, clock, boundsOf }) => ({
      async work({ atOnce, run, onError: onWorkError }) {
        const boss = await start({
          max: 4,
          useListenNotify: true,
          superviseIntervalSeconds: 1,
          monitorIntervalSeconds: 1,
          maintenanceIntervalSeconds: 60,
          notifyHeartbeatIntervalMs: 5_000,
        })
        const stopping = new AbortController()
        /** Of pg-boss: each has one job at a time. */
        let workers = 0
        const wanted = () => atOnce + slots.counts().away
        const slots = createSlots({
          atOnce,
          awayMax: limits.executionsAwayMax,
          onRoom: () => void addWorkers().catch(onError),
        })

        async function addWorkers(): Promise<void> {
          while (!stopping.signal.aborted && workers < wanted()) {
            workers += 1
            await beginOne().catch((error) => {
              workers -= 1
              throw error
            })
          }
        }

        async function perform({ data: { executionId }, signal }: Job<Payload>, meanwhile: Meanwhile): Promise<void> {
          if (stopping.signal.aborted) throw new ComesAgain()
          let execution: Awaited<ReturnType<ExecutionStore['claim']>>
          try {
            execution = await executions.claim(executionId, clock.now(), boundsOf(executionId))
          } catch (error) {
            onWorkError(error)
            await pause(claimRetryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
            throw new ComesAgain()
          }
          if (execution === undefined) notices.send({ kind: 'ended', executionId })
          else if ((await run(execution, signal, meanwhile)) === 'again') throw new ComesAgain()
        }

        async function beginOne(): Promise<void> {
          // The same for all, but for the id: which of them is to look at once for the next.
          const id: string = await boss.work<Payload>(name, polling, async ([job]) => {
            const slot = slots.begin()
            try {
              if (job) await perform(job, slot.meanwhile)
            } finally {
              slot.end()
              if (workers > wanted()) await endOne(id)
              else boss.notifyWorker(id)
            }
          })
        }

        /** One that took the place of an execution that has come back. */
        async function endOne(id: string): Promise<void> {
          workers -= 1
          await boss.offWork(name, { id, wait: false }).catch(onError)
        }

        async function findForgotten(): Promise<void> {
          try {
            await sendForgotten(boss, await executions.listUnended(clock.now() - forgottenMs))
          } catch (error) {
            onError(error)
          }
        }

        await findForgotten()
        try {
          await addWorkers()
        } catch (error) {
          await boss.stop({ graceful: false }).catch(() => undefined)
          throw error
        }
        const timer = setInterval(findForgotten, findForgottenMs)

        return {
          async stop() {
            stopping.abort()
            clearInterval(timer)
            await boss.offWork(name, { wait: true })
            await boss.stop({ graceful: false })
          },
        }
      },
    }),

    async check() {
      await senderStarted()
    },

    async close() {
      const boss = await sender?.catch(() => undefined)
      await boss?.stop({ graceful: false })
    },
  }
}

/** Ends a job that has not ended: pg-boss gives it out again. */
class ComesAgain extends Error {
  constructor() {
    super('it has not ended')
  }
}

const claimRetryMs = 1_000

/** The slower poll is for what nobody notifies: jobs that come again. */
const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1, heartbeatRefreshSeconds: 1 }

/**
 * Executions without a job: records that were imported or restored without the queue. Asked for at the start and then
 * every few minutes; the age leaves out nothing, because a row that can be seen has its job.
 */
const forgottenMs = 60_000
const findForgottenMs = 300_000
const sentAtOnce = 1_000

async function sendForgotten(boss: PgBoss, executionIds: string[]): Promise<void> {
  for (let i = 0; i < executionIds.length; i += sentAtOnce) {
    const jobs = executionIds.slice(i, i + sentAtOnce).map((executionId) => ({
      data: { executionId },
      singletonKey: executionId,
    }))
    await boss.insert(name, jobs)
  }
}

/** A connection that has gone dead is given up after so long, and not when TCP does. */
const queryMsMax = 30_000

function connection(url: string) {
  return {
    connectionString: url,
    application_name: 'tintype queue',
    schema: 'pgboss',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    query_timeout: queryMsMax,
  }
}

const repeatedMs = 10_000

/** While the database is away, each of many polls fails, with the same words. */
function withoutRepeats(onError: (error: unknown) => void): (error: unknown) => void {
  const told = new Map<string, number>()
  return (error) => {
    const message = error instanceof Error ? error.message.replace(/ \(Queue: .*/s, '') : String(error)
    const last = told.get(message)
    if (last !== undefined && elapsedSince(last) < repeatedMs) return
    if (told.size > 100) told.clear()
    told.set(message, monotonicMs())
    onError(error)
  }
}
