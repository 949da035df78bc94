import { TooManyBatchesRunning } from '../../domain/batch.ts'
import { Fault } from '../../errors.ts'

/** `invalid_request`: the batch is in a state that doesn't allow the request. */
export function refused(message: string): Fault {
  return new Fault('invalid_request', message, { issues: [{ path: 'batchId', message }] })
}

/** For `catch`: makes an error for the caller of `TooManyBatchesRunning`. */
export function tooManyRunning(error: unknown): never {
  if (!(error instanceof TooManyBatchesRunning)) throw error
  const message = `The account has ${error.limit} batches running, the maximum. Wait until one has ended, or pause one.`
  throw new Fault('forbidden', message, { quota: 'batchesRunning', limit: error.limit })
}
