import { Fault } from '../../errors.ts'

/** The result of an inspection of an upload. If its client has gone, the error isn't stored with an `Idempotency-Key`: the same request can be sent again. */
export function unlessDisconnected<T>(inspection: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return inspection.catch((error) => {
    throw signal?.aborted ? new Fault('unavailable', 'The client disconnected before its upload was checked.') : error
  })
}
