/** Serving bytes of an image: validators, ranges (RFC 9110), and headers that keep hostile files harmless. */
import { create as contentDisposition } from 'content-disposition'
import parseRange from 'range-parser'
import type { Image } from '../../domain/image.ts'

type Headers = Record<string, string | undefined>

export function fileHeaders(image: Image): Record<string, string> {
  const svg = image.format === 'svg'
  return {
    etag: etagOf(image),
    'last-modified': new Date(image.createdAt).toUTCString(),
    'accept-ranges': 'bytes',
    // The bytes under an id never change, but the image may be deleted.
    'cache-control': 'public, max-age=3600, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-disposition': contentDisposition(image.name, { type: svg ? 'attachment' : 'inline' }),
    // An SVG is a document that may hold scripts: only ever a download, and without rights even then.
    'content-security-policy': svg ? "sandbox; default-src 'none'" : "default-src 'none'",
  }
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have made the tag weak. */
export function isNotModified(headers: Record<string, string | string[] | undefined>, etag: string): boolean {
  const tags = String(headers['if-none-match'] ?? '').split(',')
  return tags.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** The one range asked for; all of it when none is, or several are, or `If-Range` names other bytes. */
export function requestedRange(
  headers: Headers,
  image: Image,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const { range, 'if-range': ifRange } = headers
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== etagOf(image))) return undefined
  // A suffix longer than the whole is the whole (RFC 9110, 14.1.2), which the parser does not know.
  const suffix = /^bytes=-(\d+)$/.exec(range.trim())?.[1]
  if (suffix !== undefined && Number(suffix) > image.size) return { start: 0, end: image.size - 1 }
  const ranges = parseRange(image.size, range)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

export function etagOf({ sha256 }: Image): string {
  return `"${sha256}"`
}
