import type { Retention } from '../../src/domain/retention.ts'
import { limits } from '../../src/limits.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { type RetentionSettings, retentionKinds } from '../../src/storage/database/retention/kinds.ts'
import { createRetention } from '../../src/storage/database/retention/sweeper.ts'

export const defaultRetention: RetentionSettings = {
  executionsKeptDays: limits.executionsKeptDays,
  auditKeptDays: limits.auditKeptDays,
  previewHours: limits.previewHours,
  previewBytesMax: limits.previewBytesMax,
  deliveryBytesMax: limits.derivedFilesBytesMax,
}

interface Options {
  except?: readonly string[]
  elapsedMs?: () => number
}

/**
 * The retention of a database. `except`: jobs that don't run. By default, time passes as the clock says, so no change of it is a jump, and neither is the
 * first observation.
 */
export function retentionOf(
  { kysely: db, dialect, clock }: Pick<Database, 'kysely' | 'dialect' | 'clock'>,
  { except = [], elapsedMs = () => clock.now(), ...settings }: Partial<RetentionSettings> & Options = {},
): Retention {
  const kinds = retentionKinds({ ...defaultRetention, ...settings }).filter(({ job }) => !except.includes(job))
  const retention = createRetention({ db, dialect, clock, kinds, elapsedMs })
  return {
    ...retention,
    async sweep(job, options) {
      await db
        .insertInto('observed_clock')
        .values({ id: 1, seen_at: clock.now(), jumped_at: 0, lag_ms: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return retention.sweep(job, options)
    },
  }
}
