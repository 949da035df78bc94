import { create, type Font } from 'fontkitten'

/** The characters of a bundled font file. Unpacking a font takes up to seconds, so those of accounts are read when they are checked. */
export function charactersOf(bytes: Buffer): Set<number> {
  return new Set((create(bytes) as Font).characterSet)
}
