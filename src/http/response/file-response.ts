/** Headers of image files. They keep hostile files from running scripts. */
import { create as contentDisposition } from 'content-disposition'
import { type Image, isDownloadOnly } from '../../domain/images/image.ts'
import { limits } from '../../limits.ts'
import { crossOriginHeaders } from './cross-origin.ts'
import type { FileHeaders } from './preconditions.ts'

/** `secondsLeft`: until the signed URL of a private image expires. */
export function fileHeaders(image: Image, secondsLeft?: number): FileHeaders {
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
  ETag: 'For `If-None-Match`, `If-Match` and `If-Range`.',
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
export function thumbnailHeaders(image: Image, secondsLeft?: number): FileHeaders {
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

function etagOf({ sha256 }: Image): string {
  return `"${sha256}"`
}
