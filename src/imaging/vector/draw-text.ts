/** Draws text on pixels, on as few as necessary, in bands that let other work run. */
import type { FrameLine, FrameText } from '../../../shared/frames.ts'
import { frameOf } from '../raster/effect/silhouette.ts'
import { abortFault, type JobContext } from '../raster/jobs.ts'
import { compositeOver } from '../raster/layer/over.ts'
import { intersection, type Rectangle } from '../raster/region.ts'
import type { Pixels } from '../types.ts'
import { accountFontsIn, type FontContext } from './fonts.ts'
import { type Layers, layText, runsOf, type TextPlace } from './lay-text.ts'
import { layTextInProcess } from './text-processes.ts'
import { drawShadow, thrower } from './text-shadow.ts'
import type { TextStyle } from './text-style.ts'

export interface DrawnText {
  /** Its box, or its natural size without a box; undefined for empty text. */
  box: Rectangle
  lines: FrameLine[]
  /** Positions of a caret, if they were requested. */
  carets: Omit<FrameText, 'param'> | undefined
  /** A generous bound of everything that is drawn; undefined for empty text. */
  visible: Rectangle | undefined
  /** Draws on pixels without other readers. Returns the area that the text covers, without its shadow; undefined for none. */
  drawOn(target: Pixels, context: Pick<JobContext, 'signal'>): Promise<Rectangle | undefined>
  /** Releases the fonts. */
  release(): void
}

export async function drawText(
  style: TextStyle,
  context: FontContext & Partial<JobContext> & Pick<JobContext, 'processes'>,
  place: TextPlace = {},
): Promise<DrawnText> {
  const { font, weight, italic } = style
  const requests = runsOf(style).map((run) => ({ font, weight, italic, ...run.style }))
  const fonts = await accountFontsIn([style, ...requests], context)
  const laid = await (fonts.length > 0
    ? layTextInProcess(style, fonts, context, place)
    : layText(style, context, place))
  const { ink } = laid
  return {
    box: laid.box,
    lines: laid.lines,
    carets: laid.carets,
    visible: laid.visible,
    async drawOn(target, context) {
      if (ink === undefined) return undefined
      let covered: Rectangle | undefined
      const paint = (area: Rectangle | undefined, layers: Layers, use: Use) =>
        inBands(area, context, async (band) => use(await laid.paint(band, layers, context), band))
      const visible = intersection(ink, frameOf(target))
      const lay: Use = (data, band) => {
        const { x, y, width, height } = band
        covered = coveredArea(data, band, covered)
        return compositeOver(
          target,
          { data, width, height, channels: 4, premultiplied: true },
          { x, y, opacity: 1 },
          { x, y, width, height },
        )
      }
      if (style.shadow === undefined) {
        await paint(visible, ['background', 'ink'], lay)
        return covered
      }
      if (laid.hasBackground) await paint(visible, ['background'], lay)
      const thrown = thrower(ink, style.shadow, target)
      if (thrown) {
        const alpha = new Uint8Array(thrown.width * thrown.height)
        await paint(thrown, ['ink'], (data, { y }) => copyAlpha(data, alpha, (y - thrown.y) * thrown.width))
        await drawShadow(target, { ...thrown, alpha }, style.shadow, context)
      }
      await paint(visible, ['ink'], lay)
      return covered
    },
    release: laid.release,
  }
}

type Use = (data: Buffer, band: Rectangle) => Promise<void> | void

/** Pixels of about ten milliseconds of drawing. */
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
    if (signal.aborted) throw abortFault(signal)
    await use({ ...area, y, height: Math.min(rows, bottom - y) })
  }
}

/** The smallest rectangle with `known` and all pixels that are not transparent. */
function coveredArea(data: Buffer, band: Rectangle, known: Rectangle | undefined): Rectangle | undefined {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, band.width * band.height)
  let [left, right] = known ? [known.x - band.x, known.x + known.width - band.x] : [band.width, 0]
  let [top, bottom] = [band.height, 0]
  for (let y = 0; y < band.height; y += 1) {
    const row = y * band.width
    let first = 0
    while (first < band.width && pixels[row + first] === 0) first += 1
    if (first === band.width) continue
    let last = band.width
    while (last > right && pixels[row + last - 1] === 0) last -= 1
    left = Math.min(left, first)
    right = Math.max(right, last)
    top = Math.min(top, y)
    bottom = y + 1
  }
  if (bottom === 0) return known
  const y = known?.y ?? band.y + top
  return { x: band.x + left, y, width: right - left, height: band.y + bottom - y }
}

/** Copies alpha from pixels of four bytes. */
function copyAlpha(data: Buffer, to: Uint8Array, at: number): void {
  for (let pixel = 0; pixel * 4 < data.length; pixel += 1) to[at + pixel] = data[pixel * 4 + 3] as number
}
