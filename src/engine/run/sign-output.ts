/** Content Credentials of an output: signed after it is encoded, as the last change of its bytes. */
import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import type { Step } from '../../domain/executions/execution.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import type { OutputEncoding, OutputSettings } from '../../domain/workflows/output.ts'
import { failure } from '../../errors.ts'
import type { ImageValue, ImagingContext } from '../../imaging/types.ts'
import type { PixelHashes } from './pixel-hashes.ts'

export interface SignedOutput {
  bytes: Buffer
  /** Undefined for an output that is too large to be signed. */
  credentials: CredentialState | undefined
  /** Warnings to the owner of the output. */
  warnings: string[]
}

/** Signs an encoded output. An output that is too large is an error if `isRequired`, and otherwise has a warning. */
export type SignOutput = (
  encoded: { bytes: Buffer; format: ImageFormat },
  image: Pick<ImageValue, 'origin' | 'madeFrom'>,
  options: SignOptions,
) => Promise<SignedOutput>

export interface SignedFileOf {
  /** Undefined for the primary output. */
  name: string | undefined
  node: string
  /** Format and width of a file in a set, as requested. */
  format?: OutputEncoding['format'] | undefined
  width?: number | undefined
}

export interface SignOptions extends Pick<ImagingContext, 'reserve' | 'signal'> {
  /** The records of the run. */
  steps: readonly Step[]
  /** Hashes of the results so far. */
  pixelHashes: PixelHashes
  isRequired: boolean
  /** The output that the file belongs to. */
  output: SignedFileOf
  /** Set if the file was encoded again, below this number of bytes, to leave room for the credentials. */
  encodedBytesMax?: number | undefined
}

/** `auto`: if a model made any of its pixels, or a source has credentials. */
export function isSigned(credentials: OutputSettings['credentials'], { origin, madeFrom }: ImageValue): boolean {
  if (credentials !== undefined && credentials !== 'auto') return credentials === 'always'
  return origin !== undefined || madeFrom?.sources.some((source) => source.credentials) === true
}

/** Encodes and signs. A limit on the size of the file includes the credentials. `at`: the path of the output in the document. */
export async function encodeSigned<Encoded extends { bytes: Buffer }>(
  encode: (settings: OutputEncoding) => Promise<Encoded>,
  settings: OutputEncoding,
  at: string,
  sign: (encoded: Encoded, encodedBytesMax?: number) => Promise<SignedOutput>,
): Promise<Encoded & SignedOutput> {
  const { maxBytes } = settings
  const encoded = await encode(settings)
  const signed = await sign(encoded)
  if (maxBytes === undefined || signed.bytes.length <= maxBytes) return { ...encoded, ...signed }
  const left = maxBytes - (signed.bytes.length - encoded.bytes.length) - spareBytes
  if (left < leastBytes)
    throw failure(
      'limit_exceeded',
      `"${at}.maxBytes" is ${maxBytes} bytes, of which the Content Credentials need ${signed.bytes.length - encoded.bytes.length}. Increase it, or set "${at}.credentials" to "never".`,
    )
  const smaller = await encode({ ...settings, maxBytes: left })
  return { ...smaller, ...(await sign(smaller, left)) }
}

/** The length of a manifest depends on the file by some bytes. */
const spareBytes = 64
/** The minimum of `maxBytes`. */
const leastBytes = 100
