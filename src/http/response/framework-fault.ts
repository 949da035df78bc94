/** Errors of the framework are mistakes of the caller: 400. */
import { asFault, Fault, failure, invalidRequest } from '../../errors.ts'
import { wrongMediaType } from '../request/media-types.ts'

export const clientDisconnected = failure('cancelled', 'The client disconnected before the response.')

interface FailedRequest {
  headers: { 'content-type'?: string | undefined }
  bodyBytesMax: number | undefined
  mediaTypes: readonly string[] | undefined
}

export function faultOf(error: unknown, { headers, bodyBytesMax, mediaTypes }: FailedRequest): Fault {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  // The client is gone: no one reads the response, and the service has no error.
  if (error === clientDisconnected)
    return invalidRequest([{ path: '', message: 'was ended by the client before the response' }])
  if (code === 'ECONNRESET' && message === 'aborted')
    return invalidRequest([{ path: '', message: 'has an incomplete body' }])
  if (error instanceof Fault || !code?.startsWith('FST_') || statusCode === undefined || statusCode >= 500)
    return asFault(error)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return wrongMediaType(headers['content-type'], mediaTypes ?? ['application/json'])
  const text =
    code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      ? `must have a body of at most ${bodyBytesMax} bytes`
      : `is invalid: ${message ?? code}`
  return invalidRequest([{ path: '', message: text }])
}
