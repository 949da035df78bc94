/** A signer behind HTTPS, such as in front of a key management service, so that this process has no key. */
import { createHash, verify } from 'node:crypto'
import { fromBER, Integer, Sequence } from 'asn1js'
import { type Fault, failure } from '../errors.ts'
import type { SigningChain } from './chain.ts'
import { algorithms } from './cose.ts'
import { reasonOf, type Signer } from './signer.ts'

/** Sends one request, with a deadline. Throws an Error whose message says what failed, and the reason of the signal. */
export type Post = (
  body: { json: unknown } | { bytes: Buffer; mediaType: string },
  signal: AbortSignal,
) => Promise<{ status: number; bytes: Buffer }>

/**
 * Sends `{ algorithm, payload, digest }`: the bytes to sign in base64, and for ECDSA also their SHA-256 or SHA-384, for services
 * that limit the payload. Expects `{ signature }` in base64: for ECDSA r and s, or DER. A signature that does not fit the
 * certificate is an error.
 */
export function createRemoteSigner({ algorithm, certificates }: SigningChain, post: Post): Signer {
  const { hash, signatureBytes } = algorithms[algorithm]
  const [leaf] = certificates

  function isRight(bytes: Buffer, signature: Buffer): boolean {
    return leaf !== undefined && verify(hash, bytes, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  }

  return {
    algorithm,
    certificates,
    async sign(bytes, signal) {
      const digest = hash && createHash(hash).update(bytes).digest('base64')
      const json = { algorithm, payload: bytes.toString('base64'), ...(digest && { digest }) }
      const response = await post({ json }, signal).catch((error) => {
        throw signal.aborted ? signal.reason : away(reasonOf(error))
      })
      if (response.status !== 200) throw away(`it returned HTTP ${response.status}, not 200`)
      const received = signatureIn(response.bytes)
      if (received === undefined) throw away('its response is not JSON with a `signature` in base64')
      const signature = received.length === signatureBytes ? received : fixedLength(received, signatureBytes)
      if (signature === undefined || !isRight(bytes, signature))
        throw away(`its signature is not one of the certificate with ${algorithm}`)
      return signature
    },
  }
}

function away(why: string): Fault {
  return failure(
    'provider_unavailable',
    `The signer of Content Credentials (CREDENTIALS_SIGNER_URL) failed: ${why}. Retry. If it fails again, contact the operator.`,
  )
}

function signatureIn(bytes: Buffer): Buffer | undefined {
  try {
    const { signature } = JSON.parse(bytes.toString())
    return typeof signature === 'string' ? Buffer.from(signature, 'base64') : undefined
  } catch {
    return undefined
  }
}

/** r and s of an ECDSA signature in DER (RFC 3279, 2.2.3), each in half of these bytes. Undefined if it isn't one. */
function fixedLength(der: Buffer, bytes: number): Buffer | undefined {
  const { result } = fromBER(new Uint8Array(der).buffer)
  const numbers = result instanceof Sequence ? result.valueBlock.value : []
  if (numbers.length !== 2) return undefined
  const parts = numbers.map((number) =>
    number instanceof Integer ? Buffer.from(number.valueBlock.valueHexView) : undefined,
  )
  const padded = parts.map((part) => {
    const significant = part?.subarray(part.findIndex((byte) => byte !== 0))
    if (significant === undefined || significant.length > bytes / 2) return undefined
    return Buffer.concat([Buffer.alloc(bytes / 2 - significant.length), significant])
  })
  return padded.every((part) => part !== undefined) ? Buffer.concat(padded) : undefined
}
