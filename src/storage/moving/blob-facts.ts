import { blobKeyOf } from '../../domain/blob-key.ts'
import type { FontFormat } from '../../domain/font.ts'
import type { ImageFormat } from '../../domain/image.ts'
import type { Row } from '../database/carried.ts'

export interface BlobFacts {
  key: string
  bytes: number
  /** SHA-256, in hex. */
  hash: string
}

/** What the record of an image or a font tells of its bytes. */
export function blobOf(row: Row): BlobFacts {
  const key = blobKeyOf({ id: String(row.id), format: String(row.format) as ImageFormat | FontFormat })
  return { key, bytes: Number(row.size), hash: String(row.sha256) }
}

/** All of it in one line, to be hashed. */
export function blobLine({ key, bytes, hash }: BlobFacts): string {
  return `${hash} ${bytes} ${key}\n`
}
