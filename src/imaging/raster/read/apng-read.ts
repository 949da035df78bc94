/**
 * Parses the frames of an animated PNG (W3C PNG, Third Edition, 11.3.6) and returns them as separate PNGs: libvips
 * reads only the default image.
 */
import { setImmediate } from 'node:timers/promises'
import { crc32, inflateSync } from 'node:zlib'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Rectangle } from '../region.ts'
import { checkFrames } from '../size.ts'
import { checkProfile } from './color-profile.ts'
import { type Chunk, checkSum, chunk, chunksOf, pngSignature } from './png-chunks.ts'

export interface ApngFrame extends Rectangle {
  /** Seconds as a fraction; a denominator of 0 means 100. */
  delay: [numerator: number, denominator: number]
  /** How to clear its rectangle before the next frame is drawn. */
  dispose: 'none' | 'background' | 'previous'
  blend: 'source' | 'over'
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
  /** For all frames: the content of IHDR, the chunks that are necessary to decode samples, and those that define their colours. */
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
  if (frames.length !== count) throw broken(`it declares ${count} frames, but has ${frames.length}`)
  const { width, height } = canvas
  return { width, height, plays: control.data.readUInt32BE(4), frames, ...headOf(png) }
}

/**
 * The frame as a PNG in the size of its rectangle; its content is checked when it is decoded. Colours aren't necessary for a check. Other work
 * has its turn after each `bytesAtOnce`.
 */
export async function stillOf(
  png: Buffer,
  { header, palette, colors }: Apng,
  frame: ApngFrame,
  { hasColors } = { hasColors: true },
): Promise<Buffer> {
  const shared = hasColors ? [colors, palette] : [palette]
  const head = Buffer.concat([pngSignature, resized(header, frame), ...shared])
  const end = chunk('IEND')
  /** Of a chunk: an fdAT has a number first. */
  const skipped = frame.source === 'IDAT' ? 0 : 4
  const chunks = [...chunksOf(png, frame.start, frame.end)].filter(({ type }) => type === frame.source)
  const dataBytes = chunks.reduce((sum, { data }) => sum + data.length - skipped, 0)
  const still = Buffer.allocUnsafe(head.length + 12 + dataBytes + end.length)
  let to = head.copy(still)
  to = still.writeUInt32BE(dataBytes, to)
  to += still.write('IDAT', to, 'latin1')
  let sum = crc32('IDAT')
  let bytesLeft = bytesAtOnce
  for (const each of chunks) {
    let ownSum = crc32(png.subarray(each.start + 4, each.start + 8 + skipped))
    for (let from = skipped; from < each.data.length; ) {
      const piece = each.data.subarray(from, from + bytesLeft)
      ownSum = crc32(piece, ownSum)
      sum = crc32(piece, sum)
      to += piece.copy(still, to)
      from += piece.length
      bytesLeft -= piece.length
      if (bytesLeft > 0) continue
      await setImmediate()
      bytesLeft = bytesAtOnce
    }
    checkSum(png, each, ownSum)
  }
  to = still.writeUInt32BE(sum, to)
  end.copy(still, to)
  return still
}

/** Some 2 ms of copies and checksums. */
const bytesAtOnce = 1_048_576

function headOf(png: Buffer): Pick<Apng, 'header' | 'palette' | 'colors'> {
  const palette = new Map<string, Buffer>()
  const colors = new Map<string, Buffer>()
  let header = Buffer.alloc(0)
  for (const pngChunk of chunksOf(png)) {
    if (pngChunk.type === 'IHDR') header = Buffer.from(pngChunk.data)
    // Of several of a type, decoders use the first.
    const chunks = paletteTypes.has(pngChunk.type) ? palette : colorTypes.has(pngChunk.type) ? colors : undefined
    if (chunks !== undefined && !chunks.has(pngChunk.type)) {
      checkLength(pngChunk)
      chunks.set(pngChunk.type, png.subarray(pngChunk.start, pngChunk.end))
    }
    if (pngChunk.type === 'IDAT' || pngChunk.type === 'fdAT') break
  }
  if (header.length !== headerBytes)
    throw broken('its IHDR chunk is missing, comes after the image, or has a wrong length')
  return { header, palette: Buffer.concat([...palette.values()]), colors: Buffer.concat([...colors.values()]) }
}

/**
 * The chunk is copied for each frame, and the decoder unpacks the profile each time. W3C PNG, 11.3.2.3: a name, a zero byte, a method, and a
 * zlib stream.
 */
function checkLength({ type, data }: Chunk): void {
  if (type !== 'iCCP') {
    if (data.length > paletteBytesMax) throw broken(`its ${type} chunk has ${data.length} bytes`)
    return
  }
  checkProfile(unpackedProfile(data))
}

/** Undefined for a damaged one, which the decoder ignores. */
function unpackedProfile(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: limits.apngProfileBytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return undefined
    throw failure(
      'limit_exceeded',
      `The colour profile of the animated PNG has more than ${limits.apngProfileBytesMax} bytes, the maximum. Export it again without the profile, or in sRGB.`,
    )
  }
}

/** Of PLTE, the longest of the other types. */
const paletteBytesMax = 768

const headerBytes = 13

const paletteTypes = new Set(['PLTE', 'tRNS'])
const colorTypes = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT'])

/** Maximum number of chunks: they are read in one go, and an untrusted file may contain millions of empty ones. */
function* someChunks(png: Buffer): Generator<Chunk> {
  let count = 0
  for (const pngChunk of chunksOf(png)) {
    count += 1
    if (count > limits.pngChunksMax) {
      throw failure(
        'limit_exceeded',
        `The animated PNG has more than ${limits.pngChunksMax} chunks, the maximum. Export it again.`,
      )
    }
    yield pngChunk
  }
}

/** The chunk is before the image data, so that a reader knows in time. The decoder reports damage before it. */
function animationControl(png: Buffer): Chunk | undefined {
  try {
    for (const pngChunk of someChunks(png)) {
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
  for (const pngChunk of someChunks(png)) {
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
      if (frames.length === count) throw broken(`it has more than the ${count} frames that it declares`)
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
