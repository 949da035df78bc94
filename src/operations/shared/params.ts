/** Params of several operations, so that they are the same everywhere. */
import Type from 'typebox'
import { families } from '../../imaging/vector/families.ts'
import { limits } from '../../limits.ts'

/**
 * Any CSS colour with or without alpha: `#0af`, `#00aaff80`, `rgb(0 170 255 / 50%)`, `hsl(200 100% 50%)`, `white`.
 */
export function color(options: { description: string; default?: string; title?: string }) {
  return Type.String({ format: 'color', maxLength: 64, 'x-widget': 'color', ...options })
}

/** A length in pixels of the image. */
export function pixels(options: {
  description: string
  minimum?: number
  maximum?: number
  default?: number
  title?: string
}) {
  return Type.Integer({ minimum: 0, maximum: limits.sidePixelsMax, 'x-unit': 'px', ...options })
}

/** The font of labels and captions; the operation `text` has its own description. */
export function font() {
  return Type.String({
    minLength: 1,
    maxLength: limits.nameCharsMax,
    default: 'Inter',
    examples: [...families],
    title: 'Font',
    description: `Font family: ${families.join(', ')}, or the family or id of an uploaded font.`,
  })
}

/** Corners and background of operations that arrange several images. */
export function sheetStyle() {
  return {
    radius: pixels({
      default: 0,
      title: 'Radius',
      description: 'Corner radius of every image; at most half of its shorter side.',
    }),
    background: color({
      default: 'transparent',
      title: 'Background',
      description: 'Colour of areas without an image.',
    }),
  }
}

/** Seed of a pseudo-random result. */
export function seed(description: string) {
  return Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 1, title: 'Seed', description })
}
