/** Errors of operations. */
import assert from 'node:assert/strict'
import { type FailureReason, Fault } from '../../errors.ts'

/** Predicate for `assert.rejects`: a failure with this reason and a matching message. */
export function isFault(reason: FailureReason, message = /\S/): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Fault, String(error))
    assert.equal(error.details.reason, reason, error.message)
    assert.match(error.message, message)
    return true
  }
}
