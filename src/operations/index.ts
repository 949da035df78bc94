/** Every operation there is, in the order of the palette. A file that is not listed here does not exist for anybody. */
import { adjust } from './adjust.ts'
import { blur } from './blur.ts'
import { canvas } from './canvas.ts'
import { composite } from './composite.ts'
import { crop } from './crop.ts'
import type { Catalogue, Operation } from './define.ts'
import { extend } from './extend.ts'
import { flip } from './flip.ts'
import { gradient } from './gradient.ts'
import { grayscale } from './grayscale.ts'
import { image } from './image.ts'
import { info } from './info.ts'
import { invert } from './invert.ts'
import { mask } from './mask.ts'
import { qr } from './qr.ts'
import { resize } from './resize.ts'
import { rotate } from './rotate.ts'
import { round } from './round.ts'
import { shape } from './shape.ts'
import { sharpen } from './sharpen.ts'
import { text } from './text.ts'
import { tile } from './tile.ts'
import { tint } from './tint.ts'
import { trim } from './trim.ts'

const operations: Operation[] = [
  image,
  canvas,
  gradient,
  shape,
  qr,
  resize,
  crop,
  rotate,
  flip,
  extend,
  tile,
  trim,
  round,
  adjust,
  grayscale,
  invert,
  tint,
  blur,
  sharpen,
  composite,
  mask,
  text,
  info,
]

export const catalogue: Catalogue = new Map(operations.map((operation) => [operation.id, operation]))
