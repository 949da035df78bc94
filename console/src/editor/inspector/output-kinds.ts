/** The files that an output can be. */
import type { OutputKind } from '../document/outputs.ts'

export const kindTitles: Readonly<Record<OutputKind, string>> = { image: 'Image', set: 'Set of images', pdf: 'PDF' }
export const kinds = Object.entries(kindTitles).map(([value, label]) => ({ value: value as OutputKind, label }))
