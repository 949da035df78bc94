/** Preconditions and ranges of every route that returns a file (RFC 9110, 13.2.2 and 14.2). */
import parseRange from 'range-parser'
import { Fault } from '../../errors.ts'
import type { RouteResponse } from '../define-route.ts'

/** Lower-case names. */
export type RequestHeaders = Record<string, string | string[] | undefined>

export interface Representation {
  /** The tag with its quotes, and `W/` if it is weak. */
  etag: string
  /** Milliseconds since 1970. */
  modifiedAt?: number | undefined
  /** Bytes, if the route returns ranges. */
  size?: number | undefined
}

/** `end` is the last byte. */
export type Selected = { status: 200 | 304 | 416 } | { status: 206; range: { start: number; end: number } }

/** The reply of a route that returns a file, without its headers. */
export const notModified = {
  status: 304,
  description: 'Not modified: the `ETag` matches `If-None-Match`, or the file is not newer than `If-Modified-Since`.',
}

/** Headers of each response with a file. */
export type FileHeaders = Record<string, string> & { etag: string }

export interface FileToSend {
  headers: FileHeaders
  mediaType: string
  modifiedAt?: number
  /** Bytes, if they are known before the file is read. */
  size?: number
  /** A request can have a `Range`. Requires `size`. */
  hasRanges?: boolean
  /** Reads the bytes, unless the response has no body. */
  read(range?: { start: number; end: number }): Promise<Uint8Array | AsyncIterable<Uint8Array>>
}

/** The response with a file, or with the part of it that the request selects. */
export async function respondWithFile(
  { method, headers }: { method: string; headers: RequestHeaders },
  { headers: common, mediaType, modifiedAt, size, hasRanges = false, read }: FileToSend,
): Promise<RouteResponse> {
  const file = { etag: common.etag, modifiedAt, size: hasRanges ? size : undefined }
  const selected = selectRepresentation(method, headers, file)
  const { status } = selected
  if (status === 304) return { status, headers: common, body: null }
  if (status === 416) return { status, headers: { ...common, 'content-range': `bytes */${size}` }, body: null }
  const range = status === 206 ? selected.range : undefined
  const isHeadOnly = method === 'HEAD' && size !== undefined
  const content = isHeadOnly ? undefined : await read(range)
  const length = range ? range.end - range.start + 1 : content instanceof Uint8Array ? content.length : size
  return {
    status,
    headers: {
      ...common,
      'content-type': mediaType,
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    },
    body: method === 'HEAD' ? null : content,
  }
}

/**
 * The part of a file that a request selects. Throws `precondition_failed` if `If-Match` or `If-Unmodified-Since` fails. A date or a range that is
 * malformed is ignored, and several ranges select the entire file, as the RFC allows.
 */
export function selectRepresentation(method: string, headers: RequestHeaders, file: Representation): Selected {
  const { etag, modifiedAt, size } = file
  const [ifMatch, ifNoneMatch] = [textOf(headers['if-match']), textOf(headers['if-none-match'])]
  const seconds = modifiedAt === undefined ? undefined : Math.floor(modifiedAt / 1_000)
  const isNewerThan = (name: string) => {
    const since = parseHttpDate(textOf(headers[name]))
    return seconds === undefined || since === undefined ? undefined : seconds > since
  }
  if (ifMatch !== undefined) {
    if (!tagsOf(ifMatch).some((tag) => tag === '*' || (tag === etag && !isWeak(tag))))
      throw notAsExpected('If-Match', file)
  } else if (isNewerThan('if-unmodified-since') === true) throw notAsExpected('If-Unmodified-Since', file)
  if (ifNoneMatch !== undefined) {
    if (tagsOf(ifNoneMatch).some((tag) => tag === '*' || opaque(tag) === opaque(etag))) return { status: 304 }
  } else if (isNewerThan('if-modified-since') === false) return { status: 304 }
  const range = textOf(headers.range)
  // Only GET has ranges.
  if (method !== 'GET' || range === undefined || size === undefined) return { status: 200 }
  return isRangeWanted(textOf(headers['if-range']), etag, seconds) ? selectRange(range, size) : { status: 200 }
}

/** RFC 9110, 13.1.5: exact comparison, of a strong ETag or of the date. */
function isRangeWanted(ifRange: string | undefined, etag: string, seconds: number | undefined): boolean {
  if (ifRange === undefined) return true
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === etag && !isWeak(etag)
  return seconds !== undefined && parseHttpDate(ifRange) === seconds
}

function selectRange(range: string, size: number): Selected {
  // A suffix longer than the file selects the entire file (RFC 9110, 14.1.2). range-parser rejects it.
  const suffix = /^bytes=-(\d+)$/i.exec(range)?.[1]
  if (suffix !== undefined && Number(suffix) > size) return { status: 206, range: { start: 0, end: size - 1 } }
  const ranges = parseRange(size, range)
  if (ranges === -1) return { status: 416 }
  const [only] = ranges === -2 || ranges.type.toLowerCase() !== 'bytes' || ranges.length !== 1 ? [] : ranges
  return only === undefined ? { status: 200 } : { status: 206, range: { start: only.start, end: only.end } }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value.join(', ') : value)?.trim()
}

/** A tag can contain commas. */
function tagsOf(list: string): string[] {
  return list === '*' ? ['*'] : (list.match(/(?:W\/)?"[^"]*"/g) ?? [])
}

const isWeak = (tag: string): boolean => tag.startsWith('W/')
const opaque = (tag: string): string => tag.replace(/^W\//, '')

const monthNames = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
/** The three forms that a recipient must accept (RFC 9110, 5.6.7). The last one, of asctime, has no time zone. */
const dateForms = [
  new RegExp(`^[A-Z][a-z]{2}, \\d\\d (?:${monthNames}) \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, \\d\\d-(?:${monthNames})-\\d\\d \\d\\d:\\d\\d:\\d\\d GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?:${monthNames}) [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}$`),
]

/** Seconds since 1970. Undefined if it isn't a date. */
function parseHttpDate(text: string | undefined): number | undefined {
  const form = text === undefined ? -1 : dateForms.findIndex((each) => each.test(text))
  if (form < 0) return undefined
  const milliseconds = Date.parse(form === 2 ? `${text} GMT` : (text as string))
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1_000)
}

function notAsExpected(header: string, { etag, modifiedAt }: Representation): Fault {
  const current =
    header === 'If-Match' ? `its ETag is ${etag}` : `it was stored at ${new Date(modifiedAt ?? 0).toUTCString()}`
  return new Fault(
    'precondition_failed',
    `${header} doesn't match the file: ${current}. Repeat the request without ${header}.`,
  )
}
