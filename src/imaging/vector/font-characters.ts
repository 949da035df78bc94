import { create, type Font } from 'fontkitten'

/** The characters of a font file. The font of an account has passed `font-check.ts`, and is not a collection. */
export function charactersOf(bytes: Buffer): Set<number> {
  return new Set((create(bytes) as Font).characterSet)
}
