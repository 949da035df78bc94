/** Lines of text to straight-alpha pixels, as few of them as the text needs. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Pixels } from '../define.ts'
import { intersection, type Rectangle } from '../raster/region.ts'
import { loadCanvas } from './canvas.ts'
import { type FaceStyle, facesFor } from './fonts.ts'
import { type Layout, type LayoutOptions, layOut } from './layout.ts'

export interface TextStyle extends FaceStyle {
  text: string
  size: number
  fit: LayoutOptions['fit']
  lineHeight: number
  /** Times the size, between characters. */
  letterSpacing: number
  align: 'left' | 'center' | 'right'
  verticalAlign: 'top' | 'middle' | 'bottom'
  color: string
  /** Pixels around each character; 0 for none. */
  outlineWidth: number
  outlineColor: string
}

export interface LaidText {
  /** What the text takes; its box, or its own size when it was given none. */
  box: Rectangle
  /** Where ink may be: the box and what hangs over it. */
  ink: Rectangle
  /** Draws the part of it that lies in `region`. Undefined when there is nothing. */
  draw(region: Rectangle): { pixels: Pixels; x: number; y: number } | undefined
}

/** Lays a text out in `box`, or at its own size from 0, 0. */
export async function layText(style: TextStyle, box?: Rectangle): Promise<LaidText> {
  const { createCanvas } = await loadCanvas()
  const faces = await facesFor(style.text, style)
  const pen = createCanvas(1, 1).getContext('2d')
  setFont(pen, faces, measureSize, style.letterSpacing)
  const widthOf = (text: string) => pen.measureText(text).width / measureSize
  const metrics = pen.measureText('Hg')

  const layout = layOut(style.text, { ...style, box, widthOf })
  const textWidth = Math.max(0, ...layout.lines.map((line) => line.width))
  const textHeight = layout.lines.length * layout.lineStep
  const frame = box ?? { x: 0, y: 0, width: Math.ceil(textWidth), height: Math.ceil(textHeight) }
  const top = frame.y + (frame.height - textHeight) * verticalShare[style.verticalAlign]
  const ascent = (metrics.fontBoundingBoxAscent / measureSize) * layout.size
  const descent = (metrics.fontBoundingBoxDescent / measureSize) * layout.size
  const baseline = (layout.lineStep - ascent - descent) / 2 + ascent
  const ink = inkOf(style, layout, frame, { top, textWidth, textHeight, ascent, descent })

  return {
    box: frame,
    ink,
    draw(region) {
      const area = intersection(ink, region)
      if (area === undefined || style.text.trim() === '') return undefined
      const context = createCanvas(area.width, area.height).getContext('2d')
      context.translate(-area.x, -area.y)
      setFont(context, faces, layout.size, style.letterSpacing)
      drawLines(context, layout, style, frame, top + baseline)
      const { data } = context.getImageData(0, 0, area.width, area.height)
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      return { pixels: { data: bytes, width: area.width, height: area.height, channels: 4 }, x: area.x, y: area.y }
    },
  }
}

/** Widths are measured once at this size and scaled: shaping does not hint, so they are proportional. */
const measureSize = 100
const verticalShare = { top: 0, middle: 0.5, bottom: 1 }
const horizontalShare = { left: 0, center: 0.5, right: 1 }

function setFont(context: SKRSContext2D, faces: string[], size: number, letterSpacing: number): void {
  context.font = `${size}px ${faces.map((face) => `"${face}"`).join(', ')}`
  context.letterSpacing = `${letterSpacing * size}px`
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
}

function drawLines(context: SKRSContext2D, layout: Layout, style: TextStyle, frame: Rectangle, first: number): void {
  layout.lines.forEach((line, index) => {
    const x = frame.x + (frame.width - line.width) * horizontalShare[style.align]
    const y = first + index * layout.lineStep
    context.direction = line.rightToLeft ? 'rtl' : 'ltr'
    if (style.outlineWidth > 0) {
      // Half of a stroke lies under the fill that follows.
      context.lineWidth = style.outlineWidth * 2
      context.lineJoin = 'round'
      context.strokeStyle = style.outlineColor
      context.strokeText(line.text, x, y)
    }
    context.fillStyle = style.color
    context.fillText(line.text, x, y)
  })
}

function inkOf(
  style: TextStyle,
  layout: Layout,
  frame: Rectangle,
  text: { top: number; textWidth: number; textHeight: number; ascent: number; descent: number },
): Rectangle {
  // Slanted and swash characters reach over their advance.
  const over = Math.ceil(layout.size * 0.5 + style.outlineWidth)
  const left = frame.x + (frame.width - text.textWidth) * horizontalShare[style.align]
  const overLine = Math.max(0, text.ascent + text.descent - layout.lineStep) / 2
  const x = Math.floor(left) - over
  const y = Math.floor(text.top - overLine) - over
  return {
    x,
    y,
    width: Math.ceil(left + text.textWidth) + over - x,
    height: Math.ceil(text.top + text.textHeight + overLine) + over - y,
  }
}
