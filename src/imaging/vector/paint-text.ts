/** Paints placed characters on a canvas: background, lines, outline and fill, from back to front. */
import type { Canvas, CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import type { JobContext } from '../raster/jobs.ts'
import type { Rectangle } from '../raster/region.ts'
import { cssColor, opaque } from './css-color.ts'
import { countLarge } from './large-fonts.ts'
import { createPauses, type Pauses } from './pauses.ts'
import type { PlacedPart, PlacedText } from './place-lines.ts'
import { setFamilies, setFont, type TextStyle } from './text-style.ts'

interface Painting extends PlacedText {
  /** Size of the text, in pixels. */
  size: number
  /** The entire text box. */
  box: Rectangle
}

/** Maximum cost of drawing. 1 is a glyph of a large font, 0.05 ms. */
const costMax = 100
const smallCost = 0.05
/** Cost of a wide outline, as a multiple. */
const strokeCost = 6

function costOf(text: string): number {
  return countLarge(text) + text.length * smallCost
}

type CreateCanvas = (width: number, height: number) => Canvas

type Layer = 'background' | 'ink'

/** `area` is the part of the text plane that the canvas shows. Other work has pauses. */
export async function paintText(
  canvas: Canvas,
  area: Rectangle,
  whole: Painting,
  style: TextStyle,
  layers: Layer[],
  createCanvas: CreateCanvas,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const pauses = createPauses(costMax, signal)
  const text = { ...whole, parts: whole.parts.filter((part) => mayReach(part, area, style)) }
  const another = () => {
    const layer = createCanvas(area.width, area.height)
    layer.getContext('2d').translate(-area.x, -area.y)
    return layer
  }
  const pen = canvas.getContext('2d')
  pen.translate(-area.x, -area.y)
  if (layers.includes('background')) paintBackground(pen, area, text, style)
  if (layers.includes('ink')) await paintInk(pen, text, style, another, pauses)
}

/**
 * Whether ink may lie in the rows of the area, as a generous bound: characters with marks are taller than their font
 * reports.
 */
function mayReach({ y, ascent, descent }: PlacedPart, area: Rectangle, { outlineWidth }: TextStyle): boolean {
  const far = 2 * (Math.abs(ascent) + Math.abs(descent)) + outlineWidth
  return y + far > area.y && y - far < area.y + area.height
}

function paintBackground(
  pen: SKRSContext2D,
  area: Rectangle,
  { parts, lines, block, box }: Painting,
  { background }: TextStyle,
): void {
  if (background) {
    const { color, padding, radius, per } = background
    const shapes = per === 'box' ? [box] : (per === 'line' ? lines : [block]).map((shape) => grown(shape, padding))
    // One path, so that overlapping neighbours are painted once.
    pen.beginPath()
    const isCovered = coveredBy(shapes)
    for (const [index, shape] of shapes.entries()) {
      const { x, y, width, height } = shape
      // Lines far from this band may be thousands.
      if (y > area.y + area.height || y + height < area.y) continue
      const round = Math.min(radius, width / 2, height / 2)
      pen.roundRect(
        x,
        y,
        width,
        height,
        cornersOf(shape).map((corner) => (isCovered(index, corner) ? 0 : round)),
      )
    }
    pen.fillStyle = cssColor(color)
    pen.fill('nonzero')
  }
  for (const { style, x, y, width, ascent, descent } of parts) {
    if (style.background === undefined) continue
    pen.fillStyle = cssColor(style.background)
    pen.fillRect(x, y - ascent, width, ascent + descent)
  }
}

async function paintInk(
  pen: SKRSContext2D,
  text: Painting,
  style: TextStyle,
  another: () => Canvas,
  pauses: Pauses,
): Promise<void> {
  const fill = style.gradient ? gradientOver(pen, text.block, style.gradient) : cssColor(style.color)
  const fillOf = ({ color }: PlacedPart['style']) => (color === undefined ? fill : cssColor(color))
  const underlined = text.parts.filter((part) => part.style.underline)
  if (underlined.length > 0) {
    const lines = another()
    await paintUnderlines(lines.getContext('2d'), underlined, fillOf, text, style, pauses)
    drawOver(pen, lines, 1)
  }
  if (style.outlineWidth > 0) await paintOutline(pen, text, style, another, pauses)
  for (const part of text.parts) {
    pen.fillStyle = fillOf(part.style)
    await write(pen, part, text.size, style, 'fillText', pauses)
  }
  for (const { style: partStyle, x, y, width, xHeight } of text.parts) {
    if (!partStyle.strike) continue
    const thick = thickness(partStyle, text.size)
    pen.fillStyle = fillOf(partStyle)
    pen.fillRect(x, Math.round(y - xHeight / 2 - thick / 2), width, thick)
  }
}

/**
 * An outline outside of each character: half of a stroke, whose other half lies below the fill. All strokes precede
 * all fills, so that none covers a neighbour's fill; a translucent outline is drawn in one piece, so that strokes
 * don't show through each other.
 */
async function paintOutline(
  pen: SKRSContext2D,
  { parts, size }: Painting,
  style: TextStyle,
  another: () => Canvas,
  pauses: Pauses,
): Promise<void> {
  const { color, alpha } = opaque(style.outlineColor)
  const { from = style.color, to = style.color } = style.gradient ?? {}
  const isHollow = [from, to, ...parts.map((part) => part.style.color ?? from)].some((fill) => opaque(fill).alpha < 1)
  const layer = alpha < 1 || isHollow ? another() : undefined
  const strokes = layer?.getContext('2d') ?? pen
  strokes.lineWidth = style.outlineWidth * 2
  strokes.lineJoin = 'round'
  strokes.strokeStyle = color
  for (const part of parts) await write(strokes, part, size, style, 'strokeText', pauses)
  if (layer === undefined) return
  strokes.globalCompositeOperation = 'destination-out'
  if (isHollow) for (const part of parts) await write(strokes, part, size, style, 'fillText', pauses)
  drawOver(pen, layer, alpha)
}

function drawOver(pen: SKRSContext2D, layer: Canvas, alpha: number): void {
  pen.save()
  pen.resetTransform()
  pen.globalAlpha = alpha
  pen.drawImage(layer, 0, 0)
  pen.restore()
}

/** Paints lines under the characters, with gaps for descenders (CSS text-decoration-skip-ink). */
async function paintUnderlines(
  pen: SKRSContext2D,
  parts: PlacedPart[],
  fillOf: (style: PlacedPart['style']) => string | CanvasGradient,
  { size }: Painting,
  style: TextStyle,
  pauses: Pauses,
): Promise<void> {
  for (const { style: partStyle, x, y, width } of parts) {
    const thick = thickness(partStyle, size)
    pen.fillStyle = fillOf(partStyle)
    // The line is slightly below the baseline, with a gap to flat letters.
    pen.fillRect(x, Math.round(y + Math.max(thick, size * partStyle.size * 0.09)), width, thick)
  }
  pen.globalCompositeOperation = 'destination-out'
  pen.lineJoin = 'round'
  for (const part of parts) {
    pen.lineWidth = 2 * (thickness(part.style, size) + style.outlineWidth)
    await write(pen, part, size, style, 'strokeText', pauses)
  }
}

/** Thickness: about the stroke width of the characters, in whole pixels so that it is sharp. */
function thickness({ size, weight }: PlacedPart['style'], textSize: number): number {
  return Math.max(1, Math.round(size * textSize * (0.03 + weight / 12_000)))
}

async function write(
  pen: SKRSContext2D,
  { spans, style: partStyle, y, wordSpacing, letterSpacing }: PlacedPart,
  size: number,
  style: TextStyle,
  how: 'fillText' | 'strokeText',
  pauses: Pauses,
): Promise<void> {
  setFont(pen, partStyle, size, style.letterSpacing)
  pen.wordSpacing = `${wordSpacing}px`
  if (letterSpacing !== 0) pen.letterSpacing = `${style.letterSpacing * size * partStyle.size + letterSpacing}px`
  let set = partStyle.names
  for (const { text, names, x, rightToLeft } of spans) {
    if (names !== set) setFamilies(pen, names, size * partStyle.size)
    set = names
    pen.direction = rightToLeft ? 'rtl' : 'ltr'
    pen[how](text, x, y)
    const pause = pauses.after(costOf(text) * (how === 'fillText' ? 1 : strokeCost))
    if (pause === undefined) continue
    // The canvas draws when its pixels are read.
    pen.getImageData(0, 0, 1, 1)
    await pause
  }
}

/** CSS Images 4, 3.1.1: along a line through the centre, long enough that the corners have the end colours. */
function gradientOver(
  pen: SKRSContext2D,
  { x, y, width, height }: Rectangle,
  { from, to, angle }: { from: string; to: string; angle: number },
): CanvasGradient {
  const turn = (angle * Math.PI) / 180
  const [across, up] = [Math.sin(turn), Math.cos(turn)]
  const half = (Math.abs(width * across) + Math.abs(height * up)) / 2
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const gradient = pen.createLinearGradient(
    middleX - across * half,
    middleY + up * half,
    middleX + across * half,
    middleY - up * half,
  )
  gradient.addColorStop(0, cssColor(from))
  gradient.addColorStop(1, cssColor(to))
  return gradient
}

/** Rounded to whole pixels, so that edges are sharp. */
function grown({ x, y, width, height }: Rectangle, by: number): Rectangle {
  const [left, top] = [Math.floor(x - by), Math.floor(y - by)]
  return { x: left, y: top, width: Math.ceil(x + width + by) - left, height: Math.ceil(y + height + by) - top }
}

type Corner = readonly [x: number, y: number]

/** Corners in the order of `roundRect`. */
function cornersOf({ x, y, width, height }: Rectangle): Corner[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

/**
 * A corner that another line covers is not rounded. `shapes` are lines from top to bottom, which lie near the corners that they
 * cover: testing all of thousands takes time.
 */
export function coveredBy(shapes: Rectangle[]): (index: number, corner: Corner) => boolean {
  const tallest = Math.max(0, ...shapes.map(({ height }) => height))
  return (index, [left, top]) => {
    for (const step of [1, -1]) {
      for (let at = index + step; at >= 0 && at < shapes.length; at += step) {
        const { x, y, width, height } = shapes[at] as Rectangle
        if (left >= x && left <= x + width && top >= y && top <= y + height) return true
        // Baselines are in order. Tops are only nearly so, because a line can be taller than the distance to the next one.
        if (step > 0 ? y > top + tallest : y + height < top - tallest) break
      }
    }
    return false
  }
}
