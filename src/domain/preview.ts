/** A small picture of what a step gave, to look at. All executions of an account whose steps have the same key show the same. */
import type { StepPreview } from './execution.ts'

export interface Preview extends StepPreview {
  accountId: string
  /** Of the result that it shows; null where that has none. */
  key: string | null
  createdAt: number
  /** When an execution showed it last. */
  usedAt: number
}

/** All are WebP. */
export function previewBlobKey({ id }: Pick<Preview, 'id'>): string {
  return `${id}.webp`
}

export interface PreviewStore {
  add(previews: readonly Preview[]): Promise<void>
  /** Of these keys, those that were shown since then; of several of one key, the newest. */
  find(accountId: string, keys: readonly string[], usedSince: number): Promise<Preview[]>
  /** Notes that they were shown. */
  touch(ids: readonly string[], now: number): Promise<void>
  /** Takes away what was shown last before this time, at most so many, and notes the blobs for removal. Gives how many. */
  sweep(before: number, rowsMax: number, now: number): Promise<number>
  /** Which of these ids have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}
