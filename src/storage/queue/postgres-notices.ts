/**
 * Notices between processes, with LISTEN and NOTIFY on a dedicated connection. Within this process they are
 * delivered immediately. Imported only if `DATABASE_URL` is set.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { ExecutionNotice, ExecutionNotices } from '../../domain/executions/execution-notice.ts'
import { createInProcessNotices } from './in-process-notices.ts'

export interface PostgresNotices extends ExecutionNotices {
  close(): Promise<void>
}

const channel = 'tintype_executions'

/** Interval and time-out of the health check of the connection. */
const aliveEveryMs = 10_000
const queryMsMax = 5_000
const reconnectMsMin = 100
const reconnectMsMax = 5_000
/** Notices that wait for a connection. Beyond that, processes find changes when they poll. */
const unsentMax = 1_000

/** Resolves once it listens. */
export async function createPostgresNotices(
  url: string,
  { onError }: { onError: (error: unknown) => void },
): Promise<PostgresNotices> {
  const here = createInProcessNotices({ onError })
  const closing = new AbortController()
  let client: pg.Client | undefined
  let last: Promise<unknown> = Promise.resolve()
  const unsent: ExecutionNotice[] = []
  let flushing: Promise<void> | undefined

  function receive({ payload = '', processId }: pg.Notification, listening: pg.Client & { processID?: number }): void {
    // This process has already delivered its own notices.
    if (processId === listening.processID) return
    const notice = parse(payload)
    if (notice) here.send(notice)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'tintype notices',
      connectionTimeoutMillis: queryMsMax,
      query_timeout: queryMsMax,
      keepAlive: true,
    })
    next.on('notification', (notification) => receive(notification, next))
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next, new Error('the connection for notices ended')))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      drop(next)
      throw error
    }
    if (closing.signal.aborted) return drop(next)
    client = next
    flush()
    void keepAlive(next)
  }

  async function keepAlive(connection: pg.Client): Promise<void> {
    while (client === connection && !closing.signal.aborted) {
      await send(connection, 'select 1').catch((error) => lose(connection, error))
      await pause(aliveEveryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  function lose(connection: pg.Client, error: Error): void {
    if (client !== connection || closing.signal.aborted) return
    client = undefined
    drop(connection)
    onError(error)
    void reconnect()
  }

  async function reconnect(): Promise<void> {
    for (let waitMs = reconnectMsMin; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, reconnectMsMax)) {
      try {
        await connect()
        here.send({ kind: 'missed' })
        return
      } catch {
        await pause(waitMs, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  /** One query after another, as the connection requires. */
  function send(connection: pg.Client, statement: string, values: unknown[] = []): Promise<unknown> {
    const result = last.then(() => connection.query(statement, values))
    last = result.catch(() => undefined)
    return result
  }

  function notify(notice: ExecutionNotice): void {
    if (notice.kind === 'missed') return
    if (unsent.length < unsentMax) unsent.push(notice)
    flush()
  }

  function flush(): void {
    flushing ??= sendAll().finally(() => {
      flushing = undefined
    })
  }

  async function sendAll(): Promise<void> {
    while (client !== undefined && unsent.length > 0) {
      const connection = client
      const notices = unsent.splice(0)
      // Without outcomes: PostgreSQL limits the length of a notice.
      const texts = notices.map((notice) =>
        JSON.stringify(notice, (key, value) => (key === 'outcome' ? undefined : value)),
      )
      try {
        await send(connection, 'select pg_notify($1, each) from unnest($2::text[]) as each', [channel, texts])
      } catch (error) {
        unsent.unshift(...notices)
        // The next connection sends them.
        return lose(connection, error as Error)
      }
    }
  }

  await connect()
  return {
    send(notice) {
      here.send(notice)
      notify(notice)
    },
    listen: here.listen,
    async close() {
      closing.abort()
      await flushing
      await last
      await client?.end().catch(() => undefined)
    },
  }
}

function drop(client: pg.Client): void {
  client.removeAllListeners('notification')
  client.end().catch(() => undefined)
}

/** Undefined for notices that are not ours: every client of the database can send them. */
function parse(payload: string): ExecutionNotice | undefined {
  try {
    const { kind, executionId, accountId } = JSON.parse(payload)
    if (kind === 'batch') return { kind }
    if (kind === 'enqueued') return typeof accountId === 'string' ? { kind, accountId } : { kind }
    const isKnown = kind === 'changed' || kind === 'ended' || kind === 'cancelled'
    if (isKnown && typeof executionId === 'string') return { kind, executionId }
  } catch {
    // Not JSON.
  }
  return undefined
}
