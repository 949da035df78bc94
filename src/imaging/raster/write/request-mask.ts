/** Masks in the formats that AI models expect. */
import type { RequestMask } from '../../../domain/models/model.ts'
import type { Pixels } from '../../types.ts'
import type { ImageContext } from '../image.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'
import { loadSharp } from '../sharp.ts'
import { encoded } from './request-image.ts'

/** One byte per pixel: 255 to repaint, 0 to keep. */
export interface MaskLevels {
  data: Buffer
  width: number
  height: number
}

/** Brightness of the mask multiplied by its alpha. */
export async function maskLevels(mask: Pixels, context: ImageContext): Promise<MaskLevels> {
  const { data: from, width, height, channels } = mask
  const data = Buffer.allocUnsafe(width * height)
  await eachRow(mask, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const at = pixel * channels
      const luma = 0.2126 * (from[at] as number) + 0.7152 * (from[at + 1] as number) + 0.0722 * (from[at + 2] as number)
      data[pixel] = Math.round(channels === 4 ? (luma * (from[at + 3] as number)) / 255 : luma)
    }
  })
  return { data, width, height }
}

/** The smallest rectangle with everything that is repainted; undefined for a black mask. */
export async function maskBounds(
  { data, width, height }: MaskLevels,
  context: Pick<ImageContext, 'signal'>,
): Promise<Rectangle | undefined> {
  let [left, right, top, bottom] = [width, 0, height, 0]
  await eachRow({ width, height }, context, (y) => {
    const row = data.subarray(y * width, (y + 1) * width)
    const first = row.findIndex((level) => level > 0)
    if (first === -1) return
    left = Math.min(left, first)
    right = Math.max(right, row.findLastIndex((level) => level > 0) + 1)
    top = Math.min(top, y)
    bottom = y + 1
  })
  return bottom === 0 ? undefined : { x: left, y: top, width: right - left, height: bottom - top }
}

/** Each format is computed on first use, and once. */
export function requestMask(levels: MaskLevels, context: ImageContext): RequestMask {
  const masks = new Map<string, Promise<Buffer>>()
  const memoized = (form: string, make: () => Promise<Buffer>) => {
    const work = masks.get(form) ?? make()
    masks.set(form, work)
    return work
  }
  return {
    white: () => memoized('white', () => greyPng(levels, context)),
    black: () => memoized('black', async () => greyPng(await inverted(levels, context), context)),
    transparent: () => memoized('transparent', () => clearPng(levels, context)),
  }
}

async function inverted({ data: from, width, height }: MaskLevels, context: ImageContext): Promise<MaskLevels> {
  const data = Buffer.allocUnsafe(from.length)
  await eachRow({ width, height }, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) data[pixel] = 255 - (from[pixel] as number)
  })
  return { data, width, height }
}

async function greyPng({ data, width, height }: MaskLevels, context: ImageContext): Promise<Buffer> {
  const sharp = await loadSharp()
  const image = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
  return encoded(image.toColourspace('b-w').png(), context)
}

async function clearPng(levels: MaskLevels, context: ImageContext): Promise<Buffer> {
  const { width, height } = levels
  const opacity = await inverted(levels, context)
  const sharp = await loadSharp()
  const data = Buffer.alloc(width * height * 4)
  await eachRow(levels, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) data[pixel * 4 + 3] = opacity.data[pixel] as number
  })
  const image = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
  return encoded(image.png(), context)
}
