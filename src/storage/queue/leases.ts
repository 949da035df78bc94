/**
 * Which processes are alive: each renews its lease every second, by the clock of the database. The executions of a process
 * whose lease has run out are lost. Only for PostgreSQL.
 */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { AttemptId } from '../../domain/executions/execution.ts'
import { limits } from '../../limits.ts'
import { postgresNow } from '../database/clock.ts'

export interface Leases {
  /** The id of this process. */
  worker: string
  /** The running executions that this process has claimed, and those that no living process has. */
  renew(): Promise<{ claimed: AttemptId[]; lost: AttemptId[] }>
  /** Gives up the lease. Executions that this process still runs are lost from then on. */
  end(): Promise<void>
}

/** Leases of processes that ended without giving them up. */
const workerRetentionHours = 24

type Query = (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>

export function createLeases(query: Query, worker: string): Leases {
  /** When this process renewed first after a failure: those that failed at the same time get a lease's time to renew, too. */
  let renewsSinceMs: number | undefined
  let hasFailed = false

  return {
    worker,
    async renew() {
      const { rows } = await query(renewal, [worker]).catch((error) => {
        hasFailed = true
        renewsSinceMs = undefined
        throw error
      })
      renewsSinceMs ??= monotonicMs()
      const judges = !hasFailed || elapsedSince(renewsSinceMs) > limits.workerLeaseSeconds * 1_000
      const all = (rows as { id: string; attempt: number; worker_id: string | null }[]).map((row) => ({
        isOwn: row.worker_id === worker,
        executionId: row.id,
        attempt: row.attempt,
      }))
      const attemptsOf = (isOwn: boolean): AttemptId[] =>
        all.flatMap(({ isOwn: is, ...attempt }) => (is === isOwn ? [attempt] : []))
      return { claimed: attemptsOf(true), lost: judges ? attemptsOf(false) : [] }
    },
    async end() {
      await query('delete from workers where id = $1', [worker])
    },
  }
}

const isLive = (worker: string) => `exists (
  select 1 from workers where workers.id = ${worker} and seen_at > ${postgresNow} - ${limits.workerLeaseSeconds * 1_000})`

/**
 * Reads the running executions of this process and of lost ones, and one index entry for each other process: `holders` steps from one id of a process to
 * the next.
 */
const renewal = `
  with recursive renewed as (
    insert into workers (id, seen_at) values ($1, ${postgresNow}) on conflict (id) do update set seen_at = excluded.seen_at
  ), removed as (
    delete from workers where seen_at < ${postgresNow} - ${workerRetentionHours * 3_600_000}
  ), holders as (
    (select worker_id from executions where status = 'running' order by worker_id limit 1)
    union all
    select (select worker_id from executions
      where status = 'running' and worker_id > holders.worker_id order by worker_id limit 1)
    from holders where holders.worker_id is not null
  )
  (select id, attempt, worker_id from executions where status = 'running' and worker_id = $1)
  union all
  (select id, attempt, worker_id from executions where status = 'running' and worker_id is null)
  union all
  (select executions.id, attempt, executions.worker_id
    from holders join executions on executions.worker_id = holders.worker_id and status = 'running'
    where holders.worker_id <> $1 and not ${isLive('holders.worker_id')})
  limit 1000`
