/** Short texts at exact positions: digits below bars. */

import type { Layer } from '../raster/layer/over.ts'
import type { Rectangle } from '../raster/region.ts'
import type { ImagingContext } from '../types.ts'
import { loadCanvas } from './canvas.ts'
import { unsplit } from './emoji-font.ts'
import type { Family } from './families.ts'
import { facesFor } from './fonts.ts'
import { reportMissing } from './missing-glyphs.ts'
import { familyList } from './text-style.ts'

export interface Label {
  text: string
  /** Horizontal centre, in pixels. */
  x: number
  /** Baseline, in pixels. */
  baseline: number
  /** Pixels. */
  size: number
}

/** Draws the labels inside `region`. Text wider than `widthMax` pixels is reduced. */
export async function drawLabels(
  labels: Label[],
  { font, weight, color, widthMax }: { font: Family; weight: number; color: string; widthMax: number },
  region: Rectangle,
  context: Pick<ImagingContext, 'fonts' | 'warn'>,
): Promise<Layer> {
  const { createCanvas } = await loadCanvas()
  const text = labels.map((label) => label.text).join('')
  const faces = await facesFor(text, { font, weight, italic: false, language: 'auto' }, context)
  try {
    reportMissing(faces.missing, 'warn', context)
    const canvas = createCanvas(region.width, region.height)
    const pen = canvas.getContext('2d')
    pen.fillStyle = color
    pen.textAlign = 'center'
    for (const { text: label, x, baseline, size } of labels) {
      const text = unsplit(label)
      const fontAt = (pixels: number) => `${pixels}px ${familyList(faces.names)}`
      pen.font = fontAt(size)
      const { width } = pen.measureText(text)
      if (width > widthMax) pen.font = fontAt((size * widthMax) / width)
      pen.fillText(text, x - region.x, baseline - region.y)
    }
    return { data: canvas.data(), width: region.width, height: region.height, channels: 4, premultiplied: true }
  } finally {
    faces.release()
  }
}
