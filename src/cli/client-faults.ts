/** The errors of the client as those of a command. Loaded only if a request failed. */
import { ApiError, TintypeError } from '../../client/src/errors.ts'
import { type ErrorCode, Fault, type FaultDetails } from '../errors.ts'

/** Undefined if the error isn't one of the client. */
export function clientFault(error: unknown, url: string | undefined): Fault | undefined {
  if (error instanceof ApiError) {
    const { code, message, details, status } = error
    if (code === 'unexpected_response') {
      const isRedirect = status >= 300 && status < 400
      const sentence = `${url} responded with ${status}, and not as Tintype does. Check the address.`
      return new Fault('unavailable', isRedirect ? message : sentence)
    }
    return new Fault(code as ErrorCode, message, details as FaultDetails, { cause: error })
  }
  if (error instanceof TintypeError) return new Fault('unavailable', error.message, {}, { cause: error })
  return undefined
}
