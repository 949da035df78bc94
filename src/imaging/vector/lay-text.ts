/** Lays out text, and paints parts of it. Only this uses the fonts. */

import type { FrameLine, FrameText } from '../../../shared/frames.ts'
import { grown } from '../raster/effect/silhouette.ts'
import type { JobContext } from '../raster/jobs.ts'
import type { Rectangle } from '../raster/region.ts'
import { loadCanvas } from './canvas.ts'
import { caretLines } from './caret-lines.ts'
import { withFaces } from './char-styles.ts'
import type { FontContext } from './fonts.ts'
import { type Layout, layoutText } from './layout.ts'
import { parseMarkup } from './markup.ts'
import { createRuler } from './measure-text.ts'
import { paintText } from './paint-text.ts'
import { createPauses } from './pauses.ts'
import { placeLines } from './place-lines.ts'
import { warnOfControls } from './prepare-text.ts'
import { type Run, transformed } from './runs.ts'
import { shadowReach } from './text-shadow.ts'
import type { CharStyle, TextStyle } from './text-style.ts'

/** Their layout takes some ten milliseconds. */
const lettersAtOnce = 1_000

export type Layers = Parameters<typeof paintText>[4]

export interface TextFacts {
  /** Each line that is not empty. */
  lines: FrameLine[]
  /** Positions of a caret, if they were requested. */
  carets: Omit<FrameText, 'param'> | undefined
  /** The box of the text, or its natural size without a box. */
  box: Rectangle
  /** A generous bound of everything that is drawn except the shadow; undefined for empty text. */
  ink: Rectangle | undefined
  /** The same with the shadow. */
  visible: Rectangle | undefined
  hasBackground: boolean
}

export interface LaidText extends TextFacts {
  /** RGBA pixels of a part, with premultiplied alpha. */
  paint(area: Rectangle, layers: Layers, context: Pick<JobContext, 'signal'>): Promise<Buffer>
  /** Releases the fonts. */
  release(): void
}

export function runsOf(style: TextStyle): Run[] {
  return transformed(style.markup ? parseMarkup(style.text) : [{ text: style.text, style: {} }], style.transform)
}

export interface TextPlace {
  /** Default: the natural size of the text, from 0, 0. The outline and the background lie inside too. */
  box?: Rectangle | undefined
  /** Whether to report the positions of a caret. */
  placesCarets?: boolean | undefined
}

export async function layText(
  style: TextStyle,
  context: FontContext,
  { box, placesCarets }: TextPlace = {},
): Promise<LaidText> {
  const { createCanvas } = await loadCanvas()
  const runs = runsOf(style)
  warnOfControls(style.text, context)
  const { chars, plain, release } = await withFaces(runs, style, context)
  try {
    const ruler = await createRuler(style.letterSpacing, context.signal)
    const { outlineWidth, background } = style
    const room = box && inset(box, Math.max(outlineWidth, background?.padding ?? 0))
    await ruler.measureLarge(chars)
    const pauses = createPauses(lettersAtOnce, context.signal)
    const beforeTry = () => pauses.after(style.text.length)
    const layout = await layoutText(chars, { ...style, ...ruler, box: room, style: plain, beforeTry })
    await pauses.after(style.text.length)
    const isEmpty = runs.every(({ text }) => text.trim() === '')

    const over = ruler.overhangOf(layout.lines, layout.size)
    await pauses.after(style.text.length)
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

    const { rows } = placed
    const carets = placesCarets && {
      value: style.text,
      size: layout.size,
      ...(!style.markup && { lines: await caretLines(style, { layout, rows, plain, ruler }, pauses) }),
    }
    const ink = isEmpty ? undefined : reached(placed.block, layout, style, ownBox)
    return {
      box: ownBox,
      lines: placed.lines.map(({ x, baseline, width }) => ({ x, baseline, width })),
      carets: carets || undefined,
      ink,
      visible: ink && withShadow(ink, style.shadow),
      hasBackground: background !== undefined || chars.some((run) => run.style.background !== undefined),
      async paint(area, layers, context) {
        const canvas = createCanvas(area.width, area.height)
        const painting = { ...placed, size: layout.size, box: ownBox }
        await paintText(canvas, area, painting, style, layers, createCanvas, context)
        return canvas.data()
      },
      release,
    }
  } catch (error) {
    release()
    throw error
  }
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
