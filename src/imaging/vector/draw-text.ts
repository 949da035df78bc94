/** Draws text on pixels, on as few as necessary, in bands that let other work run. */
import { setImmediate } from 'node:timers/promises'
import { frameOf, grown } from '../raster/effect/silhouette.ts'
import { abortFault, type JobContext } from '../raster/jobs.ts'
import { compositeOver } from '../raster/layer/over.ts'
import { intersection, type Rectangle } from '../raster/region.ts'
import type { Pixels } from '../types.ts'
import { loadCanvas } from './canvas.ts'
import { withFaces } from './char-styles.ts'
import type { FontContext } from './fonts.ts'
import { type Layout, layoutText } from './layout.ts'
import { parseMarkup } from './markup.ts'
import { createRuler } from './measure-text.ts'
import { paintText } from './paint-text.ts'
import { placeLines } from './place-lines.ts'
import { transformed } from './runs.ts'
import { drawShadow, shadowReach, thrower } from './text-shadow.ts'
import type { CharStyle, TextStyle } from './text-style.ts'
import { createTurns } from './turns.ts'

/** Their layout takes some ten milliseconds. */
const lettersAtOnce = 1_000

export interface DrawnText {
  /** Its box, or its natural size without a box; undefined for empty text. */
  box: Rectangle
  /** A generous bound of everything that is drawn; undefined for empty text. */
  visible: Rectangle | undefined
  /** Draws on pixels without other readers. */
  drawOn(target: Pixels, context: Pick<JobContext, 'signal'>): Promise<void>
  /** Releases the fonts. */
  release(): void
}

/** Lays out text in `box`, or at its natural size from 0, 0. The outline and the background lie inside too. */
export async function drawText(style: TextStyle, context: FontContext, box?: Rectangle): Promise<DrawnText> {
  const { createCanvas } = await loadCanvas()
  const runs = transformed(style.markup ? parseMarkup(style.text) : [{ text: style.text, style: {} }], style.transform)
  const { chars, plain, release } = await withFaces(runs, style, context)
  try {
    const ruler = await createRuler(style.letterSpacing, context.signal)
    const { outlineWidth, background } = style
    const room = box && inset(box, Math.max(outlineWidth, background?.padding ?? 0))
    await ruler.measureLarge(chars)
    const turns = createTurns(lettersAtOnce, context.signal)
    const layout = layoutText(chars, { ...style, ...ruler, box: room, style: plain })
    await turns.after(style.text.length)
    const isEmpty = runs.every(({ text }) => text.trim() === '')

    const over = ruler.overhangOf(layout.lines, layout.size)
    await turns.after(style.text.length)
    const margin = room ? undefined : marginsOf(style, over)
    const frame = room ?? { x: margin?.left ?? 0, y: margin?.top ?? 0, width: layout.width, height: layout.height }
    const whole = {
      x: 0,
      y: 0,
      width: Math.ceil(layout.width + (margin?.left ?? 0) + (margin?.right ?? 0)),
      height: Math.ceil(layout.height + (margin?.top ?? 0) + (margin?.bottom ?? 0)),
    }
    const ownBox = box ?? (isEmpty ? { ...whole, width: 0, height: 0 } : whole)
    const placed = placeLines(layout, style, frame, ruler)

    const ink = isEmpty ? undefined : reached(placed.block, layout, style, ownBox)
    return {
      box: ownBox,
      visible: ink && withShadow(ink, style.shadow),
      async drawOn(target, context) {
        if (ink === undefined) return
        const painting = { ...placed, size: layout.size, box: ownBox }
        const paint = (area: Rectangle | undefined, layers: Layers, use: Use) =>
          inBands(area, context, async (band) => {
            const canvas = createCanvas(band.width, band.height)
            await paintText(canvas, band, painting, style, layers, createCanvas, context)
            await use(canvas.data(), band)
          })
        const visible = intersection(ink, frameOf(target))
        const lay: Use = (data, { x, y, width, height }) =>
          compositeOver(
            target,
            { data, width, height, channels: 4, premultiplied: true },
            { x, y, opacity: 1 },
            { x, y, width, height },
          )
        if (style.shadow === undefined) return paint(visible, ['background', 'ink'], lay)
        if (background || chars.some((run) => run.style.background)) await paint(visible, ['background'], lay)
        const thrown = thrower(ink, style.shadow, target)
        if (thrown) {
          const alpha = new Uint8Array(thrown.width * thrown.height)
          await paint(thrown, ['ink'], (data, { y }) => copyAlpha(data, alpha, (y - thrown.y) * thrown.width))
          await drawShadow(target, { ...thrown, alpha }, style.shadow, context)
        }
        await paint(visible, ['ink'], lay)
      },
      release,
    }
  } catch (error) {
    release()
    throw error
  }
}

type Layers = Parameters<typeof paintText>[4]
type Use = (data: Buffer, band: Rectangle) => Promise<void> | void

/** About ten milliseconds of drawing. */
const pixelsAtOnce = 500_000

async function inBands(
  area: Rectangle | undefined,
  { signal }: Pick<JobContext, 'signal'>,
  use: (band: Rectangle) => Promise<void>,
): Promise<void> {
  if (area === undefined) return
  const rows = Math.max(1, Math.floor(pixelsAtOnce / area.width))
  const bottom = area.y + area.height
  for (let y = area.y; y < bottom; y += rows) {
    if (y > area.y) await setImmediate()
    if (signal.aborted) throw abortFault(signal)
    await use({ ...area, y, height: Math.min(rows, bottom - y) })
  }
}

/** From pixels of four bytes. */
function copyAlpha(data: Buffer, to: Uint8Array, at: number): void {
  for (let pixel = 0; pixel * 4 < data.length; pixel += 1) to[at + pixel] = data[pixel * 4 + 3] as number
}

/** Space around text without a background image, for parts that extend beyond its lines. */
function marginsOf(
  { outlineWidth, background, shadow }: TextStyle,
  over: { side: number; top: number; bottom: number },
): Record<'left' | 'right' | 'top' | 'bottom', number> {
  const padding = background?.padding ?? 0
  const side = over.side + outlineWidth
  const [top, bottom] = [over.top + outlineWidth, over.bottom + outlineWidth]
  // A blur beyond the edge of the background would leave a transparent rim.
  const reach = shadowReach(background && shadow ? { ...shadow, blur: 0 } : shadow)
  return {
    left: Math.max(padding, side, side + reach.left),
    right: Math.max(padding, side, side + reach.right),
    top: Math.max(padding, top, top + reach.top),
    bottom: Math.max(padding, bottom, bottom + reach.bottom),
  }
}

/** A generous bound of everything except the shadow. */
function reached(block: Rectangle, { size, lines }: Layout<CharStyle>, style: TextStyle, box: Rectangle): Rectangle {
  const largest = Math.max(1, ...lines.flatMap(({ parts }) => parts.map((part) => part.style.size)))
  const by = Math.max(style.background?.padding ?? 0, size * largest + style.outlineWidth)
  const { x, y, width, height } = grown(block, by)
  if (style.background?.per !== 'box') return around(x, y, x + width, y + height)
  return around(
    Math.min(x, box.x),
    Math.min(y, box.y),
    Math.max(x + width, box.x + box.width),
    Math.max(y + height, box.y + box.height),
  )
}

function withShadow({ x, y, width, height }: Rectangle, shadow: TextStyle['shadow']): Rectangle {
  const { left, right, top, bottom } = shadowReach(shadow)
  return around(
    Math.min(x, x - left),
    Math.min(y, y - top),
    Math.max(x + width, x + width + right),
    Math.max(y + height, y + height + bottom),
  )
}

function around(left: number, top: number, right: number, bottom: number): Rectangle {
  const [x, y] = [Math.floor(left), Math.floor(top)]
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y }
}

function inset({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: Math.max(1, height - 2 * by) }
}
