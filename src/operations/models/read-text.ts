/** Reads the text in a picture. */
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Pixels } from '../define.ts'
import type { JobContext } from '../raster/jobs.ts'
import { sharpOf, toPixels } from '../raster/picture.ts'
import type { Rectangle } from '../raster/region.ts'
import { eachRow } from '../raster/rows.ts'
import type { ModelImage } from './define-model.ts'
import { alphabet, ppocr } from './ppocr.ts'
import { runModel } from './runner.ts'
import { cornersOf, type Point, type Slanted } from './slanted.ts'
import { installed } from './store.ts'
import { regionsOf } from './text-regions.ts'
import { wordGaps } from './word-gaps.ts'

export interface TextLine extends Rectangle {
  text: string
  /** How sure the model is, 0 to 1: the mean of its letters. */
  score: number
}

/** Pixels of the longer side in which lines are looked for: smaller pictures are enlarged, twofold at most. */
const sideMin = 736
const sideMax = 1_280
const enlargedMax = 2

/** What the model that reads takes: lines of this height, grey behind short ones. */
const lineHeight = 48
const lineWidthMin = 320
const lineWidthMax = 4_096

/** Rows from the top, and what stands in each from the left. */
export async function readText(pixels: Pixels, scoreMin: number, context: JobContext): Promise<TextLine[][]> {
  const letters = await alphabet(installed(ppocr).folder)
  const flat =
    pixels.channels === 3 ? pixels : await toPixels(context, (await sharpOf(pixels)).flatten({ background: '#fff' }))
  const regions = await findLines(flat, context)
  if (regions.length > limits.ocrLinesMax) {
    throw failure(
      'limit_exceeded',
      `There are ${regions.length} lines of text in the image; at most ${limits.ocrLinesMax} are read.`,
    )
  }
  const lines: TextLine[] = []
  for (const region of regions) {
    const { strip, length } = await straightened(flat, region, context)
    const [best] = Object.values(await runModel(ppocr, 'letters', strip, context))
    if (best?.values === undefined) throw new Error('the model read nothing')
    // Each step of the model is a piece of the strip.
    const stepWidth = strip.width / best.data.length
    const gaps = wordGaps(strip, length).map((x) => x / stepWidth)
    const read = spelled({ places: best.data, values: best.values }, letters, gaps)
    if (read.text !== '' && read.score >= scoreMin) lines.push({ ...read, ...boundsOf(region, flat) })
  }
  return rowsOf(lines, tiltOf(regions))
}

async function findLines(pixels: Pixels, context: JobContext): Promise<Slanted[]> {
  const longer = Math.max(pixels.width, pixels.height)
  const side = Math.min(sideMax, Math.max(longer, Math.min(sideMin, longer * enlargedMax)))
  // The model halves its picture five times.
  const [width, height] = [pixels.width, pixels.height].map((each) =>
    Math.max(32, Math.round((each * side) / longer / 32) * 32),
  ) as [number, number]
  const small = await toPixels(context, (await sharpOf(pixels)).resize(width, height, { fit: 'fill' }))
  const [levels] = Object.values(await runModel(ppocr, 'lines', small, context))
  if (levels?.data.length !== width * height) throw new Error(`the model gave no lines: ${levels?.dims}`)
  const [scaleX, scaleY] = [pixels.width / width, pixels.height / height]
  const regions = await regionsOf(levels.data as Uint8Array, { width, height }, context)
  return regions.map((region) => scaled(region, scaleX, scaleY))
}

/** Both factors are all but the same: they differ by the rounding to whole blocks. */
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

/** A line as a level strip. What is much higher than wide runs from the top down. */
async function straightened(
  pixels: Pixels,
  region: Slanted,
  context: JobContext,
): Promise<{ strip: ModelImage; length: number }> {
  const { center, along } = region
  const isUpright = region.height >= region.width * 1.5
  const [u, v] = isUpright
    ? [
        { x: -along.y, y: along.x },
        { x: -along.x, y: -along.y },
      ]
    : [along, { x: -along.y, y: along.x }]
  const [length, thickness] = isUpright ? [region.height, region.width] : [region.width, region.height]
  const wide = Math.max(1, Math.min(lineWidthMax, Math.round((lineHeight * length) / thickness)))
  const width = Math.max(lineWidthMin, wide)
  const data = new Uint8Array(width * lineHeight * 3).fill(127)
  // Of a large line each pixel is the mean of some, so that thin strokes stay.
  const samples = Math.max(1, Math.min(4, Math.round(thickness / lineHeight)))
  // Each sample is worth some ten pixels of ordinary work.
  await eachRow({ width: wide * samples ** 2 * 10, height: lineHeight }, context, (y) => {
    for (let x = 0; x < wide; x += 1) {
      const sums = [0, 0, 0]
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const [across, down] = [(sample % samples) + 0.5, Math.floor(sample / samples) + 0.5]
        const a = ((x + across / samples) / wide - 0.5) * length
        const b = ((y + down / samples) / lineHeight - 0.5) * thickness
        addAt(pixels, center.x + u.x * a + v.x * b, center.y + u.y * a + v.y * b, sums)
      }
      for (let channel = 0; channel < 3; channel += 1) {
        data[(y * width + x) * 3 + channel] = (sums[channel] as number) / samples ** 2 + 0.5
      }
    }
  })
  return { strip: { data, width, height: lineHeight }, length: wide }
}

/** Linear between the four pixels around; beyond the edges those at the edges. */
function addAt({ data, width, height, channels }: Pixels, x: number, y: number, sums: number[]): void {
  const [left, top] = [Math.max(0, Math.min(width - 1, x - 0.5)), Math.max(0, Math.min(height - 1, y - 0.5))]
  const [x0, y0] = [Math.floor(left), Math.floor(top)]
  const [partX, partY] = [left - x0, top - y0]
  const right = x0 < width - 1 ? channels : 0
  const below = y0 < height - 1 ? width * channels : 0
  const at = (y0 * width + x0) * channels
  for (let channel = 0; channel < 3; channel += 1) {
    const from = at + channel
    const upper = (data[from] as number) * (1 - partX) + (data[from + right] as number) * partX
    const lower = (data[from + below] as number) * (1 - partX) + (data[from + below + right] as number) * partX
    sums[channel] = (sums[channel] as number) + upper * (1 - partY) + lower * partY
  }
}

/**
 * What was read at each step, without repetitions and blanks (connectionist temporal classification), and with a space
 * in each gap (in steps) that has letters on both sides.
 */
export function spelled(
  { places, values }: { places: ArrayLike<number>; values: ArrayLike<number> },
  letters: readonly string[],
  gaps: readonly number[],
): { text: string; score: number } {
  let text = ''
  let [sum, count, before] = [0, 0, 0]
  for (let step = 0; step < places.length; step += 1) {
    const place = places[step] as number
    if (place === 0 || place === places[step - 1]) continue
    const letter = letters[place] ?? ''
    const isGap = gaps.some((gap) => gap > before + 0.5 && gap < step + 0.5)
    if (isGap && isOfWords(text.at(-1)) && isOfWords(letter) && !/[.,:;!?)\]}%]/.test(letter)) text += ' '
    text += letter
    sum += values[step] as number
    count += 1
    before = step
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count }
}

/** Chinese and Japanese are written without spaces. */
function isOfWords(letter: string | undefined): boolean {
  return (
    letter !== undefined &&
    /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(letter)
  )
}

/** The upright box around a line, in whole pixels of the picture. */
function boundsOf(region: Slanted, { width, height }: Pixels): Rectangle {
  const corners = cornersOf(region)
  const within = (place: number, length: number) => Math.round(Math.max(0, Math.min(length, place)))
  const x = within(Math.min(...corners.map((corner) => corner.x)), width - 1)
  const y = within(Math.min(...corners.map((corner) => corner.y)), height - 1)
  const right = within(Math.max(...corners.map((corner) => corner.x)), width)
  const bottom = within(Math.max(...corners.map((corner) => corner.y)), height)
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) }
}

/** The direction of most of the text: the longest line has it nearest. */
function tiltOf(regions: readonly Slanted[]): Point {
  const longest = regions.reduce<Slanted | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined)
  return longest?.along ?? { x: 1, y: 0 }
}

/**
 * Rows along a direction. What has its middle nearer than half a height to that of the first of a row belongs to it: the
 * middle of the box around a tilted line is that of the line.
 */
export function rowsOf(lines: readonly TextLine[], along: Point = { x: 1, y: 0 }): TextLine[][] {
  const [across, down] = [new Map<TextLine, number>(), new Map<TextLine, number>()]
  for (const line of lines) {
    const [x, y] = [line.x + line.width / 2, line.y + line.height / 2]
    across.set(line, x * along.x + y * along.y)
    down.set(line, y * along.x - x * along.y)
  }
  const between = (by: Map<TextLine, number>, a: TextLine, b: TextLine) => (by.get(a) ?? 0) - (by.get(b) ?? 0)
  const rows: TextLine[][] = []
  for (const line of [...lines].sort((a, b) => between(down, a, b))) {
    const last = rows.at(-1)
    const first = last?.[0]
    const isSame = first && between(down, line, first) < Math.min(first.height, line.height) / 2
    if (last && isSame) last.push(line)
    else rows.push([line])
  }
  return rows.map((row) => row.sort((a, b) => between(across, a, b)))
}
