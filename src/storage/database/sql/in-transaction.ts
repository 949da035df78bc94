import { CompiledQuery, type Kysely } from 'kysely'
import { asCurrentActor } from '../../../domain/accounts/audit.ts'
import { isPostgres } from '../dialect.ts'
import type { Schema } from '../schema.ts'

type Work<Result> = (trx: Kysely<Schema>) => Promise<Result>
type InGroup = <Result>(work: Work<Result>) => Promise<Result>

/**
 * Runs the work in the transaction of `db`, or in a new one. On SQLite, transactions that begin in the same turn of the event loop, or while a
 * commit is synced, share the next commit (group commit, as PostgreSQL does it for concurrent connections): writing the log costs about as much as
 * their statements.
 */
export function inTransaction<Result>(db: Kysely<Schema>, work: Work<Result>): Promise<Result> {
  if (db.isTransaction) return work(db)
  return isPostgres(db) ? db.transaction().execute(work) : groupOf(db)(work)
}

/** The most transactions that share a commit: the others of this process wait until all have run. */
const groupMax = 16

const groups = new WeakMap<Kysely<Schema>, InGroup>()

function groupOf(db: Kysely<Schema>): InGroup {
  const known = groups.get(db)
  if (known) return known
  const group = createGroup(db)
  groups.set(db, group)
  return group
}

interface Waiting {
  work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

function createGroup(db: Kysely<Schema>): InGroup {
  let waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupMax)
      waiting = waiting.slice(groupMax)
      const [first, ...others] = group
      if (first && others.length === 0) await db.transaction().execute(first.work).then(first.resolve, first.reject)
      else await runTogether(db, group)
    }
    isRunning = false
  }

  return <Result>(work: Work<Result>) =>
    new Promise<Result>((resolve, reject) => {
      // Another caller may start the group.
      waiting.push({ work: asCurrentActor(work), resolve: resolve as Waiting['resolve'], reject })
      if (isRunning) return
      isRunning = true
      setImmediate(run)
    })
}

const [savepoint, release, rollBack] = ['savepoint one', 'release one', 'rollback to one'].map((text) =>
  CompiledQuery.raw(text),
) as [CompiledQuery, CompiledQuery, CompiledQuery]

/** Each result is known after the commit. Work that fails writes nothing, and the others continue. */
async function runTogether(db: Kysely<Schema>, group: readonly Waiting[]): Promise<void> {
  try {
    const settle = await db.transaction().execute(async (trx) => {
      const outcomes: (() => void)[] = []
      for (const waiting of group) outcomes.push(await runOne(trx, waiting))
      return outcomes
    })
    for (const outcome of settle) outcome()
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

async function runOne(trx: Kysely<Schema>, { work, resolve, reject }: Waiting): Promise<() => void> {
  await trx.executeQuery(savepoint)
  try {
    const result = await work(trx)
    await trx.executeQuery(release)
    return () => resolve(result)
  } catch (error) {
    // A full disk ends the transaction, so no work of the group is written.
    await trx.executeQuery(rollBack).catch(() => {
      throw error
    })
    await trx.executeQuery(release)
    return () => reject(error)
  }
}
