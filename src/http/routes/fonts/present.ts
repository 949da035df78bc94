/** Converts fonts to response bodies. */

import type { Font } from '../../../domain/accounts/font.ts'
import { timestamp } from '../../../domain/clock.ts'

export function fontRecord({ id, family, format, weightMin, weightMax, italic, size, createdAt }: Font) {
  return { id, family, format, weightMin, weightMax, italic, size, createdAt: timestamp(createdAt) }
}
