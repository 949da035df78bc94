/** Ends executions from inside their attempt: outcome, events and images are written together. An attempt that was taken over, given back or ended writes nothing. */
import { type Kysely, sql } from 'kysely'
import type { ExecutionStore, StoredEvent } from '../../../domain/executions/execution.ts'
import type { Image } from '../../../domain/images/image.ts'
import { note } from '../../../domain/observed.ts'
import type { Dialect } from '../dialect.ts'
import type { ExecutionRow, Schema } from '../schema.ts'
import { type Appended, appended, changeAndAppend, withEvents } from '../stores/execution-events.ts'
import { imageInsert } from '../stores/images.ts'
import { completeFile } from './derive-file.ts'
import { stepEvents } from './end-execution.ts'
import { imageColumns, imageRow } from './image-row.ts'
import { inTransaction } from './in-transaction.ts'
import { prepared } from './prepared.ts'

/** The fence: a write of an attempt that was taken over, given back or ended finds no row. */
export function running(db: Kysely<Schema>, executionId: string, attempt: number) {
  return db
    .updateTable('executions')
    .where('id', '=', executionId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
}

type Outcome = Pick<ExecutionRow, 'id' | 'attempt' | 'status' | 'output' | 'outputs' | 'error' | 'steps'> & {
  completed_at: number
}

export function endingAttempts(db: Kysely<Schema>, dialect: Dialect): Pick<ExecutionStore, 'complete' | 'fail'> {
  const end = withEvents(db, dialect, (values: Outcome & { eventCount: number }) => ending(db, values))
  const endWithImages = endingWithImages(db, dialect, end)

  return {
    async complete(executionId, attempt, result) {
      const {
        image,
        otherImages = [],
        output,
        outputs,
        steps,
        changed = steps,
        completedAt,
        derivedKey,
        imageIds,
      } = result
      const outcome: Outcome = {
        id: executionId,
        attempt,
        status: 'completed',
        output: JSON.stringify(output),
        outputs: outputs === undefined ? null : JSON.stringify(outputs),
        error: null,
        steps: JSON.stringify(steps),
        completed_at: completedAt,
      }
      const events: StoredEvent[] = [...stepEvents(changed), { status: 'completed', at: completedAt }]
      const isEnded =
        derivedKey === undefined
          ? await endWithImages(outcome, events, [image, ...otherImages])
          : await inTransaction(db, async (trx) => {
              if ((await end(trx, outcome, events)).length === 0) return false
              await completeFile(trx, derivedKey, { executionId, image, imageIds, now: completedAt })
              return true
            })
      const isCompleted = isEnded || (await isOutput(db, executionId, image.id))
      if (isCompleted) note('executionEnded', {})
      return isCompleted
    },

    async fail(executionId, attempt, { error, steps, changed = steps, completedAt }) {
      const outcome: Outcome = {
        id: executionId,
        attempt,
        status: 'failed',
        output: null,
        outputs: null,
        error: JSON.stringify(error),
        steps: JSON.stringify(steps),
        completed_at: completedAt,
      }
      const rows = await end(db, outcome, [...stepEvents(changed), { status: 'failed', at: completedAt }])
      if (rows.length > 0) note('executionEnded', { reason: error.details.reason ?? 'internal' })
      return rows.length > 0
    },
  }
}

function ending(db: Kysely<Schema>, { id, attempt, eventCount, ...result }: Outcome & { eventCount: number }) {
  return running(db, id, attempt)
    .set((eb) => ({ ...result, event_count: eb('event_count', '+', eventCount) }))
    .returning(['id', 'event_count'])
}

type End = (within: Kysely<Schema>, outcome: Outcome, events: readonly StoredEvent[]) => Promise<unknown[]>

/** Returns whether the attempt was current. One statement on PostgreSQL, which takes less of the server than a transaction of several. */
function endingWithImages(db: Kysely<Schema>, dialect: Dialect, end: End) {
  if (dialect.changesInOneStatement) {
    const run = prepared(({ images, events, endedAt, ...outcome }: Outcome & Appended & { images: string }) => {
      // Not all columns of the table: a newer release can have added one.
      const columns = sql.join(imageColumns.map((name) => sql.id(name)))
      const stored = sql`insert into images (${columns})
        select ${sql.join(imageColumns.map((name) => sql.id('image', name)))}
        from changed, json_populate_recordset(null::images, ${images}) as image`
      const change = ending(db, outcome)
      return changeAndAppend(db, change, { eventCount: outcome.eventCount, events, endedAt }, { after: { stored } })
    })
    return async (outcome: Outcome, events: readonly StoredEvent[], images: readonly Image[]) => {
      const rows = JSON.stringify(images.map(imageRow))
      return (await run(db, { ...outcome, ...appended(events), images: rows })).rows.length > 0
    }
  }
  const insert = imageInsert(db)
  return (outcome: Outcome, events: readonly StoredEvent[], images: readonly Image[]) =>
    inTransaction(db, async (trx) => {
      if ((await end(trx, outcome, events)).length === 0) return false
      for (const image of images) await insert(trx, image)
      return true
    })
}

/** Whether the execution has completed with this image: the outcome is written again because the first response was lost. */
async function isOutput(db: Kysely<Schema>, executionId: string, imageId: string): Promise<boolean> {
  for (const table of ['images', 'derived_files'] as const) {
    const row = await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', imageId)
      .where('execution_id', '=', executionId)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}
