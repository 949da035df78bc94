/**
 * Files that delivery URLs respond with: outputs of workflows, and other sizes and formats of stored images. They are made for the first
 * request, are not listed in storage, and are removed when their account has too many bytes of them, the least recently used first.
 */
import { createHash } from 'node:crypto'
import type { Image } from '../images/image.ts'

/** The facts of the bytes. The id is that of an image, so that all URLs of images work. */
export type DerivedImage = Pick<Image, 'id' | 'format' | 'size' | 'width' | 'height' | 'sha256'>

export interface DerivedFile {
  /** `derivedKey`: the same for all URLs with the same content. */
  key: string
  /** The workflow or the image. */
  ownerId: string
  accountId: string
  /** The execution that makes it, or has made it. Null for a size of an image. */
  executionId: string | null
  /** Null until it is ready. While it is made again, the former one. */
  image: DerivedImage | null
  /** Seconds that caches may keep it, if its URL names no version. */
  maxAge: number
  /** Whether it depends on URLs of other hosts or on brand values, which can change. */
  readsUrls: boolean
  /** Whether its execution may have cost money. */
  isPaid: boolean
  /** Whether its URLs redirect to the server of `IMAGES_URL`. */
  redirects: boolean
  /** When it became ready, or its execution was recorded. */
  createdAt: number
  usedAt: number
}

/** A file that an execution will make. */
export interface NewDerivedFile
  extends Pick<DerivedFile, 'key' | 'ownerId' | 'maxAge' | 'readsUrls' | 'isPaid' | 'redirects'> {
  /** The failed execution that it replaces, or the one whose file is out of date. Null if the file doesn't exist yet. */
  replaces: string | null
}

/** Another execution makes the file already. Nothing was written. */
export class DerivedFileTaken extends Error {
  constructor() {
    super('another execution makes the file')
    this.name = 'DerivedFileTaken'
  }
}

/** Identifies parameters and format: URLs with the same hash have the same content. */
export function variantHash(format: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  return createHash('sha256')
    .update(JSON.stringify([format, ...parameters]))
    .digest('base64url')
}

export function derivedKey(owner: { id: string; version?: number | undefined }, variant: string): string {
  return `${owner.id}${owner.version === undefined ? '' : `@${owner.version}`}/${variant}`
}
