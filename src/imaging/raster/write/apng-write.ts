/**
 * Animated PNGs: libvips encodes every frame separately, and its data is put into the chunks of an animation (W3C
 * PNG, Third Edition, 11.3.6). Each frame contains only the rectangle that differs from the previous one.
 */
import type { Animation, Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { mapSome } from '../map-some.ts'
import { chunk, chunksOf, pngSignature } from '../read/png-chunks.ts'
import { cut, type Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

interface Written {
  region: Rectangle
  delayMs: number
  png: Buffer
}

/**
 * All frames have the same channels. `encode` returns PNGs of one colour type and depth, so one header fits all of
 * them.
 */
export async function writeApng(
  frames: readonly Pixels[],
  { delaysMs, loops }: Pick<Animation, 'delaysMs' | 'loops'>,
  encode: (pixels: Pixels) => Promise<Buffer>,
  context: Pick<JobContext, 'signal'>,
): Promise<Buffer> {
  const written = await mapSome(frames, context.signal, async (frame, at): Promise<Written | number> => {
    const before = frames[at - 1]
    const region = before ? await changedIn(before, frame, context) : { x: 0, y: 0, ...sizeOf(frame) }
    const delayMs = delaysMs[at] ?? 0
    return region ? { region, delayMs, png: await encode(before ? await cut(frame, region, context) : frame) } : delayMs
  })
  const shown = joined(written)
  const [first] = shown
  if (first === undefined) throw new Error('an animation without frames')
  const head = [...chunksOf(first.png)].filter(({ type }) => type !== 'IDAT' && type !== 'IEND')
  const out = [pngSignature, ...head.map(({ type, data }) => chunk(type, data))]
  out.push(chunk('acTL', uint32(shown.length), uint32(loops)))
  let sequence = 0
  for (const [index, { region, delayMs, png }] of shown.entries()) {
    out.push(frameControl(sequence, region, delayMs))
    sequence += 1
    for (const { type, data } of chunksOf(png)) {
      if (type === 'IHDR' && !data.subarray(8).equals(head[0]?.data.subarray(8) ?? data)) {
        throw new Error('two frames were encoded in different ways')
      }
      if (type !== 'IDAT') continue
      out.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', uint32(sequence), data))
      if (index > 0) sequence += 1
    }
  }
  return Buffer.concat([...out, chunk('IEND')])
}

/** An unchanged frame extends the delay of the previous one. */
function joined(frames: (Written | number)[]): Written[] {
  const shown: Written[] = []
  for (const frame of frames) {
    const last = shown.at(-1)
    if (typeof frame !== 'number') shown.push({ ...frame })
    else if (last) last.delayMs += frame
  }
  return shown
}

/** Replaces the rectangle, and is kept. */
function frameControl(sequence: number, { x, y, width, height }: Rectangle, delayMs: number): Buffer {
  const rest = Buffer.alloc(6)
  const [numerator, denominator] = fraction(delayMs)
  rest.writeUInt16BE(numerator, 0)
  rest.writeUInt16BE(denominator, 2)
  return chunk('fcTL', ...[sequence, width, height, x, y].map(uint32), rest)
}

/** A fraction of a second with 16 bits each, as exact as possible. */
function fraction(delayMs: number): [number, number] {
  const denominator = [1_000, 100, 10, 1].find((parts) => (delayMs * parts) / 1_000 <= 65_535) ?? 1
  return [Math.min(65_535, Math.round((delayMs * denominator) / 1_000)), denominator]
}

function sizeOf({ width, height }: Pixels) {
  return { width, height }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The smallest rectangle in which two images of the same size and channels differ; undefined if they are equal. */
async function changedIn(
  before: Pixels,
  after: Pixels,
  context: Pick<JobContext, 'signal'>,
): Promise<Rectangle | undefined> {
  const { width, height, channels } = after
  const rowBytes = width * channels
  let [left, right, top, bottom] = [rowBytes, -1, -1, -1]
  await eachRow({ width, height }, context, (y) => {
    const start = y * rowBytes
    // Compares whole rows first: most rows of most animations are equal, and this is fast.
    if (before.data.compare(after.data, start, start + rowBytes, start, start + rowBytes) === 0) return
    if (top === -1) top = y
    bottom = y
    for (let at = 0; at < left; at += 1) if (before.data[start + at] !== after.data[start + at]) left = at
    for (let at = rowBytes - 1; at > right; at -= 1) if (before.data[start + at] !== after.data[start + at]) right = at
  })
  if (top === -1) return undefined
  const x = Math.floor(left / channels)
  return { x, y: top, width: Math.floor(right / channels) - x + 1, height: bottom - top + 1 }
}
