/** How attempts of an execution are counted. */
import { type ExpressionBuilder, sql } from 'kysely'
import { limits } from '../../../limits.ts'
import type { Schema } from '../schema.ts'
import { triedTooOften } from './end-execution.ts'

/** A parked attempt that was lost doesn't count: whatever ended its process, this execution ran no code there. */
export function withoutParked(eb: ExpressionBuilder<Schema, 'executions'>) {
  return { attempts_released: eb('attempts_released', '+', eb.ref('parked')) }
}

/** The last attempt that counts begins parked: its worker runs it once nothing else runs next to it. */
export function nextAttempt(eb: ExpressionBuilder<Schema, 'executions'>) {
  return {
    ...withoutParked(eb),
    attempt: eb('attempt', '+', 1),
    parked: eb
      .case()
      .when(triedTooOften(eb, limits.executionAttemptsMax - 1))
      .then(sql.lit(1))
      .else(sql.lit(0))
      .end(),
  }
}
