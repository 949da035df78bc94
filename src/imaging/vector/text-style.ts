/** What is asked of a text, and how its characters are drawn once fonts are found. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { FontRequest } from './fonts.ts'
import type { LayoutOptions } from './layout.ts'
import type { Transform } from './runs.ts'

export const backgroundShapes = ['text', 'line', 'box'] as const

export interface TextStyle extends FontRequest, Pick<LayoutOptions<unknown>, 'size' | 'lineHeight' | 'fit'> {
  text: string
  /** Whether the text is Pango markup. */
  markup: boolean
  transform: Transform
  linesMax?: number | undefined
  balance: boolean
  direction: 'auto' | 'ltr' | 'rtl'
  /** Times the size, between characters. */
  letterSpacing: number
  align: 'left' | 'center' | 'right' | 'justify'
  verticalAlign: 'top' | 'middle' | 'bottom'
  underline: boolean
  strike: boolean
  /** CSS colours, also those below. */
  color: string
  /** In place of the colour. Degrees as in CSS: 90 runs to the right. */
  gradient?: { from: string; to: string; angle: number } | undefined
  /** Pixels around each character; 0 for none. */
  outlineWidth: number
  outlineColor: string
  /** Pixels; blur as in CSS: twice the standard deviation. */
  shadow?: { x: number; y: number; blur: number; color: string } | undefined
  /** Around all lines together, each line by itself, or the whole box. Pixels. */
  background?: { color: string; padding: number; radius: number; per: (typeof backgroundShapes)[number] } | undefined
}

/** Characters as they are drawn: one object for each style that occurs in a text. */
export interface CharStyle {
  /** Families, best first. */
  names: string[]
  language: string
  weight: number
  /** Times the size of the text. */
  size: number
  /** Undefined: that of the text as a whole. */
  color: string | undefined
  background: string | undefined
  underline: boolean
  strike: boolean
}

/** `size` is that of the text as a whole, in pixels. */
export function setFont(pen: SKRSContext2D, style: CharStyle, size: number, letterSpacing: number): void {
  const own = size * style.size
  // The weight of variable fonts; others are files of one weight each. In the list of families it would embolden those.
  pen.fontVariationSettings = `"wght" ${style.weight}`
  pen.lang = style.language
  pen.font = `${own}px ${style.names.map((name) => `"${name}"`).join(', ')}`
  pen.letterSpacing = `${letterSpacing * own}px`
  pen.textBaseline = 'alphabetic'
  pen.textAlign = 'left'
}
