/** Converts fonts to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { Font } from '../../../domain/font.ts'

export function fontRecord({ id, family, format, weightMin, weightMax, italic, size, createdAt }: Font) {
  return { id, family, format, weightMin, weightMax, italic, size, createdAt: timestamp(createdAt) }
}
