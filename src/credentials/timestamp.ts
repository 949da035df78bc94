/** Time stamps of signatures (RFC 3161): a token of an authority that proves when a signature existed. */
import { createHash } from 'node:crypto'
import { Boolean as Asn1Boolean, fromBER, Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { tokenBytesMax } from './cose.ts'
import type { Post } from './remote-signer.ts'

/** The token for exactly these bytes, in DER. Throws an Error whose message says what failed, and the reason of the signal. */
export type Timestamp = (bytes: Buffer, signal: AbortSignal) => Promise<Buffer>

const requestType = 'application/timestamp-query'

export function createTimestamp(post: Post): Timestamp {
  return async (bytes, signal) => {
    const hash = createHash('sha256').update(bytes).digest()
    const response = await post({ bytes: requestFor(hash), mediaType: requestType }, signal)
    if (response.status !== 200) throw new Error(`it returned HTTP ${response.status}, not 200`)
    const token = tokenOf(response.bytes)
    if (token.length > tokenBytesMax)
      throw new Error(`its time stamp has ${token.length} bytes, more than ${tokenBytesMax}`)
    // The library checks signature and certificates when the file is read. This finds the time stamp of another request.
    if (!token.includes(hash)) throw new Error('its time stamp is not one of this request')
    return token
  }
}

/** TimeStampReq: the token contains the certificate of the authority. */
function requestFor(hash: Buffer): Buffer {
  const sha256 = new Sequence({ value: [new ObjectIdentifier({ value: '2.16.840.1.101.3.4.2.1' }), new Null()] })
  const imprint = new Sequence({ value: [sha256, new OctetString({ valueHex: new Uint8Array(hash).buffer })] })
  const request = new Sequence({ value: [new Integer({ value: 1 }), imprint, new Asn1Boolean({ value: true })] })
  return Buffer.from(request.toBER())
}

/** The token of a TimeStampResp whose status is granted (0), or granted with modifications (1). */
function tokenOf(response: Buffer): Buffer {
  const { result } = fromBER(new Uint8Array(response).buffer)
  const [status, token] = result instanceof Sequence ? result.valueBlock.value : []
  const [code] = status instanceof Sequence ? status.valueBlock.value : []
  if (!(code instanceof Integer)) throw new Error('its response is not a time stamp response (RFC 3161)')
  const granted = code.valueBlock.valueDec
  if (granted > 1 || token === undefined) throw new Error(`it refused with the status ${granted}`)
  return Buffer.from(token.valueBeforeDecodeView)
}
