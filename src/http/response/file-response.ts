/** Headers, validators and ranges of image files (RFC 9110). The headers keep hostile files from running scripts. */
import { create as contentDisposition } from 'content-disposition'
import parseRange from 'range-parser'
import { type Image, isDownloadOnly } from '../../domain/image.ts'
import { limits } from '../../limits.ts'
import { crossOriginHeaders } from './cross-origin.ts'

type Headers = Record<string, string | undefined>

/** `secondsLeft`: until the signed URL of a private image expires. */
export function fileHeaders(image: Image, secondsLeft?: number): Record<string, string> {
  const downloadOnly = isDownloadOnly(image.format)
  return {
    etag: etagOf(image),
    ...cacheHeaders(image, secondsLeft),
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(image.name, { type: downloadOnly ? 'attachment' : 'inline' }),
    'content-security-policy': downloadOnly ? "sandbox; default-src 'none'" : "default-src 'none'",
  }
}

/** Declarations for the API reference. */
export const cacheDocs = {
  ETag: 'For `If-None-Match`.',
  'Cache-Control': 'How long the response can be cached.',
}
export const imageDocs = { ...cacheDocs, 'Last-Modified': 'When the image was stored.' }
export const downloadDocs = { 'Content-Disposition': 'The name of the file.' }

/** A file that is made for the request. */
export function downloadHeaders(name: string, mediaType: string): Record<string, string> {
  return {
    'content-type': mediaType,
    'content-disposition': contentDisposition(name, { type: 'attachment' }),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
  }
}

/** The ETag is weak, because a thumbnail that is rendered again can have other bytes. */
export function thumbnailHeaders(image: Image, secondsLeft?: number): Record<string, string> {
  return {
    etag: `W/${etagOf(image)}`,
    ...cacheHeaders(image, secondsLeft),
    'content-security-policy': "default-src 'none'",
  }
}

function cacheHeaders({ createdAt }: Image, secondsLeft: number | undefined): Record<string, string> {
  return {
    'last-modified': new Date(createdAt).toUTCString(),
    // The bytes never change, but the image may be deleted.
    'cache-control':
      secondsLeft === undefined
        ? 'public, max-age=3600, immutable'
        : `private, max-age=${Math.min(secondsLeft, limits.privateImageCacheSeconds)}`,
    ...crossOriginHeaders,
  }
}

/** Weak comparison (RFC 9110, 13.1.2): a proxy may have made the ETag weak. */
export function isNotModified(headers: Record<string, string | string[] | undefined>, etag: string): boolean {
  const tags = String(headers['if-none-match'] ?? '').split(',')
  return tags.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** The requested range. Undefined (the entire file) without a range, for several, or if `If-Range` doesn't match. */
export function requestedRange(
  headers: Headers,
  image: Image,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const { range, 'if-range': ifRange } = headers
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== etagOf(image))) return undefined
  // A suffix longer than the file selects the entire file (RFC 9110, 14.1.2). range-parser rejects it.
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
