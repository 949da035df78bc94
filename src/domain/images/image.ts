/** An image is the record; a blob is its bytes. */
import { limits } from '../../limits.ts'
import type { CredentialState } from '../credentials/credential-state.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { CountedPage, PageRequest } from '../page.ts'
import type { Origin } from './origin.ts'

interface FormatFacts {
  mediaType: string
  extension: string
  alpha: boolean
  /** Whether it is only downloaded, and sandboxed if it is opened: browsers run scripts in such files, or can't show them. */
  downloadOnly?: boolean
}

/** Name, media type and extension of each stored format. The bytes decide the format, never a file name. */
export const imageFormats = {
  png: { mediaType: 'image/png', extension: 'png', alpha: true },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg', alpha: false },
  webp: { mediaType: 'image/webp', extension: 'webp', alpha: true },
  avif: { mediaType: 'image/avif', extension: 'avif', alpha: true },
  gif: { mediaType: 'image/gif', extension: 'gif', alpha: true },
  tiff: { mediaType: 'image/tiff', extension: 'tiff', alpha: true },
  svg: { mediaType: 'image/svg+xml', extension: 'svg', alpha: true, downloadOnly: true },
  pdf: { mediaType: 'application/pdf', extension: 'pdf', alpha: false, downloadOnly: true },
  psd: { mediaType: 'image/vnd.adobe.photoshop', extension: 'psd', alpha: true, downloadOnly: true },
} as const satisfies Record<string, FormatFacts>

export function isDownloadOnly(format: ImageFormat): boolean {
  return 'downloadOnly' in imageFormats[format]
}

export type ImageFormat = keyof typeof imageFormats

/** A file name: no path, no control characters, not only white space. */
export const fileName = {
  maxLength: limits.nameCharsMax,
  pattern: '^(?!\\.{1,2}$)(?!\\s*$)[^/\\\\\\u0000-\\u001f\\u007f]+$',
  'x-expected': 'a file name without /, \\ and control characters that is not only white space',
}

export interface Image {
  id: string
  accountId: string
  projectId: string | null
  /** The file name of the upload, or one from the workflow's name. */
  name: string
  format: ImageFormat
  /** Bytes. */
  size: number
  /** Pixels, after EXIF orientation. */
  width: number
  height: number
  /** SHA-256 of the bytes, in hex. */
  sha256: string
  /** Null if no known AI model made any of its pixels. */
  origin: Origin | null
  /** The state of its Content Credentials when it was stored; null if it has none. */
  credentials: CredentialState | null
  /** Whether its own URLs require a signature. Set when it is stored or changed. */
  isPrivate?: true
  /** Whether its URLs require a signature: it or its project is private. Set when it is read. */
  requiresSignature?: true
  /** The execution that created it; null for an upload. */
  executionId: string | null
  createdAt: number
  /** When it is removed. Undefined: it stays. */
  expiresAt?: number
}

export const imageSources = ['upload', 'output'] as const
export type ImageSource = (typeof imageSources)[number]

export interface ImageFilter {
  projectId?: string | undefined
  /** Uploads, or outputs of executions. */
  source?: ImageSource | undefined
  /** A part of the name. */
  search?: string | undefined
  /** Created at this time or later. */
  createdAfter?: number | undefined
  /** Created before this time. */
  createdBefore?: number | undefined
  ids?: readonly string[] | undefined
}

/** `name`: by name, without regard to the case of ASCII letters. */
export const imageOrders = ['newest', 'oldest', 'largest', 'smallest', 'name'] as const
export type ImageOrder = (typeof imageOrders)[number]

/** The fields that change. */
export interface ImageChange {
  name?: string | undefined
  /** Null: no project. */
  projectId?: string | null | undefined
  isPrivate?: boolean | undefined
}

export interface ImageStore {
  /** Stores an image; with `record`, see `KeyTaken`. */
  create(image: Image, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Image | undefined>
  /** Finds an image by its id alone: `/images/<id>.<ext>` is public for everyone who has the URL. */
  findPublic(id: string): Promise<Image | undefined>
  /** The account's newest image with these bytes. `lastsUntil`: only one that stays until then, or with `always`, until it is deleted. */
  findByHash(accountId: string, sha256: string, lastsUntil?: number | 'always'): Promise<Image | undefined>
  list(accountId: string, page: PageRequest, filter: ImageFilter, order?: ImageOrder): Promise<CountedPage<Image>>
  count(accountId: string, filter: ImageFilter): Promise<number>
  /** False if the account has no such image. */
  update(accountId: string, id: string, change: ImageChange): Promise<boolean>
  /** Removes the row and its thumbnails, and notes their blobs for removal. Returns the key of the blob; undefined if there was no row. */
  remove(accountId: string, id: string, now: number): Promise<string | undefined>
  /**
   * Removes at most this number of images like `remove`, the oldest first, and in parts. `toBin`: moves them to the bin, with their bytes. `hasMore`:
   * whether matching images are left.
   */
  removeSome(
    accountId: string,
    filter: ImageFilter,
    max: number,
    now: number,
    options?: { toBin?: boolean },
  ): Promise<{ count: number; hasMore: boolean }>
  /** Finds those of the ids that have a row, of any account. */
  findAll(ids: readonly string[]): Promise<Image[]>
  /** The given ids that have a row, also in the bin. */
  existing(ids: readonly string[]): Promise<Set<string>>
}

/** The facts in the image file. */
export interface ImageFacts {
  format: ImageFormat
  width: number
  height: number
  /** Origin from the metadata of the file, and from its Content Credentials. */
  origin?: Origin | undefined
  credentials?: CredentialState | undefined
}

/** Bytes by key (blob-key.ts). A committed blob is complete or absent, also after a crash. */
export interface BlobStore {
  /**
   * Makes bytes durable under a key that nothing refers to yet. Until it resolves, and if it fails, the key may have a part of them. A repeated call
   * replaces them.
   */
  put(key: string, bytes: Buffer): Promise<StoredBytes>
  /**
   * Streams bytes to a temporary place, and counts and hashes them. Throws `BlobTooLarge` past `bytesMax`, and the errors of the
   * source. In both cases it leaves nothing behind.
   */
  stage(source: AsyncIterable<Uint8Array>, bounds: { bytesMax: number }): Promise<StagedBlob>
  /** The entire blob. Throws `BlobMissing`. */
  read(key: string): Promise<Buffer>
  /** A range (`end` is inclusive), or the entire blob. Throws `BlobMissing`. */
  open(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>
  /**
   * Makes the same bytes durable under another key, without a copy through memory. Throws `BlobMissing`. If it is not
   * implemented, or returns false, read and stage the bytes instead.
   */
  copy?(key: string, to: string): Promise<boolean>
  /** True if the blob existed. */
  remove(key: string): Promise<boolean>
  /** Every committed key with its age, to find blobs without a row. */
  list(): AsyncIterable<{ key: string; modifiedAt: number }>
  /** Throws if the store can't take a write. */
  check(): Promise<void>
}

export interface StoredBytes {
  bytes: number
  /** Hash in hexadecimal digits. */
  sha256: string
}

export interface StagedBlob extends StoredBytes {
  /** A local file with the bytes, until commit or discard. */
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
