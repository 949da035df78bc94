import { Fault } from '../../errors.ts'

/** `invalid_request`: the batch is in a state that doesn't allow the request. */
export function refused(message: string): Fault {
  return new Fault('invalid_request', message, { issues: [{ path: 'batchId', message }] })
}
