/** The response with a static file: type, encoding and validator. */
import { createHash } from 'node:crypto'
import type { RouteResponse } from '../define-route.ts'
import { type RequestHeaders, selectRepresentation } from '../response/preconditions.ts'
import { compressed, type Encoding, encodingFor } from './encoding.ts'

export interface StaticFile {
  mediaType: string
  /** Hash of the uncompressed bytes. The ETag of each encoding begins with it. */
  hash: string
  bytes: Buffer
  /** Compressed at the first request that accepts it: a package with compressed files would have three times as many files. */
  encoded: Map<Encoding, Promise<Buffer>>
}

export function staticFile(mediaType: string, bytes: Buffer): StaticFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  return { mediaType, hash, bytes, encoded: new Map() }
}

const compressible = /^text\/|json|svg/

/** Smaller files become larger. */
const compressedBytesMin = 256

/** The header of a document, for the reference. */
export const validator = {
  ETag: 'The version of the document. Send it in `If-None-Match` to get 304 if it has not changed.',
}

interface Options {
  headers: RequestHeaders
  status?: number
  /** The name contains a hash of the content, so the response never changes. */
  isImmutable: boolean
  /** Headers of the response in addition to these. */
  added?: Record<string, string>
}

export async function staticFileResponse(
  file: StaticFile,
  { headers, status = 200, isImmutable, added }: Options,
): Promise<RouteResponse> {
  const canBeSmaller = compressible.test(file.mediaType) && file.bytes.length >= compressedBytesMin
  const encoding = canBeSmaller ? encodingFor(String(headers['accept-encoding'] ?? '')) : undefined
  const etag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`
  const common = {
    etag,
    vary: 'accept-encoding',
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    // An SVG that is opened in a tab is a document.
    'content-security-policy': "default-src 'none'",
    ...added,
  }
  // HEAD and GET have the same preconditions, and static files have no ranges.
  if (status === 200 && selectRepresentation('GET', headers, { etag }).status === 304)
    return { status: 304, headers: common, body: null }
  return {
    status,
    headers: {
      ...common,
      'content-type': file.mediaType,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body: encoding === undefined ? file.bytes : await encodedBytes(file, encoding, isImmutable),
  }
}

function encodedBytes({ bytes, encoded }: StaticFile, encoding: Encoding, isKept: boolean): Promise<Buffer> {
  const found = encoded.get(encoding) ?? compressed(bytes, encoding, isKept)
  encoded.set(encoding, found)
  return found
}
