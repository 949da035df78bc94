/** Reads the text in an image. */
import { failure } from '../errors.ts'
import { sharpOf, toPixels } from '../imaging/raster/image.ts'
import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Rectangle } from '../imaging/raster/region.ts'
import type { Pixels } from '../imaging/types.ts'
import { limits } from '../limits.ts'
import { straightenLine } from './line-strip.ts'
import { alphabet, ppocr } from './ppocr.ts'
import { rowsOf, type TextLine, tiltOf } from './reading-order.ts'
import { runModel } from './runner.ts'
import { cornersOf, type Slanted } from './slanted.ts'
import { decodeText } from './spelling.ts'
import { requireInstalled } from './store.ts'
import { regionsOf } from './text-regions.ts'
import { wordGaps } from './word-gaps.ts'

/** Longer side in pixels for line detection: smaller images are enlarged, at most twice. */
const sideMin = 736
const sideMax = 1_280
const enlargedMax = 2

/** Rows from top to bottom, and each row from left to right. */
export async function readText(pixels: Pixels, scoreMin: number, context: JobContext): Promise<TextLine[][]> {
  const letters = await alphabet(requireInstalled(ppocr).folder)
  const flat =
    pixels.channels === 3 ? pixels : await toPixels(context, (await sharpOf(pixels)).flatten({ background: '#fff' }))
  const regions = await findLines(flat, context)
  checkLines(regions.length)
  const lines: TextLine[] = []
  for (const region of regions) {
    const { strip, length } = await straightenLine(flat, region, context)
    const [best] = Object.values(await runModel(ppocr, 'letters', strip, context))
    if (best?.values === undefined) throw new Error('the model read nothing')
    // Each step of the model is a slice of the strip.
    const stepWidth = strip.width / best.data.length
    const gaps = wordGaps(strip, length).map((x) => x / stepWidth)
    const read = decodeText({ indexes: best.data, values: best.values }, letters, gaps)
    if (read.text !== '' && read.score >= scoreMin) lines.push({ ...read, ...boundsOf(region, flat) })
  }
  return rowsOf(lines, tiltOf(regions))
}

/** Each takes a few hundredths of a second. */
export function checkLines(count: number): void {
  if (count <= limits.ocrLinesMax) return
  throw failure(
    'limit_exceeded',
    `The image has ${count} areas of text; the maximum is ${limits.ocrLinesMax}. Crop the image first.`,
  )
}

async function findLines(pixels: Pixels, context: JobContext): Promise<Slanted[]> {
  const longer = Math.max(pixels.width, pixels.height)
  const side = Math.min(sideMax, Math.max(longer, Math.min(sideMin, longer * enlargedMax)))
  // The model halves the image five times.
  const [width, height] = [pixels.width, pixels.height].map((length) =>
    Math.max(32, Math.round((length * side) / longer / 32) * 32),
  ) as [number, number]
  const small = await toPixels(context, (await sharpOf(pixels)).resize(width, height, { fit: 'fill' }))
  const [levels] = Object.values(await runModel(ppocr, 'lines', small, context))
  if (levels?.data.length !== width * height) throw new Error(`the model gave no lines: ${levels?.dims}`)
  const [scaleX, scaleY] = [pixels.width / width, pixels.height / height]
  const regions = await regionsOf(levels.data as Uint8Array, { width, height }, context)
  return regions.map((region) => scaled(region, scaleX, scaleY))
}

/** Both factors are almost equal: they differ by rounding to whole blocks. */
function scaled({ center, along, width, height }: Slanted, scaleX: number, scaleY: number): Slanted {
  const direction = { x: along.x * scaleX, y: along.y * scaleY }
  const length = Math.hypot(direction.x, direction.y)
  return {
    center: { x: center.x * scaleX, y: center.y * scaleY },
    along: { x: direction.x / length, y: direction.y / length },
    width: width * length,
    height: (height * scaleX * scaleY) / length,
  }
}

/** The upright bounding box of a line, in whole pixels of the image. */
function boundsOf(region: Slanted, { width, height }: Pixels): Rectangle {
  const corners = cornersOf(region)
  const within = (position: number, length: number) => Math.round(Math.max(0, Math.min(length, position)))
  const x = within(Math.min(...corners.map((corner) => corner.x)), width - 1)
  const y = within(Math.min(...corners.map((corner) => corner.y)), height - 1)
  const right = within(Math.max(...corners.map((corner) => corner.x)), width)
  const bottom = within(Math.max(...corners.map((corner) => corner.y)), height)
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) }
}
