/** A font that an account has uploaded: one file of one family. Its bytes are the blob under its id. */
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { CountedPage, PageRequest } from '../page.ts'

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

/** The facts in the font file that `Font` has. */
export interface FontFacts {
  format: FontFormat
  /** The name that texts use. */
  family: string
  /** Weight as in CSS, from 1 to 1000. Both are equal unless the font is variable. */
  weightMin: number
  weightMax: number
  italic: boolean
}

export interface InspectedFont extends FontFacts {
  characters: FontCharacters
}

/** The characters that the font has, as ranges: see `formatCoverage`. Up to `fontCharactersBytesMax`. */
export type FontCharacters = string

export interface FontStore {
  /** Throws `QuotaReached` if the account has the maximum of fonts. With `record`: see `KeyTaken`. */
  create(font: Font, characters: FontCharacters, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Font | undefined>
  /** Returns undefined for an unknown font. */
  characters(accountId: string, id: string): Promise<FontCharacters | undefined>
  list(accountId: string, page: PageRequest): Promise<CountedPage<Font>>
  /** Removes the row and notes its blob for removal. Returns the key of the blob; undefined if there was no row. */
  remove(accountId: string, id: string, now: number): Promise<string | undefined>
  /** The given ids that have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}
