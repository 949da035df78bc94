/**
 * Parses the frames of an animated PNG (W3C PNG, Third Edition, 11.3.6) and returns them as separate PNGs: libvips
 * reads only the default image.
 */
import { counted } from '../../../../shared/text.ts'
import { failure } from '../../../errors.ts'
import type { Rectangle } from '../region.ts'
import { checkFrames } from '../size.ts'
import type { ComposedFrames, Patch } from './patches.ts'
import { type Chunk, checkSum, chunk, chunksOf, pngSignature } from './png-chunks.ts'

export interface ApngFrame extends Patch {
  /** Seconds as a fraction; a denominator of 0 means 100. */
  delay: [numerator: number, denominator: number]
  /** The type of its data chunks: only the default image, if it is the first frame, has IDAT. */
  source: 'IDAT' | 'fdAT'
  /** The range of the file that contains those chunks, among others. */
  start: number
  end: number
}

export interface Apng {
  width: number
  height: number
  /** Number of times that the animation plays; 0 for endlessly. */
  plays: number
  frames: ApngFrame[]
  /**
   * Chunks for all frames: the content of IHDR, the chunks that are necessary to decode samples, and those that define
   * their colours.
   */
  header: Buffer
  palette: Buffer
  colors: Buffer
}

/**
 * Undefined for a PNG without an animation. Throws if the file violates the specification, which browsers show as a
 * still image.
 */
export function readApng(png: Buffer): Apng | undefined {
  const control = animationControl(png)
  if (control === undefined) return undefined
  const canvas = { x: 0, y: 0, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
  checkSum(png, control)
  if (control.data.length !== 8) throw broken('its acTL chunk must have 8 bytes')
  const count = control.data.readUInt32BE(0)
  if (count === 0) throw broken('it declares 0 frames')
  checkFrames(canvas.width, canvas.height, count)
  const frames = walkFrames(png, canvas, count)
  if (frames.length !== count) throw broken(`it declares ${counted(count, 'frame')}, but has ${frames.length}`)
  const { width, height } = canvas
  return { width, height, plays: control.data.readUInt32BE(4), frames, ...headOf(png) }
}

/** The frames on their canvas. */
export function composedApng(png: Buffer, apng: Apng): ComposedFrames {
  const { width, height, frames } = apng
  const [first] = frames
  const isOpaque =
    first?.width === width &&
    first.height === height &&
    frames.every(({ dispose }, at) => (at === 0 ? dispose === 'none' : dispose !== 'background'))
  return {
    ...{ width, height, frames, isOpaque },
    // The default image isn't a frame then.
    isStartHidden: first?.source === 'fdAT',
    stillOf: (frame) => stillOf(png, apng, frame as ApngFrame),
  }
}

/** The frame as a PNG in the size of its rectangle; its content is checked when it is decoded. */
export function stillOf(png: Buffer, { header, palette, colors }: Apng, frame: ApngFrame): Buffer {
  const parts: Buffer[] = []
  for (const each of chunksOf(png, frame.start, frame.end)) {
    if (each.type !== frame.source) continue
    checkSum(png, each)
    // An fdAT has a number first.
    parts.push(frame.source === 'IDAT' ? each.data : each.data.subarray(4))
  }
  return Buffer.concat([pngSignature, resized(header, frame), colors, palette, chunk('IDAT', ...parts), chunk('IEND')])
}

function headOf(png: Buffer): Pick<Apng, 'header' | 'palette' | 'colors'> {
  const palette = new Map<string, Buffer>()
  const colors = new Map<string, Buffer>()
  let header = Buffer.alloc(0)
  for (const pngChunk of chunksOf(png)) {
    if (pngChunk.type === 'IHDR') header = Buffer.from(pngChunk.data)
    // Of several of a type, decoders use the first.
    const chunks = paletteTypes.has(pngChunk.type) ? palette : colorTypes.has(pngChunk.type) ? colors : undefined
    if (chunks !== undefined && !chunks.has(pngChunk.type)) {
      chunks.set(pngChunk.type, png.subarray(pngChunk.start, pngChunk.end))
    }
    if (pngChunk.type === 'IDAT' || pngChunk.type === 'fdAT') break
  }
  if (header.length !== headerBytes)
    throw broken('its IHDR chunk is missing, comes after the image, or has a wrong length')
  return { header, palette: Buffer.concat([...palette.values()]), colors: Buffer.concat([...colors.values()]) }
}

const headerBytes = 13

const paletteTypes = new Set(['PLTE', 'tRNS'])
const colorTypes = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT'])

/** The chunk is before the image data, so that a reader knows in time. The decoder reports damage before it. */
function animationControl(png: Buffer): Chunk | undefined {
  try {
    for (const pngChunk of chunksOf(png)) {
      if (pngChunk.type === 'acTL') return pngChunk
      if (pngChunk.type === 'IDAT') return undefined
    }
  } catch {}
  return undefined
}

/** Chunks in order: only their order assigns data to frames. */
function walkFrames(png: Buffer, canvas: Rectangle, count: number): ApngFrame[] {
  const frames: ApngFrame[] = []
  let [controls, sequence, hasDefault, hasEnd] = [0, 0, false, false]
  for (const pngChunk of chunksOf(png)) {
    const last = frames.at(-1)
    if (pngChunk.type === 'fcTL' || pngChunk.type === 'fdAT') {
      const number = pngChunk.data.length < 4 ? Number.NaN : pngChunk.data.readUInt32BE(0)
      if (number !== sequence) throw broken(`a chunk has the sequence number ${number} instead of ${sequence}`)
      sequence += 1
    }
    if (pngChunk.type === 'acTL') {
      controls += 1
      if (controls > 1) throw broken('it has two acTL chunks')
    } else if (pngChunk.type === 'fcTL') {
      checkSum(png, pngChunk)
      checkHasData(last, frames.length)
      if (frames.length === count) throw broken(`it has more than the ${counted(count, 'frame')} that it declares`)
      frames.push(frameOf(pngChunk, canvas, hasDefault ? 'fdAT' : 'IDAT', frames.length + 1))
    } else if (pngChunk.type === 'IDAT') {
      hasDefault = true
      if (last?.source === 'fdAT') throw broken('data of the default image come after those of a frame')
      if (last) last.end = pngChunk.end
    } else if (pngChunk.type === 'fdAT') {
      if (last?.source !== 'fdAT') throw broken('there are data of a frame that has no fcTL chunk')
      last.end = pngChunk.end
    } else if (pngChunk.type === 'IEND') hasEnd = true
  }
  checkHasData(frames.at(-1), frames.length)
  if (!hasDefault) throw broken('it has no default image')
  if (!hasEnd) throw broken('it is truncated')
  return frames
}

function checkHasData(frame: ApngFrame | undefined, number: number): void {
  if (frame && frame.end === frame.start) throw broken(`frame ${number} has no data`)
}

function frameOf({ data, end }: Chunk, canvas: Rectangle, source: ApngFrame['source'], number: number): ApngFrame {
  if (data.length !== 26) throw broken('an fcTL chunk must have 26 bytes')
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as [number, number, number, number]
  if (width === 0 || height === 0 || x + width > canvas.width || y + height > canvas.height) {
    throw broken(
      `frame ${number}, ${width} x ${height} at ${x}, ${y}, is not inside the image of ${canvas.width} x ${canvas.height}`,
    )
  }
  if (source === 'IDAT' && (width !== canvas.width || height !== canvas.height)) {
    throw broken(`its first frame is the default image, but is ${width} x ${height}`)
  }
  const dispose = disposals[data.readUInt8(24)]
  const blend = blends[data.readUInt8(25)]
  if (dispose === undefined || blend === undefined) throw broken(`frame ${number} has an unknown blend mode`)
  const delay: [number, number] = [data.readUInt16BE(20), data.readUInt16BE(22)]
  return { x, y, width, height, delay, dispose, blend, source, start: end, end }
}

const disposals = ['none', 'background', 'previous'] as const
const blends = ['source', 'over'] as const

function resized(header: Buffer, { width, height }: Rectangle): Buffer {
  const data = Buffer.from(header)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}

function broken(problem: string) {
  return failure('input_invalid', `The animated PNG is corrupt: ${problem}. Export it again.`)
}
