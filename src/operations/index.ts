/** All operations, in the order of the palette. An operation that isn't listed here doesn't exist. */

import { describe } from './ai/describe.ts'
import { edit } from './ai/edit.ts'
import { generate } from './ai/generate.ts'
import { inpaint } from './ai/inpaint.ts'
import { judge } from './ai/judge.ts'
import { write } from './ai/write.ts'
import { blurhash } from './analyse/blurhash.ts'
import { faces } from './analyse/faces.ts'
import { histogram } from './analyse/histogram.ts'
import { info } from './analyse/info.ts'
import { ocr } from './analyse/ocr.ts'
import { palette } from './analyse/palette.ts'
import { phash } from './analyse/phash.ts'
import { similarity } from './analyse/similarity.ts'
import { animate } from './animation/animate.ts'
import { frames } from './animation/frames.ts'
import { adjust } from './colour/adjust.ts'
import { autoEnhance } from './colour/auto-enhance.ts'
import { curves } from './colour/curves.ts'
import { duotone } from './colour/duotone.ts'
import { equalize } from './colour/equalize.ts'
import { gradientMap } from './colour/gradient-map.ts'
import { grayscale } from './colour/grayscale.ts'
import { invert } from './colour/invert.ts'
import { levels } from './colour/levels.ts'
import { lut } from './colour/lut.ts'
import { normalize } from './colour/normalize.ts'
import { posterize } from './colour/posterize.ts'
import { temperature } from './colour/temperature.ts'
import { threshold } from './colour/threshold.ts'
import { tint } from './colour/tint.ts'
import { beforeAfter } from './combine/before-after.ts'
import { choose } from './combine/choose.ts'
import { composite } from './combine/composite.ts'
import { diff } from './combine/diff.ts'
import { grid } from './combine/grid.ts'
import { mask } from './combine/mask.ts'
import { montage } from './combine/montage.ts'
import { stack } from './combine/stack.ts'
import { watermark } from './combine/watermark.ts'
import type { Catalogue, Operation } from './define.ts'
import { blur } from './filter/blur.ts'
import { denoise } from './filter/denoise.ts'
import { dropShadow } from './filter/drop-shadow.ts'
import { edges } from './filter/edges.ts'
import { glow } from './filter/glow.ts'
import { grain } from './filter/grain.ts'
import { median } from './filter/median.ts'
import { outline } from './filter/outline.ts'
import { pixelate } from './filter/pixelate.ts'
import { removeBackground } from './filter/remove-background.ts'
import { sharpen } from './filter/sharpen.ts'
import { upscale } from './filter/upscale.ts'
import { vignette } from './filter/vignette.ts'
import { crop } from './geometry/crop.ts'
import { extend } from './geometry/extend.ts'
import { flip } from './geometry/flip.ts'
import { perspective } from './geometry/perspective.ts'
import { resize } from './geometry/resize.ts'
import { rotate } from './geometry/rotate.ts'
import { round } from './geometry/round.ts'
import { smartCrop } from './geometry/smart-crop.ts'
import { thumbnailSheet } from './geometry/thumbnail-sheet.ts'
import { tile } from './geometry/tile.ts'
import { trim } from './geometry/trim.ts'
import { eachFrame } from './shared/each-frame.ts'
import { barcode } from './source/barcode.ts'
import { canvas } from './source/canvas.ts'
import { chart } from './source/chart.ts'
import { gradient } from './source/gradient.ts'
import { image } from './source/image.ts'
import { noise } from './source/noise.ts'
import { qr } from './source/qr.ts'
import { shape } from './source/shape.ts'
import { svg } from './source/svg.ts'
import { html } from './text/html.ts'
import { text } from './text/text.ts'

const operations: Operation[] = [
  image,
  canvas,
  gradient,
  noise,
  shape,
  svg,
  qr,
  barcode,
  chart,
  generate,
  edit,
  inpaint,
  describe,
  write,
  judge,
  resize,
  crop,
  smartCrop,
  rotate,
  flip,
  extend,
  perspective,
  thumbnailSheet,
  tile,
  trim,
  round,
  adjust,
  autoEnhance,
  levels,
  curves,
  temperature,
  normalize,
  equalize,
  grayscale,
  invert,
  tint,
  duotone,
  gradientMap,
  lut,
  threshold,
  posterize,
  blur,
  sharpen,
  upscale,
  removeBackground,
  dropShadow,
  outline,
  glow,
  vignette,
  pixelate,
  grain,
  median,
  denoise,
  edges,
  composite,
  mask,
  grid,
  montage,
  stack,
  choose,
  watermark,
  diff,
  beforeAfter,
  text,
  html,
  info,
  palette,
  histogram,
  blurhash,
  phash,
  similarity,
  faces,
  ocr,
  frames,
  animate,
]

export const catalogue: Catalogue = new Map(operations.map((operation) => [operation.id, eachFrame(operation)]))
