/** Counts the pixels that an AVIF decodes: its size says nothing about those of tiles, of cropped images and of alpha. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { type Budget, fieldsIn, spend } from './avif-boxes.ts'
import { type AvifItem, type AvifItems, avifItems, brokenAvif, type Extent } from './avif-items.ts'
import { checkExif, exifBytesRead } from './exif.ts'
import type { Reader } from './reader.ts'

/**
 * The pixels that the decoder has in memory: those of the image or, if they are more, of its alpha. Undefined if it finds no image.
 * Throws `limit_exceeded` if the image is small and what it is made of is not, or if an image is made of others that are made again.
 */
export async function walkAvif(read: Reader): Promise<number | undefined> {
  try {
    const budget = { left: limits.avifPartsMax }
    const found = await avifItems(read, budget)
    const image = found?.items.get(found.primary)
    const pixels = found && image && (await decodedPixels(read, found, image, budget))
    for (const { type, extents } of found?.items.values() ?? []) {
      // Four bytes precede it.
      if (type === 'Exif') checkExif((await bytesAt(read, extents ?? [], 0, exifBytesRead)).subarray(4))
    }
    return pixels
  } catch (error) {
    if (error instanceof RangeError) throw brokenAvif('a box ends too early')
    throw error
  }
}

async function decodedPixels(read: Reader, file: AvifItems, image: AvifItem, budget: Budget): Promise<number> {
  const seen = new Map<AvifItem, number>()
  const sum = { pixels: 0, bytes: bytesOfOthers(file) }
  async function add(item: AvifItem): Promise<number> {
    const before = sum.pixels
    for (const stored of await storedImages(read, file, item)) {
      let pixels = seen.get(stored)
      if (pixels === undefined) {
        pixels = stored.pixels * (await countFrames(read, stored, budget))
        if (pixels > limits.avifPixelsMax) throw tooLarge(pixels, limits.avifPixelsMax)
        seen.set(stored, pixels)
      }
      sum.pixels += pixels
      sum.bytes += bytesOf(stored)
      if (sum.pixels > limits.avifDecodedPixelsMax) throw tooLarge(sum.pixels, limits.avifDecodedPixelsMax)
    }
    return sum.pixels - before
  }
  const color = await add(image)
  let alpha = 0
  for (const each of new Set([image, ...storedParts(file, image)])) {
    for (const id of each.auxiliaries) {
      const item = file.items.get(id)
      if (item && decodable.has(item.type)) alpha += await add(item)
    }
  }
  if (sum.bytes > 2 * read.size + limits.uploadBytesMax) throw brokenAvif('its images and texts use the same data')
  return Math.max(image.pixels, color, alpha)
}

const decodable = new Set(['av01', 'grid', 'iden'])

/** The images in the file that this one is made of, each as often as it is decoded. */
async function storedImages(read: Reader, file: AvifItems, item: AvifItem): Promise<AvifItem[]> {
  if (item.type === 'av01') return [item]
  if (!decodable.has(item.type)) {
    throw failure(
      'input_invalid',
      `The AVIF has an image of the type "${item.type}", which is not supported. Export it as one AV1 image, or as PNG.`,
    )
  }
  const parts = storedParts(file, item)
  if (item.type === 'grid') await checkGrid(read, item, parts)
  else if (parts.length !== 1) throw brokenAvif('it has a copy of no image')
  return parts
}

/** Its tiles: a photo of 50 megapixels with tiles of 256 x 256 has 763. */
function storedParts({ items }: AvifItems, { parts }: AvifItem): AvifItem[] {
  if (parts.length > limits.avifTilesMax) {
    throw failure(
      'limit_exceeded',
      `The AVIF has an image of ${parts.length} tiles; the maximum is ${limits.avifTilesMax}. Export it with larger tiles, or as one image.`,
    )
  }
  return parts.map((id) => {
    const part = items.get(id)
    if (part?.type !== 'av01') throw brokenAvif('a tile is missing, or is made of other images')
    return part
  })
}

/** 23008-12, 6.6.2.3.2: the tiles cover the image. Other decoders reject an image that a row or a column isn't necessary for. */
async function checkGrid(read: Reader, { extents }: AvifItem, tiles: AvifItem[]): Promise<void> {
  const data = fieldsIn(Buffer.from(await bytesAt(read, extents ?? [], 0, 12)))
  data.uint(1)
  const bytes = (data.uint(1) & 1) === 1 ? 4 : 2
  const [rows, columns] = [data.uint(1) + 1, data.uint(1) + 1]
  const [width, height] = [data.uint(bytes), data.uint(bytes)]
  if (tiles.length !== rows * columns) {
    throw brokenAvif(`its grid of ${columns} x ${rows} tiles has ${tiles.length}`)
  }
  const [first] = tiles
  if (first === undefined) return
  const unlike = tiles.find((tile) => tile.width !== first.width || tile.height !== first.height)
  if (unlike) throw brokenAvif('the tiles of its grid have different sizes')
  if ((columns - 1) * first.width > width || (rows - 1) * first.height > height) {
    throw brokenAvif(
      `its grid of ${columns} x ${rows} tiles of ${first.width} x ${first.height} pixels is larger than the image, ${width} x ${height}`,
    )
  }
}

/**
 * Units of AV1 (AV1 5.3) that start a frame: the decoder decodes every frame of the data, and returns the last one. Files with a preview
 * for slow connections have two to four.
 */
async function countFrames(read: Reader, { extents }: AvifItem, budget: Budget): Promise<number> {
  if (extents === undefined) throw brokenAvif('an image has no data')
  const size = lengthOf(extents)
  let frames = 0
  for (let at = 0; at < size; ) {
    spend(budget)
    const head = await bytesAt(read, extents, at, 10)
    const flags = head[0] ?? 0
    const type = (flags >> 3) & 15
    if (type === frameHeader || type === frame) frames += 1
    // Without its length, the last one.
    if ((flags & 2) === 0) break
    const start = (flags & 4) === 0 ? 1 : 2
    const { value, bytes } = leb128(head.subarray(start))
    at += start + bytes + value
  }
  return Math.max(1, frames)
}

const [frameHeader, frame] = [3, 6]

/** Seven bits in each byte, the lowest first. */
function leb128(bytes: Buffer): { value: number; bytes: number } {
  let value = 0
  for (const [index, byte] of bytes.subarray(0, 8).entries()) {
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, bytes: index + 1 }
  }
  throw brokenAvif('a unit of AV1 has no length')
}

/** Bytes of the data of an item, which can be in several places. */
async function bytesAt(read: Reader, extents: Extent[], from: number, count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let [before, left] = [0, count]
  for (const { start, end } of extents) {
    const at = start + Math.max(0, from - before)
    if (left > 0 && at < end) {
      const part = Buffer.from(await read.bytes(at, Math.min(left, end - at)))
      parts.push(part)
      left -= part.length
    }
    before += end - start
  }
  return Buffer.concat(parts)
}

/** Of EXIF, XMP and others, which the decoder reads with the header. Images are counted when they are decoded. */
function bytesOfOthers({ items }: AvifItems): number {
  let bytes = 0
  for (const item of items.values()) if (!decodable.has(item.type)) bytes += bytesOf(item)
  return bytes
}

function bytesOf({ extents = [] }: AvifItem): number {
  return lengthOf(extents)
}

function lengthOf(extents: Extent[]): number {
  return extents.reduce((sum, { start, end }) => sum + end - start, 0)
}

function tooLarge(pixels: number, most: number) {
  return failure(
    'limit_exceeded',
    `The AVIF decodes ${pixels} pixels, with its tiles, alpha and the parts that it crops; the maximum is ${most}. Use a smaller image.`,
  )
}
