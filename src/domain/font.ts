/** A font that an account has uploaded: one file of one family. Its bytes are the blob under its id. */
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
  /** False, and nothing is written, when the account has `ofAccountMax` already, however many are created at once. */
  create(font: Font, bounds: { ofAccountMax: number }): Promise<boolean>
  find(accountId: string, id: string): Promise<Font | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Font>>
  /** Takes the row away. False when there was none. */
  remove(accountId: string, id: string): Promise<boolean>
}
