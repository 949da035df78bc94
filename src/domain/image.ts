/** An image is the record; a blob is its bytes. */
import { limits } from '../limits.ts'
import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Page, PageRequest } from './page.ts'

/** What each stored format is called, served as, and named on disk. As told by the bytes, never by a file's name. */
export const imageFormats = {
  png: { mediaType: 'image/png', extension: 'png', alpha: true },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg', alpha: false },
  webp: { mediaType: 'image/webp', extension: 'webp', alpha: true },
  avif: { mediaType: 'image/avif', extension: 'avif', alpha: true },
  gif: { mediaType: 'image/gif', extension: 'gif', alpha: true },
  tiff: { mediaType: 'image/tiff', extension: 'tiff', alpha: true },
  svg: { mediaType: 'image/svg+xml', extension: 'svg', alpha: true },
} as const

export type ImageFormat = keyof typeof imageFormats

/** The name of a file, as schemas have it: no path, no control characters. */
export const fileName = {
  maxLength: limits.nameCharsMax,
  pattern: '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]+$',
  'x-expected': 'a file name without /, \\ and control characters',
}

export interface Image {
  id: string
  accountId: string
  projectId: string | null
  /** File name, as given by the uploader or made from the workflow's name. */
  name: string
  format: ImageFormat
  /** Bytes. */
  size: number
  /** Pixels, as it is seen: after EXIF orientation. */
  width: number
  height: number
  /** SHA-256 of the bytes, in hex. */
  sha256: string
  /** The execution that made it; null for an upload. */
  executionId: string | null
  createdAt: number
}

export interface ImageStore {
  /** With `record`: see `KeyTaken`. */
  create(image: Image, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Image | undefined>
  /** By id alone: for serving `/images/<id>.<ext>` to whoever has the URL. */
  findPublic(id: string): Promise<Image | undefined>
  /** The account's image with these bytes, if it has one. */
  findByHash(accountId: string, sha256: string): Promise<Image | undefined>
  list(accountId: string, page: PageRequest, filter: { projectId?: string }): Promise<Page<Image>>
  /** Takes the row away and notes its blob for removal. Gives the blob's key; undefined when there was no row. */
  remove(accountId: string, id: string, now: number): Promise<string | undefined>
  /** Which of these ids have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}

/** What the bytes say they are. */
export interface ImageFacts {
  format: ImageFormat
  width: number
  height: number
}

/**
 * Bytes by key: see blob-key.ts. A blob that was committed is there whole or not at all, also after a crash.
 */
export interface BlobStore {
  /**
   * Streams bytes to a temporary place, counting and hashing.
   * Throws `BlobTooLarge` past `bytesMax`, and whatever the source throws; in both cases nothing is left behind.
   */
  stage(source: AsyncIterable<Uint8Array>, bounds: { bytesMax: number }): Promise<StagedBlob>
  /** All of it. Throws `BlobMissing`. */
  read(key: string): Promise<Buffer>
  /** A stretch of it (`end` inclusive), or all. Throws `BlobMissing`. */
  open(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>
  /**
   * Makes the same bytes durable under another key, without moving them. Throws `BlobMissing`. Where it is not there, or says
   * false, they have to be read and staged.
   */
  copy?(key: string, to: string): Promise<boolean>
  /** True when it was there. */
  remove(key: string): Promise<boolean>
  /** Every committed key with its age, for sweeping up what has no row. */
  list(): AsyncIterable<{ key: string; modifiedAt: number }>
  /** Throws when the store cannot take a write. */
  check(): Promise<void>
}

export interface StagedBlob {
  bytes: number
  sha256: string
  /** A local file that holds the bytes until commit or discard. */
  path: string
  /** Makes the bytes durable under this key. Call it before the row is written. */
  commit(key: string): Promise<void>
  discard(): Promise<void>
}

export class BlobTooLarge extends Error {
  readonly bytesMax: number
  constructor(bytesMax: number) {
    super(`more than ${bytesMax} bytes`)
    this.name = 'BlobTooLarge'
    this.bytesMax = bytesMax
  }
}

export class BlobMissing extends Error {
  readonly key: string
  constructor(key: string) {
    super(`no blob ${key}`)
    this.name = 'BlobMissing'
    this.key = key
  }
}
