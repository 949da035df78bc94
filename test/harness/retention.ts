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

/** The retention of a database. `except`: jobs that don't run. */
export function retentionOf(
  { kysely: db, dialect, clock }: Pick<Database, 'kysely' | 'dialect' | 'clock'>,
  { except = [], elapsedMs, ...settings }: Partial<RetentionSettings> & Options = {},
) {
  const kinds = retentionKinds({ ...defaultRetention, ...settings }).filter(({ job }) => !except.includes(job))
  return createRetention({ db, dialect, clock, kinds, ...(elapsedMs && { elapsedMs }) })
}
