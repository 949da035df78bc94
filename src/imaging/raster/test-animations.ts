/** Animations for tests: GIFs and PNGs written chunk by chunk, including invalid ones. */
import type { ImageValue, Pixels } from '../types.ts'
import { imageFromPixels, pixelsOf, sharpOf } from './image.ts'
import { imageFromFrames } from './read/frames.ts'
import { chunk, chunksOf, pngSignature } from './read/png-chunks.ts'
import type { Sharp } from './sharp.ts'
import { contextFor, paint } from './test-images.ts'

export interface GifFrame {
  x: number
  y: number
  width: number
  height: number
  /** 1: keep; 2: clear its rectangle; 3: restore the previous content. */
  disposal: number
  delayHundredths: number
  /** Colour per pixel: 0 red, 1 green, 2 blue, 3 transparent. */
  colors: number[]
}

export function gifOf(width: number, height: number, plays: number | undefined, frames: GifFrame[]): Buffer {
  const loop = plays === undefined ? [] : [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, ...low(plays), 0]
  const body = frames.flatMap(({ x, y, disposal, delayHundredths, colors, ...size }) => [
    ...[0x21, 0xf9, 4, (disposal << 2) | 1, ...low(delayHundredths), 3, 0],
    ...[0x2c, ...low(x), ...low(y), ...low(size.width), ...low(size.height), 0],
    ...lzw(colors),
  ])
  const palette = [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...low(width),
    ...low(height),
    0x81,
    0,
    0,
    ...palette,
    ...loop,
    ...body,
    0x3b,
  ])
}

/** Encodes LZW without compression: clears the code table before codes grow past 3 bits. */
function lzw(colors: number[]): number[] {
  const [clear, end] = [4, 5]
  const codes = colors.flatMap((color, at) => (at % 2 === 0 ? [clear, color] : [color]))
  const bits = [...codes, end].flatMap((code) => [code & 1, (code >> 1) & 1, code >> 2])
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
  )
  const blocks: number[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return [2, ...blocks, 0]
}

function low(value: number): number[] {
  return [value & 255, value >> 8]
}

export interface PngFrame {
  pixels: Pixels
  x?: number
  y?: number
  delay?: [number, number]
  dispose?: number
  blend?: number
}

export interface PngOptions {
  plays?: number
  /** Content of the acTL chunk, if it differs from the frames. */
  count?: number
  /** A default image that is not a frame. */
  hidden?: Pixels
  encode?: ((image: Sharp) => Sharp) | undefined
  /** Changes the chunks before they are written, each with its type and data. */
  change?: (chunks: RawChunk[]) => RawChunk[]
}

export interface RawChunk {
  type: string
  data: Buffer
}

export async function apngOf(
  width: number,
  height: number,
  frames: PngFrame[],
  options: PngOptions = {},
): Promise<Buffer> {
  const {
    plays = 0,
    count = frames.length,
    hidden,
    encode = (image) => image.png(),
    change = (chunks) => chunks,
  } = options
  const first = frames[0]?.pixels
  const base = hidden ?? first
  if (base === undefined) throw new Error('no frames')
  let sequence = 0
  const chunks: RawChunk[] = []
  for (const { type, data } of chunksOf(await pngOf(base, encode))) {
    if (type === 'IHDR')
      chunks.push({
        type,
        data: bytesOf([width, 4], [height, 4], ...[...data.subarray(8)].map((byte) => [byte, 1] as [number, number])),
      })
    if (type === 'PLTE' || type === 'tRNS') chunks.push({ type, data })
    if (type !== 'IDAT') continue
    if (!chunks.some((each) => each.type === 'acTL'))
      chunks.push({ type: 'acTL', data: bytesOf([count, 4], [plays, 4]) })
    if (!hidden && frames[0]) chunks.push({ type: 'fcTL', data: controlOf(frames[0], sequence++) })
    chunks.push({ type, data })
  }
  for (const frame of hidden ? frames : frames.slice(1)) {
    chunks.push({ type: 'fcTL', data: controlOf(frame, sequence++) })
    for (const { type, data } of chunksOf(await pngOf(frame.pixels, encode))) {
      if (type === 'IDAT') chunks.push({ type: 'fdAT', data: Buffer.concat([bytesOf([sequence++, 4]), data]) })
    }
  }
  chunks.push({ type: 'IEND', data: Buffer.alloc(0) })
  return Buffer.concat([pngSignature, ...change(chunks).map(({ type, data }) => chunk(type, data))])
}

function controlOf(
  { pixels, x = 0, y = 0, delay = [1, 10], dispose = 0, blend = 0 }: PngFrame,
  sequence: number,
): Buffer {
  const numbers = [sequence, pixels.width, pixels.height, x, y].map((value) => [value, 4] as [number, number])
  return bytesOf(...numbers, [delay[0], 2], [delay[1], 2], [dispose, 1], [blend, 1])
}

/** Big-endian numbers of a fixed number of bytes each. */
export function bytesOf(...numbers: [value: number, length: number][]): Buffer {
  return Buffer.concat(
    numbers.map(([value, length]) => {
      const bytes = Buffer.alloc(length)
      bytes.writeUIntBE(value, 0, length)
      return bytes
    }),
  )
}

async function pngOf(pixels: Pixels, encode: (image: Sharp) => Sharp): Promise<Buffer> {
  return encode(await sharpOf(pixels)).toBuffer()
}

/** An animation of many colours: still frames of `paint`, which receives the number of the frame. */
export function moving(
  width: number,
  height: number,
  delaysMs: number[],
  at: (x: number, y: number, frame: number) => number[],
  loops = 0,
): ImageValue {
  const frames = delaysMs.map((_, frame) => imageFromPixels(paint(width, height, (x, y) => at(x, y, frame))))
  return imageFromFrames(frames, { delaysMs, loops })
}

/** The pixels of frames, as numbers. */
export async function numbersOf(frames: ImageValue[]): Promise<number[][]> {
  return Promise.all(frames.map(async (frame) => [...(await pixelsOf(frame, contextFor())).data]))
}
