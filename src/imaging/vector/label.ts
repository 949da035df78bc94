/** Short texts that other operations draw: captions, labels, marks. */

import { solidColor } from '../raster/draw/fill.ts'
import type { Rectangle } from '../raster/region.ts'
import { checkSize } from '../raster/size.ts'
import type { ImagingContext, Pixels } from '../types.ts'
import { cssColor } from './css-color.ts'
import { drawText } from './draw-text.ts'
import type { TextStyle } from './text-style.ts'

export interface Label extends Pick<TextStyle, 'text' | 'font' | 'weight' | 'size' | 'shadow' | 'background'> {
  /** A CSS colour. */
  color: string
  align?: TextStyle['align']
  verticalAlign?: TextStyle['verticalAlign']
  linesMax?: number
}

/** Draws on pixels without other readers; text that doesn't fit the box is cut with an ellipsis. */
export async function writeLabel(target: Pixels, label: Label, box: Rectangle, context: ImagingContext): Promise<void> {
  const laid = await drawText(styleOf(label), context, { box })
  try {
    await laid.drawOn(target, context)
  } finally {
    laid.release()
  }
}

/** Pixels of a label on a transparent background in its natural size; undefined if nothing is visible. */
export async function labelPixels(label: Label, context: ImagingContext): Promise<Pixels | undefined> {
  const laid = await drawText(styleOf(label), context)
  try {
    const { width, height } = laid.box
    if (width === 0 || height === 0) return undefined
    checkSize(width, height, context.pixelsMax)
    const pixels = await solidColor(width, height, { r: 0, g: 0, b: 0, alpha: 0 }, context)
    await laid.drawOn(pixels, context)
    return pixels
  } finally {
    laid.release()
  }
}

/** The size that `labelPixels` would return. */
export async function labelSize(label: Label, context: ImagingContext): Promise<{ width: number; height: number }> {
  const laid = await drawText(styleOf(label), context)
  laid.release()
  return laid.box
}

function styleOf({ color, ...labelStyle }: Label): TextStyle {
  return {
    fit: 'ellipsis',
    lineHeight: 1.2,
    letterSpacing: 0,
    align: 'left',
    verticalAlign: 'middle',
    italic: false,
    language: 'auto',
    direction: 'auto',
    transform: 'none',
    markup: false,
    balance: false,
    underline: false,
    strike: false,
    outlineWidth: 0,
    outlineColor: 'black',
    color: cssColor(color),
    ...labelStyle,
  }
}
