/**
 * A preview of a step result, or the thumbnail of a stored image. Executions of an account whose steps have the same key share
 * previews.
 */
import type { StepPreview } from '../executions/execution.ts'

export interface Preview extends StepPreview {
  accountId: string
  /** The key of the result, or of a thumbnail; null if the result has none. */
  key: string | null
  /** Bytes of the file. */
  size: number
  createdAt: number
  /** When an execution used it last, or a client a thumbnail. */
  usedAt: number
}

/** The key of an image's thumbnail. Keys of results are hashes. `isMarked`: whether thumbnails of AI images are marked. */
export function thumbnailKey(imageId: string, isMarked = true): string {
  return isMarked ? `thumbnail ${imageId}` : `thumbnail ${imageId} without a mark`
}

/** All keys that a thumbnail of an image can have. */
export function thumbnailKeys(imageId: string): string[] {
  return [true, false].map((isMarked) => thumbnailKey(imageId, isMarked))
}

/** All previews are WebP. */
export function previewBlobKey({ id }: Pick<Preview, 'id'>): string {
  return `${id}.webp`
}

export interface PreviewStore {
  add(previews: readonly Preview[]): Promise<void>
  /** The previews of these keys that were used since then; for each key, the newest one. */
  find(accountId: string, keys: readonly string[], usedSince: number): Promise<Preview[]>
  /** Notes that they were used. */
  touch(ids: readonly string[], now: number): Promise<void>
  /** The given ids that have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}
