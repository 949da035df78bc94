/**
 * The composite of a PSD or PSB, as a TIFF for libvips. Both have planes of rows, plain or with PackBits, so no pixel is
 * decoded here.
 */
import { failure } from '../../../errors.ts'
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { checkSize } from '../size.ts'
import { channelsOf, corrupt, type PsdHeader, type PsdMode, readPsdHeader, sizeOfPsd } from './psd-header.ts'
import { compression, photometric, tiffOf } from './tiff-write.ts'

export interface PsdComposite {
  tiff: Buffer
  /** Whether its colors may be blended with white where it is transparent: see `removeWhite`. */
  mayBeOnWhite: boolean
}

/** The caller has reserved as many bytes as the file has. Throws if the size exceeds the limits. */
export async function compositeOfPsd(
  file: Buffer,
  context: Pick<JobContext, 'signal'> & { pixelsMax: number },
): Promise<PsdComposite> {
  const { width, height } = sizeOfPsd(file)
  checkSize(width, height, context.pixelsMax)
  const header = readPsdHeader(file)
  const { mode, depth, hasTransparency, palette, icc, xmp, iptc, density } = header
  const samples = channelsOf[mode] + (hasTransparency ? 1 : 0)
  const { data, rowBytes, isPacked } = rowsOf(file, header, samples)
  const rows = { data, rowBytes, isPacked, height }
  const isFloat = depth === 32
  const tiff = tiffOf({
    width,
    height,
    bits: depth,
    isFloat,
    samples,
    hasAlpha: hasTransparency,
    photometric: photometricOf[mode],
    compression: isPacked ? compression.packBits : compression.none,
    data: mode === 'cmyk' ? await flipped(rows, flippedBits, context) : data,
    rowBytes,
    palette,
    // Floats are linear, in the primaries of sRGB as libvips reads them.
    icc: isFloat ? undefined : icc,
    xmp,
    iptc,
    density,
  })
  return { tiff, mayBeOnWhite: hasTransparency && mode === 'rgb' }
}

const photometricOf: Record<PsdMode, number> = {
  bitmap: photometric.whiteIsZero,
  grey: photometric.blackIsZero,
  indexed: photometric.palette,
  rgb: photometric.rgb,
  cmyk: photometric.separated,
}

/** PSD stores paper instead of ink. The last one is the transparency. */
const flippedBits = [0xff, 0xff, 0xff, 0xff, 0]

interface Rows {
  data: Buffer
  rowBytes: Uint32Array
  isPacked: boolean
}

const raw = 0
const packBits = 1

/** The rows of the first `samples` channels. */
function rowsOf(
  file: Buffer,
  { width, height, channels, depth, isLarge, compositeAt }: PsdHeader,
  samples: number,
): Rows {
  if (compositeAt + 2 > file.length) throw corrupt()
  const kind = file.readUInt16BE(compositeAt)
  if (kind !== raw && kind !== packBits) {
    throw failure('input_invalid', 'The composite of the PSD has an unknown compression. Export the image as PNG.')
  }
  const rowBytes = new Uint32Array(samples * height)
  let start = compositeAt + 2
  if (kind === raw) rowBytes.fill(Math.ceil((width * depth) / 8))
  else {
    const lengthBytes = isLarge ? 4 : 2
    const lengthsAt = start
    start += channels * height * lengthBytes
    if (start > file.length) throw corrupt()
    // PackBits needs at most one byte more for each 128. Some writers need two bytes for each.
    const longest = 2 * Math.ceil((width * depth) / 8) + 128
    for (let row = 0; row < rowBytes.length; row += 1) {
      const length = file.readUIntBE(lengthsAt + row * lengthBytes, lengthBytes)
      if (length > longest) throw corrupt()
      rowBytes[row] = length
    }
  }
  const end = start + rowBytes.reduce((sum, length) => sum + length, 0)
  if (end > file.length) throw corrupt()
  return { data: file.subarray(start, end), rowBytes, isPacked: kind === packBits }
}

/** A copy with bits of the samples flipped. PackBits keeps its lengths: only literal and repeated bytes change. */
async function flipped(
  { data, rowBytes, isPacked, height }: Rows & { height: number },
  bits: number[],
  context: Pick<JobContext, 'signal'>,
): Promise<Buffer> {
  const out = Buffer.from(data)
  let at = 0
  // In turns by the bytes of an average row.
  const width = Math.ceil(data.length / rowBytes.length)
  await eachRow({ width, height: rowBytes.length }, context, (row) => {
    const end = at + (rowBytes[row] ?? 0)
    const mask = bits[Math.floor(row / height)] ?? 0
    if (isPacked) flipPacked(out.subarray(at, end), mask)
    else for (; at < end; at += 1) out[at] = (out[at] as number) ^ mask
    at = end
  })
  return out
}

function flipPacked(row: Buffer, mask: number): void {
  for (let at = 0; at < row.length; ) {
    const length = row.readInt8(at)
    // -128 does nothing; other negative numbers repeat one byte.
    const count = length === -128 ? 0 : length < 0 ? 1 : length + 1
    const end = Math.min(at + 1 + count, row.length)
    for (at += 1; at < end; at += 1) row[at] = (row[at] as number) ^ mask
  }
}

/** The colors as they were before they were blended with white. */
export async function removeWhite(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { data, width, channels } = pixels
  if (channels === 3 || !(await isOnWhite(pixels, context))) return pixels
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * 4
    for (let at = y * width * 4; at < end; at += 4) {
      const alpha = data[at + 3] as number
      if (alpha === 255 || alpha === 0) continue
      for (let color = at; color < at + 3; color += 1) {
        const value = 255 - ((255 - (data[color] as number)) * 255) / alpha
        data[color] = Math.max(0, Math.round(value))
      }
    }
  })
  return pixels
}

/** Photoshop stores colors on white, other programs as they are: then some are darker than the white behind them allows. */
async function isOnWhite({ data, width, height }: Pixels, context: Pick<JobContext, 'signal'>): Promise<boolean> {
  let darker = 0
  await eachRow({ width, height }, context, (y) => {
    const end = (y + 1) * width * 4
    for (let at = y * width * 4; at < end; at += 4) {
      const white = 255 - (data[at + 3] as number) - rounding
      const color = Math.min(data[at] as number, data[at + 1] as number, data[at + 2] as number)
      if (color < white) darker += 1
    }
  })
  return darker === 0
}

const rounding = 2
