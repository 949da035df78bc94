/** Removes the records of `kinds.ts` in parts. Each part is one transaction, so that a crash leaves no record half removed, and the next run continues. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPlanName } from '../../../domain/accounts/plan.ts'
import { type Clock, monotonicMs } from '../../../domain/clock.ts'
import type { Removed, Retention } from '../../../domain/retention.ts'
import { createSkippedErrors, startingAfter } from '../../../domain/skipped-errors.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { accountsIn } from '../sql/accounts-in.ts'
import { firstPart } from '../sql/first-part.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { listTotal } from '../sql/list-total.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { createClockWatch, heldTime } from './clock-watch.ts'
import type { Kind, RemovedRow } from './kinds.ts'

type Condition = RawBuilder<unknown>

/** The rows of a part, the first ones first. */
export interface Bounds {
  conditions: readonly Condition[]
  order?: Condition | undefined
  /** The account whose bytes are to be at most this number after the part. */
  account?: { id: string; bytesMax: number }
  rowsMax: number
}

export interface Part extends Removed {
  /** Whether no row may be left. */
  isLast: boolean
  /** The time of the last row that was read, from which the next part continues. */
  until: number
  since: number
}

const defaultRowsAtOnce = 500
const minuteMs = 60_000

interface Dependencies {
  db: Kysely<Schema>
  dialect: Dialect
  clock: Clock
  kinds: readonly Kind[]
  /** Milliseconds of a monotonic clock. */
  elapsedMs?: () => number
}

export function createRetention({ db, dialect, clock, kinds, elapsedMs = monotonicMs }: Dependencies): Retention {
  const clockWatch = createClockWatch(db, dialect, elapsedMs)
  /** The last account of each job that had its turn. */
  const lastAccounts = new Map<string, string>()

  function kindOf(job: string): Kind {
    const kind = kinds.find((each) => each.job === job)
    if (kind === undefined) throw new Error(`there is no kind ${job}`)
    return kind
  }

  const remove = (kind: Kind, now: number, bounds: Bounds) =>
    inTransaction(db, (trx) => removePart(trx, dialect, kind, now, bounds))

  async function makeRoom(
    kind: Kind,
    accountId: string,
    { bytesMax, partsMax = Number.POSITIVE_INFINITY, signal, rowsMax = Number.POSITIVE_INFINITY }: Room,
  ): Promise<Removed> {
    const { each } = kind
    if (each?.bytes === undefined) throw new Error(`${kind.job} has no limit of bytes`)
    const target = bytesMax ?? (await bytesMaxOf(db, kind, accountId))
    const all: Removed = { rows: 0, bytesLeft: await bytesOf(db, kind, accountId), blobKeys: [] }
    for (let part = 0; all.bytesLeft > target; part += 1) {
      if (part >= partsMax || all.rows >= rowsMax || signal?.aborted) break
      const now = clock.now()
      const { rows, bytesLeft, blobKeys } = await remove(kind, now, {
        conditions: [ofAccount(accountId), ...conditionsOf(each, now)],
        order: sql.join(each.order),
        account: { id: accountId, bytesMax: target },
        rowsMax: rowsMax - all.rows,
      })
      all.rows += rows
      all.bytesLeft = bytesLeft
      all.blobKeys.push(...blobKeys)
      if (rows === 0) break
    }
    return all
  }

  async function sweep(kind: Kind, rowsMax: number, signal?: AbortSignal): Promise<number> {
    const now = clock.now()
    const { age, each } = kind
    const jump = await clockWatch.observe(now)
    let removed = 0
    const isDone = () => removed >= rowsMax || signal?.aborted === true

    async function inParts(conditions: readonly Condition[], order?: Condition, at?: Condition): Promise<void> {
      for (let from: number | undefined; !isDone(); ) {
        const next = at && from !== undefined ? [...conditions, sql`${at} >= ${from}`] : conditions
        const part = await remove(kind, now, { conditions: next, order, rowsMax: rowsMax - removed })
        removed += part.rows
        if (part.isLast) return
        // Rows of one time, of which none can be removed: the others of this time stay, too, until the first ones go.
        if (kind.stays !== undefined) from = part.rows === 0 && part.since === part.until ? part.until + 1 : part.until
      }
    }

    async function removeOld(accountId?: string): Promise<void> {
      if (age === undefined) return
      // Images have their times from the clock of their request.
      let before = kind.isPromised ? now - age.keptMs.is : heldTime(now - age.keptMs.is, jump)
      if (accountId !== undefined) {
        const ofOwn = await age.before?.(db, accountId)
        if (ofOwn === undefined) return
        before = Math.min(before, ofOwn)
      }
      const order = age.order === undefined ? age.at : sql`${age.at}, ${age.order}`
      const conditions = [...(accountId === undefined ? [] : [ofAccount(accountId)]), sql`${age.at} < ${before}`]
      await inParts(conditions, order, age.at)
    }

    async function removeExcess(accountId: string): Promise<void> {
      if (each?.count !== undefined) {
        const excess = await excessOf(db, kind, accountId, now)
        if (excess !== undefined) await inParts([ofAccount(accountId), excess], sql.join(each.order))
      }
      if (each?.bytes !== undefined)
        removed += (await makeRoom(kind, accountId, { signal, rowsMax: rowsMax - removed })).rows
    }

    const errors = createSkippedErrors()
    if (age === undefined && each === undefined) await inParts([])
    if (age !== undefined && age.before === undefined) await errors.skip(() => removeOld())
    if (age?.before !== undefined || each !== undefined) {
      const accounts = await accountsIn(db, kind.table, kind.ofAccounts)
      for (const accountId of startingAfter(lastAccounts.get(kind.job) ?? '', accounts)) {
        if (isDone()) break
        lastAccounts.set(kind.job, accountId)
        await errors.skip(async () => {
          if (age?.before !== undefined) await removeOld(accountId)
          await removeExcess(accountId)
        })
      }
    }
    errors.throwAny()
    return removed
  }

  return {
    jobs: kinds.map(({ job, everyMinutes = 10 }) => ({ name: job, everyMs: everyMinutes * minuteMs })),
    sweep: (job, { rowsMax, signal }) => sweep(kindOf(job), rowsMax, signal),
    bytesOf: (job, accountId) => bytesOf(db, kindOf(job), accountId),
    bytesMaxOf: (job, accountId) => bytesMaxOf(db, kindOf(job), accountId),
    makeRoom: (job, accountId, options = {}) => makeRoom(kindOf(job), accountId, options),
  }
}

interface Room {
  bytesMax?: number | undefined
  partsMax?: number | undefined
  rowsMax?: number
  signal?: AbortSignal | undefined
}

export const ofAccount = (accountId: string) => sql`r.account_id = ${accountId}`

function conditionsOf({ where }: Pick<Kind, 'where'>, now: number): Condition[] {
  return where === undefined ? [] : [where(now)]
}

/** The condition of the rows of an account that are too many; undefined if there are none. */
async function excessOf(
  db: Kysely<Schema>,
  { table, each }: Kind,
  accountId: string,
  now: number,
): Promise<Condition | undefined> {
  const order = each?.order ?? []
  const { rows } = await sql<Record<string, string | number>>`
    select ${sql.join(order.map((column, i) => sql`${column} as ${sql.id(`at_${i}`)}`))}
    from ${sql.table(table)} as r where ${and([ofAccount(accountId), ...conditionsOf(each ?? {}, now)])}
    order by ${sql.join(order.map((column) => sql`${column} desc`))} limit 1 offset ${each?.count?.is ?? 0}`.execute(db)
  const [newest] = rows
  if (newest === undefined) return undefined
  const values = order.map((_, i) => literal(newest[`at_${i}`]))
  // The first column alone limits the range of the index, which can have an expression.
  return and([
    ...conditionsOf(each ?? {}, now),
    sql`${order[0]} <= ${values[0]}`,
    sql`(${sql.join(order)}) <= (${sql.join(values)})`,
  ])
}

/** Removes some rows, and notes their blobs. Part of a transaction. */
export async function removePart(
  trx: Kysely<Schema>,
  dialect: Dialect,
  kind: Kind,
  now: number,
  { conditions, order, account, rowsMax }: Bounds,
): Promise<Part> {
  const { table, key, from, stays, age, each, longBytes, returning = [], blobsOf, first, last } = kind
  const limit = Math.min(rowsMax, kind.rowsAtOnce ?? defaultRowsAtOnce)
  const columns = [
    ...key.map((name) => sql`${sql.ref(`r.${name}`)} as ${sql.id(name)}`),
    sql`${age?.at ?? sql`0`} as age_`,
    sql`${each?.bytes?.of ?? sql`0`} as bytes_`,
    sql`${longBytes ?? sql`0`} as long_`,
    sql`case when ${stays ?? sql`1 = 0`} then 1 else 0 end as stays_`,
  ]
  const all = [...conditions, ...conditionsOf(kind, now)]
  const { rows: found } = await sql<RemovedRow>`
    select ${sql.join(columns)} from ${from ?? sql`${sql.table(table)} as r`}
    where ${and(all)} ${order === undefined ? sql`` : sql`order by ${order}`} limit ${limit}
    ${dialect.skipLockedRows}`.execute(trx)
  const part = firstPart(found.map((row) => ({ row, bytes: Number(row.long_) }))).map(({ row }) => row)
  // After the lock: the total is then without the rows that another process has removed.
  let bytesLeft = account === undefined ? 0 : await bytesOf(trx, kind, account.id)
  const chosen: RemovedRow[] = []
  for (const row of part) {
    if (account !== undefined && bytesLeft <= account.bytesMax) break
    if (row.stays_ === 1) continue
    chosen.push(row)
    bytesLeft -= Number(row.bytes_)
  }
  const removed = chosen.length === 0 ? [] : await removeRows()
  return {
    rows: removed.length,
    bytesLeft,
    blobKeys: removed.flatMap((row) => blobsOf?.(row) ?? []),
    isLast: part.length === found.length && found.length < limit,
    since: Number(part[0]?.age_ ?? 0),
    until: Number(part.at(-1)?.age_ ?? 0),
  }

  async function removeRows(): Promise<RemovedRow[]> {
    await first?.(
      trx,
      chosen.map((row) => String(row[key[0] as string])),
    )
    const keys = chosen.map((row) => sql`(${sql.join(key.map((name) => literal(row[name])))})`)
    const { rows } = await sql<RemovedRow>`
      delete from ${sql.table(table)} where (${sql.join(key.map((name) => sql.ref(name)))}) in (values ${sql.join(keys)})
      returning ${sql.join([...new Set([...key, ...returning])].map((name) => sql.ref(name)))}`.execute(trx)
    await last?.(trx, rows, now)
    if (blobsOf !== undefined) await noteRemovals(trx, rows.flatMap(blobsOf), now)
    return rows
  }
}

/** Numbers are literal text: PostgreSQL would take a parameter of a list of values for text. */
function literal(value: string | number | null | undefined): Condition {
  return typeof value === 'number' ? sql`${sql.lit(value)}` : sql`${value}`
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0
    ? sql`1 = 1`
    : sql.join(
        conditions.map((each) => sql`(${each})`),
        sql` and `,
      )
}

async function bytesOf(db: Kysely<Schema>, { each }: Kind, accountId: string): Promise<number> {
  const { total } = await listTotal(db, accountId, each?.bytes?.total ?? '').executeTakeFirstOrThrow()
  return Number(total)
}

/** The maximum of the account. Of one that is gone: 0. */
async function bytesMaxOf(db: Kysely<Schema>, { each }: Kind, accountId: string): Promise<number> {
  const max = each?.bytes?.max
  if (max?.ofPlan === undefined) return max?.is ?? 0
  const row = await db.selectFrom('accounts').select('plan').where('id', '=', accountId).executeTakeFirst()
  return row && isPlanName(row.plan) ? max.ofPlan(row.plan) : 0
}
