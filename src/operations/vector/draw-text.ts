/** Lines of text to pixels, as few of them as the text needs. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Layer } from '../raster/over.ts'
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
  /** Its box, or its own size when it was given none; nothing for no text. */
  box: Rectangle
  /** Draws the part of it that lies in `region`. Undefined when there is nothing. */
  draw(region: Rectangle): { layer: Layer; x: number; y: number } | undefined
}

/** Lays a text out in `box`, or at its own size from 0, 0. Its outline lies inside too. */
export async function layText(style: TextStyle, box?: Rectangle): Promise<LaidText> {
  const { createCanvas } = await loadCanvas()
  const faces = await facesFor(style.text, style)
  const pen = createCanvas(1, 1).getContext('2d')
  setFont(pen, faces, measureSize, style.letterSpacing)
  const widthOf = (text: string) => pen.measureText(text).width / measureSize

  const room = box && inset(box, style.outlineWidth)
  const layout = layOut(style.text, { ...style, box: room, widthOf })
  const width = Math.max(0, ...layout.lines.map((line) => line.width))
  const height = layout.lines.length * layout.lineStep
  const over = overhang(pen, layout)
  const frame = room ?? { x: over + style.outlineWidth, y: style.outlineWidth, width, height }
  const place = {
    x: frame.x + (frame.width - width) * horizontalShare[style.align],
    y: frame.y + (frame.height - height) * verticalShare[style.verticalAlign],
    width,
    height,
  }
  const whole = { x: 0, y: 0, width: Math.ceil(width + 2 * frame.x), height: Math.ceil(height + 2 * frame.y) }

  return {
    box: box ?? (style.text.trim() === '' ? { ...whole, width: 0, height: 0 } : whole),
    draw(region) {
      const area = intersection(inkOf(place, layout, style.outlineWidth), region)
      if (area === undefined || style.text.trim() === '') return undefined
      const canvas = createCanvas(area.width, area.height)
      const context = canvas.getContext('2d')
      context.translate(-area.x, -area.y)
      setFont(context, faces, layout.size, style.letterSpacing)
      drawLines(context, layout, style, frame, place.y)
      const { width, height } = area
      return { layer: { data: canvas.data(), width, height, channels: 4, premultiplied: true }, x: area.x, y: area.y }
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

function drawLines(context: SKRSContext2D, layout: Layout, style: TextStyle, frame: Rectangle, top: number): void {
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('Hg')
  // CSS half-leading: what a line has over its characters is shared above and below.
  const baseline = top + (layout.lineStep - ascent - descent) / 2 + ascent
  layout.lines.forEach((line, index) => {
    const x = frame.x + (frame.width - line.width) * horizontalShare[style.align]
    const y = baseline + index * layout.lineStep
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

/** How far slanted and swash characters reach over their line, at most. */
function overhang(pen: SKRSContext2D, { lines, size }: Layout): number {
  const reach = lines.map(({ text }) => {
    const { width, actualBoundingBoxLeft, actualBoundingBoxRight } = pen.measureText(text)
    return (Math.max(actualBoundingBoxLeft, actualBoundingBoxRight - width) / measureSize) * size
  })
  return Math.ceil(Math.max(0, ...reach))
}

/** Where ink may be, generously. */
function inkOf(place: Rectangle, { size }: Layout, outlineWidth: number): Rectangle {
  const over = Math.ceil(size + outlineWidth)
  const [x, y] = [Math.floor(place.x) - over, Math.floor(place.y) - over]
  return {
    x,
    y,
    width: Math.ceil(place.x + place.width) + over - x,
    height: Math.ceil(place.y + place.height) + over - y,
  }
}

function inset({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: Math.max(1, height - 2 * by) }
}
