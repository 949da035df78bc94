/** The style of a text from its params, and the style of its characters after fonts are resolved. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { FontRequest } from './fonts.ts'
import type { Families } from './large-fonts.ts'
import type { LayoutOptions } from './layout.ts'
import type { MissingGlyphsPolicy } from './missing-glyphs.ts'
import type { Transform } from './prepare-text.ts'

export const backgroundShapes = ['text', 'line', 'box'] as const

export interface TextStyle extends FontRequest, Pick<LayoutOptions<unknown>, 'size' | 'lineHeight' | 'fit'> {
  text: string
  /** Whether the text is Pango markup. */
  markup: boolean
  transform: Transform
  linesMax?: number | undefined
  balance: boolean
  direction: 'auto' | 'ltr' | 'rtl'
  /** Space between characters, as a multiple of the size. */
  letterSpacing: number
  align: 'left' | 'center' | 'right' | 'justify'
  verticalAlign: 'top' | 'middle' | 'bottom'
  underline: boolean
  strike: boolean
  /** CSS colours, also below. */
  color: string
  /** Used instead of the colour. Degrees as in CSS: 90 runs to the right. */
  gradient?: { from: string; to: string; angle: number } | undefined
  /** Pixels around each character; 0 for none. */
  outlineWidth: number
  outlineColor: string
  /** Pixels; blur as in CSS: twice the standard deviation. */
  shadow?: { x: number; y: number; blur: number; color: string } | undefined
  /** Default: `warn`. */
  missingGlyphs?: MissingGlyphsPolicy
  /** Background around all lines together, around each line, or the entire box. Pixels. */
  background?: { color: string; padding: number; radius: number; per: (typeof backgroundShapes)[number] } | undefined
}

/** The drawing style of characters: one object for each style of a text. */
export interface CharStyle extends Families {
  language: string
  weight: number
  /** Multiples of the text size. */
  size: number
  /** Undefined: the colour of the entire text. */
  color: string | undefined
  background: string | undefined
  underline: boolean
  strike: boolean
  /** The style that defines the height of the line instead, for characters in another font. */
  line?: CharStyle
}

/** `size` is the size of the entire text, in pixels. */
export function setFont(pen: SKRSContext2D, style: CharStyle, size: number, letterSpacing: number): void {
  const fontSize = size * style.size
  // The weight for variable fonts; other fonts have one file per weight. In the list of families it would embolden
  // those.
  pen.fontVariationSettings = `"wght" ${style.weight}`
  pen.lang = style.language
  setFamilies(pen, style.names, fontSize)
  pen.letterSpacing = `${letterSpacing * fontSize}px`
  pen.textBaseline = 'alphabetic'
  pen.textAlign = 'left'
}

/** Only the families, for a part of a text. `fontSize` is in pixels. */
export function setFamilies(pen: SKRSContext2D, names: string[], fontSize: number): void {
  pen.font = `${fontSize}px ${familyList(names)}`
}

/** Names in the notation of CSS. */
export function familyList(names: string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
