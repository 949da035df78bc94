/**
 * Animated PNGs: every frame as libvips encodes it alone, its data put into the chunks of an animation (W3C PNG, Third
 * Edition, 11.3.6). Of each frame only the rectangle is written that differs from the one before.
 */
import type { Animation, Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { mapSome } from '../map-some.ts'
import { chunk, chunksOf, pngSignature } from '../read/png-chunks.ts'
import { cut, type Rectangle } from '../region.ts'
import { changedIn } from './changed.ts'

interface Written {
  region: Rectangle
  delayMs: number
  png: Buffer
}

/** All frames have the same channels. `encode` makes PNGs of one kind and depth: one header serves all of them. */
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

/** A frame in which nothing changes is the one before it, shown for longer. */
function joined(frames: (Written | number)[]): Written[] {
  const shown: Written[] = []
  for (const frame of frames) {
    const last = shown.at(-1)
    if (typeof frame !== 'number') shown.push({ ...frame })
    else if (last) last.delayMs += frame
  }
  return shown
}

/** It replaces what is there, and stays. */
function frameControl(sequence: number, { x, y, width, height }: Rectangle, delayMs: number): Buffer {
  const rest = Buffer.alloc(6)
  const [numerator, denominator] = fraction(delayMs)
  rest.writeUInt16BE(numerator, 0)
  rest.writeUInt16BE(denominator, 2)
  return chunk('fcTL', ...[sequence, width, height, x, y].map(uint32), rest)
}

/** Of a second, in 16 bits each, as exactly as they can. */
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
