/** Content negotiation (RFC 9110, 12.5.3). Hand-written: `negotiator` needs a second package for its types, and saves ten lines. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const offered = ['br', 'gzip'] as const

export type Encoding = (typeof offered)[number]

export function encodingFor(accepted: string | undefined): Encoding | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((entry): [string, number] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
  // Brotli first, because it is smaller; the weights only exclude.
  return offered.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}

/** 11 ms of CPU for the OpenAPI document. The next quality takes twice to six times as long, and saves 6 %. */
const brotliQuality = 9
/** The quality of files that browsers keep for a year: half a second of CPU more for all scripts of the editor, once after a start. */
const brotliQualityOfKept = 10

/** Compresses in a thread of libuv. `isKept`: browsers read the bytes once, so they are worth more CPU. */
export function compressed(bytes: Buffer, encoding: Encoding, isKept = false): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes)
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const quality = isKept ? brotliQualityOfKept : brotliQuality
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return promisify(brotliCompress)(bytes, { params })
}
