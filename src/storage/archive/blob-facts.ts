import type { FontFormat } from '../../domain/accounts/font.ts'
import { blobKeyOf, idOfBlobKey } from '../../domain/blob-key.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import { callIdOfBlob } from '../../domain/models/provider-call.ts'
import type { Row } from '../database/exported-tables.ts'

export interface BlobFacts {
  key: string
  bytes: number
  /** SHA-256, in hex. */
  hash: string
}

/** The key, size and hash of the bytes of an image or a font, from its record. */
export function blobOf(row: Row): BlobFacts {
  const key = blobKeyOf({ id: String(row.id), format: String(row.format) as ImageFormat | FontFormat })
  return { key, bytes: Number(row.size), hash: String(row.sha256) }
}

/** A line to be hashed. */
export function blobLine({ key, bytes, hash }: BlobFacts): string {
  return `${hash} ${bytes} ${key}\n`
}

/** The blob keys in the record of a call. None if its `response` cannot be parsed. */
export function callBlobKeys({ response }: Row): string[] {
  try {
    const { blobKeys } = JSON.parse(String(response ?? '{}')) as { blobKeys?: unknown }
    return Array.isArray(blobKeys) ? blobKeys.map(String) : []
  } catch {
    return []
  }
}

/** A line to be hashed. */
export function keyLine(key: string): string {
  return `${key}\n`
}

type BlobGroup = 'images' | 'fonts' | 'provider_calls'

/** The name of the checks of the blobs of a table. The key of a blob doesn't say whether its image is in the bin. */
export function blobGroupOf(table: string): BlobGroup {
  return table === 'binned_images' ? 'images' : (table as BlobGroup)
}

/** The name of the checks of a blob. */
export function groupOfBlob(key: string): BlobGroup {
  if (key.startsWith('call_')) return 'provider_calls'
  return key.startsWith('font_') ? 'fonts' : 'images'
}

/** The id of the record of a blob. */
export function recordIdOfBlob(key: string): string {
  return groupOfBlob(key) === 'provider_calls' ? callIdOfBlob(key) : idOfBlobKey(key)
}
