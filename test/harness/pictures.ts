/** Images for tests, and files that only look like images. */
import { randomBytes } from 'node:crypto'
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export type Format = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'tiff'

/** A single colour. */
export function plain(format: Format, width = 40, height = 30, background = '#c04020'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** Noise, the largest possible file of a size. */
export function noise(format: Format, width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const }
  return sharp(randomBytes(width * height * 3), { raw })
    .toFormat(format)
    .toBuffer()
}

/** Left half red, right half blue, with an EXIF orientation that rotates it a quarter clockwise. */
export function turned(width: number, height: number): Promise<Buffer> {
  const half = { create: { width: width / 2, height, channels: 3 as const, background: '#0000ff' } }
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: width / 2, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** Half-transparent everywhere. */
export function glass(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { r: 0, g: 128, b: 255, alpha: 0.5 } } })
    .png()
    .toBuffer()
}

export async function sizeOf(
  bytes: Buffer,
): Promise<{ width: number; height: number; format: string; hasAlpha: boolean }> {
  const { width, height, format, hasAlpha, compression } = await sharp(bytes).metadata()
  return { width, height, format: format === 'heif' && compression === 'av1' ? 'avif' : format, hasAlpha }
}

/** The pixel as [red, green, blue, alpha]. */
export async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
}

export function svg(inside: string, attributes = 'width="40" height="30"'): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
  )
}

/** A valid PNG with this number of black pixels: a kilobyte for every 8 million of them. */
export function pngBomb(width: number, height: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return png(width, height, deflateSync(rows, { level: 9 }))
}

/** A GIF whose header declares 65535 x 65535. */
export function gifLie(): Buffer {
  const header = Buffer.from('474946383961ffffffff800000000000ffffff', 'hex')
  const frame = Buffer.from('2c00000000ffffffff000202440100', 'hex')
  return Buffer.concat([header, frame, Buffer.from([0x3b])])
}

/**
 * A valid PNG of transparent black pixels with 16 bits per channel, interlaced: 8 bytes of memory per pixel from a
 * hundredth of a byte in the file. It repeats one compressed block, so a large file takes no time and no memory.
 */
export function pngInterlaced(width: number, height: number): Buffer {
  const bytes = adam7.reduce((total, [x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return total + (columns > 0 && rows > 0 ? rows * (1 + columns * 8) : 0)
  }, 0)
  return png(width, height, deflatedZeros(bytes), [16, 6, 0, 0, 1])
}

/** First column, first row, and the steps between columns and rows, of each pass (PNG specification, 8.2). */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A zlib stream (RFC 1950). Blocks that end at a byte can be repeated, and the checksum of zeros is known. */
function deflatedZeros(bytes: number): Buffer {
  const blockBytes = 4_194_304
  const block = deflateRawSync(Buffer.alloc(blockBytes), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array.from({ length: Math.floor(bytes / blockBytes) }, () => block)
  const rest = deflateRawSync(Buffer.alloc(bytes % blockBytes), { level: 9 })
  const adler32 = Buffer.alloc(4)
  adler32.writeUInt16BE(bytes % 65_521, 0)
  adler32.writeUInt16BE(1, 2)
  return Buffer.concat([Buffer.from('78da', 'hex'), ...blocks, rest, adler32])
}

/** One bit of grey per pixel by default. */
function png(width: number, height: number, data: Buffer, kind: readonly number[] = [1, 0, 0, 0, 0]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(kind, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND'),
  ])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
