/** The client of a running service, for commands. */
import { Tintype } from '../../client/src/client.ts'
import { Fault } from '../errors.ts'

export interface ConnectedService {
  client: Tintype
  /** Aborts each request that has its signal, with a reason. */
  controller: AbortController
}

/** A service may be away for a restart: its requests are repeated for about a minute. */
const retriesMax = 10

/** An address that never responded is an error immediately: the requests are aborted with it. */
export function connectService({ url, key }: { url: string; key: string }): ConnectedService {
  const controller = new AbortController()
  let wasReached = false
  const client = new Tintype({
    url,
    key,
    maxRetries: retriesMax,
    async fetch(input, init) {
      const response = await fetch(input, init).catch((error) => {
        if (wasReached || controller.signal.aborted) throw error
        const fault = unreachable(url, error)
        controller.abort(fault)
        throw fault
      })
      wasReached = true
      return response
    },
  })
  return { client, controller }
}

function unreachable(url: string, error: unknown): Fault {
  const sentence = `${url} can't be reached: ${unreachableReason(error)}. Check the address, and that the service runs.`
  return new Fault('unavailable', sentence, {}, { cause: error })
}

/** Part of a sentence: why `fetch` got no response. */
export function unreachableReason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: unknown }
  const { code = '', message: inner = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return reasons[code] ?? (inner || code || message)
}

/** Sentences for codes of Node and OpenSSL whose messages are internal. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'the host name is unknown (ENOTFOUND)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS, so use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; set NODE_EXTRA_CA_CERTS to a file with it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate authority is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}
