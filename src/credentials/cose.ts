/** COSE_Sign1 (RFC 9052) as C2PA requires it: the signature of a claim, with the certificates, in a fixed number of bytes. */
import { cborArray, cborBytes, cborInteger, cborMap, cborNull, cborTag, cborText } from './cbor.ts'

/** COSE algorithm ids (RFC 9053), and bytes of a signature: r and s for ECDSA. */
export const algorithms = {
  ES256: { id: -7, hash: 'sha256', signatureBytes: 64 },
  ES384: { id: -35, hash: 'sha384', signatureBytes: 96 },
  Ed25519: { id: -8, hash: undefined, signatureBytes: 64 },
} as const

export type Algorithm = keyof typeof algorithms

/** A time stamp token is smaller: 1.5 KB to 6 KB with its certificates. */
export const tokenBytesMax = 8_192

export interface CoseParts {
  algorithm: Algorithm
  /** DER. The leaf is the first one. */
  certificates: readonly Uint8Array[]
  /** Room for a time stamp token. */
  hasTimestamp: boolean
}

export interface CoseSigner extends CoseParts {
  /** Signs exactly these bytes. ECDSA: r and s, as in IEEE P1363. */
  sign(bytes: Buffer): Promise<Buffer>
  /** The DER of an RFC 3161 token for exactly these bytes. Undefined: none is available. */
  timestamp?(bytes: Buffer): Promise<Buffer | undefined>
}

/** The bytes of `coseSign1` with these parts. The place in the file has this size before anything is signed. */
export function coseBytes({ algorithm, certificates, hasTimestamp }: CoseParts): number {
  const signature = Buffer.alloc(algorithms[algorithm].signatureBytes)
  const base = assemble(protectedHeader(algorithm, certificates), [], 0, signature).length
  return base + (hasTimestamp ? tokenBytesMax + paddingMin : 0)
}

/** A signature of the claim with exactly `coseBytes` bytes. Another size would make the file invalid, without an error. */
export async function coseSign1(claim: Uint8Array, signer: CoseSigner): Promise<Buffer> {
  const { algorithm, certificates } = signer
  const header = protectedHeader(algorithm, certificates)
  const signature = await signer.sign(structure('Signature1', header, claim))
  if (signature.length !== algorithms[algorithm].signatureBytes)
    throw new Error(`a signature with ${algorithm} has ${algorithms[algorithm].signatureBytes} bytes`)
  const size = coseBytes(signer)
  const token = await signer.timestamp?.(structure('CounterSignature', header, cborBytes(signature)))
  const unprotected = token === undefined ? [] : [tokenEntry(token)]
  const padding = size - assemble(header, unprotected, 0, signature).length
  // The head of the padding has one byte if it is empty, and three from 256 to 65,535 bytes.
  const cose = assemble(header, unprotected, padding === 0 ? 0 : padding - 2, signature)
  if (cose.length !== size) throw new Error(`the signature has ${cose.length} bytes instead of ${size}`)
  return cose
}

/** Padding of this size or more has a head with three bytes. */
const paddingMin = 512

function protectedHeader(algorithm: Algorithm, certificates: readonly Uint8Array[]): Buffer {
  const [only] = certificates
  // x5chain (RFC 9360): one certificate is a byte string, several are an array.
  const chain =
    certificates.length === 1 && only !== undefined ? cborBytes(only) : cborArray(certificates.map(cborBytes))
  return cborMap([
    [cborInteger(labels.algorithm), cborInteger(algorithms[algorithm].id)],
    [cborInteger(labels.x5chain), chain],
  ])
}

const labels = { algorithm: 1, x5chain: 33 }
const coseSign1Tag = 18

/** Sig_structure (RFC 9052, 4.4), without external data. */
function structure(context: 'Signature1' | 'CounterSignature', header: Buffer, payload: Uint8Array): Buffer {
  return cborArray([cborText(context), cborBytes(header), cborBytes(Buffer.alloc(0)), cborBytes(payload)])
}

/** `sigTst2` of C2PA: a list with one time stamp token. */
function tokenEntry(token: Buffer): [Buffer, Buffer] {
  const tokens = cborArray([cborMap([[cborText('val'), cborBytes(token)]])])
  return [cborText('sigTst2'), cborMap([[cborText('tstTokens'), tokens]])]
}

/**
 * Whether a COSE_Sign1 says that this certificate made it, DER. The header must be one that `coseSign1` writes: with the algorithm and
 * the chain alone, so there can't be a second chain in it.
 */
export function hasLeaf(cose: Buffer, leaf: Uint8Array): boolean {
  const [start] = startOfChain.exec(cose.toString('hex', 0, startBytesMax)) ?? []
  const at = (start?.length ?? 0) / 2
  const expected = cborBytes(leaf)
  return at > 0 && cose.subarray(at, at + expected.length).equals(expected)
}

/**
 * Start of a chain in hex: tag, array of 4, byte string, map of 2, algorithm, x5chain, and an array if there are
 * several certificates.
 */
const startOfChain = /^d284(58..|59.{4}|5a.{8})a201(2.|3[0-7]|38..)1821([89].)?(?=5)/
const startBytesMax = 20

function assemble(header: Buffer, entries: [Buffer, Buffer][], paddingBytes: number, signature: Buffer): Buffer {
  const padding: [Buffer, Buffer] = [cborText('pad'), cborBytes(Buffer.alloc(paddingBytes))]
  const unprotected = cborMap([...entries, padding])
  return cborTag(coseSign1Tag, cborArray([cborBytes(header), unprotected, cborNull, cborBytes(signature)]))
}
