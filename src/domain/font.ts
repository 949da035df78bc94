/** A font that an account has uploaded: one file of one family. Its bytes are the blob under its id. */
import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Page, PageRequest } from './page.ts'

export const fontFormats = ['ttf', 'otf', 'woff2'] as const
export type FontFormat = (typeof fontFormats)[number]

export interface Font extends FontFacts {
  id: string
  accountId: string
  /** Bytes. */
  size: number
  /** SHA-256 of the bytes, in hex. */
  sha256: string
  createdAt: number
}

/** What the bytes say they are. */
export interface FontFacts {
  format: FontFormat
  /** What texts call it by. */
  family: string
  /** Of 1 to 1000, as in CSS; the same twice unless the font is variable. */
  weightMin: number
  weightMax: number
  italic: boolean
}

export interface FontStore {
  /**
   * False, and nothing is written, when the account has `ofAccountMax` already, however many are created at once. With
   * `record`: see `KeyTaken`.
   */
  create(font: Font, bounds: { ofAccountMax: number }, record?: NewIdempotencyRecord): Promise<boolean>
  find(accountId: string, id: string): Promise<Font | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Font>>
  /** Takes the row away and notes its blob for removal. Gives the blob's key; undefined when there was no row. */
  remove(accountId: string, id: string, now: number): Promise<string | undefined>
  /** Which of these ids have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}
