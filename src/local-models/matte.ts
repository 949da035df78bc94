/** Mattes: grey images of the foreground share of each pixel, and cut-outs made with them. */

import { sharpOf, toPixels } from '../imaging/raster/image.ts'
import type { JobContext } from '../imaging/raster/jobs.ts'
import { cut } from '../imaging/raster/region.ts'
import { eachRow } from '../imaging/raster/rows.ts'
import { applyTables, type Table, tableOf } from '../imaging/raster/tone/table.ts'
import type { Pixels } from '../imaging/types.ts'
import type { ModelOutput, PackagedModel } from './define-model.ts'
import { guidedFilter } from './guided-filter.ts'
import { type FittedImage, fitOf, fitted } from './input-fit.ts'
import type { WithManifest } from './manifest/manifest-models.ts'
import { runManifestModel, runModel } from './runner.ts'

export type MatteModel =
  | {
      model: PackagedModel
      graph: string
      /** Side of the model's input in pixels, for any aspect ratio. */
      side: number
      /** Set for models with few pixels: removes uncertain values and aligns edges with those of the image. */
      isCoarse?: boolean
    }
  | WithManifest<'mask'>

/** Mask in the size of the image. Transparent pixels are never foreground; the model sees white there. */
export async function matteOf(pixels: Pixels, matteModel: MatteModel, context: JobContext): Promise<Pixels> {
  if ('manifest' in matteModel) return manifestMatte(pixels, matteModel, context)
  const { model, graph, side, isCoarse = false } = matteModel
  const small = (await fitted(pixels, { kind: 'stretch', width: side, height: side }, context)).pixels
  const outputs = await runModel(model, graph, small, context)
  const [output] = Object.values(outputs)
  if (output?.data.length !== side * side) throw new Error(`${model.name} gave no matte: ${output?.dims}`)
  const grey = await greyOf(output.data, { width: side, height: side }, context)
  if (isCoarse) {
    const sure = await shapeMatte(grey, { hardness: 0.5, feather: 0 }, context)
    return shapeMatte(await guidedFilter(sure, small, pixels, context), { hardness: 0.3, feather: 0 }, context)
  }
  return enlargedTo(grey, pixels, context)
}

async function manifestMatte(
  pixels: Pixels,
  { model, manifest }: WithManifest<'mask'>,
  context: JobContext,
): Promise<Pixels> {
  const input = await fitted(pixels, fitOf(manifest), context)
  const { dims, data } = await runManifestModel(model, input.pixels, context)
  const [height = 0, width = 0] = dims
  return enlargedTo(
    await withoutPadding(await greyOf(data, { width, height }, context), input, context),
    pixels,
    context,
  )
}

/** The mask of the image in a mask of the input, which can be smaller or larger than the input. */
async function withoutPadding(mask: Pixels, { pixels, content }: FittedImage, context: JobContext): Promise<Pixels> {
  if (content.width === pixels.width && content.height === pixels.height) return mask
  const [acrossX, acrossY] = [mask.width / pixels.width, mask.height / pixels.height]
  const x = Math.min(mask.width - 1, Math.round(content.x * acrossX))
  const y = Math.min(mask.height - 1, Math.round(content.y * acrossY))
  const width = Math.max(1, Math.min(mask.width - x, Math.round(content.width * acrossX)))
  const height = Math.max(1, Math.min(mask.height - y, Math.round(content.height * acrossY)))
  return cut(mask, { x, y, width, height }, context)
}

/** Mitchell's kernel neither rings nor shows the pixels of the model when it enlarges. */
async function enlargedTo(mask: Pixels, { width, height }: Pixels, context: JobContext): Promise<Pixels> {
  return toPixels(context, (await sharpOf(mask)).resize(width, height, { fit: 'fill', kernel: 'mitchell' }))
}

async function greyOf(
  levels: ModelOutput['data'],
  { width, height }: { width: number; height: number },
  context: JobContext,
): Promise<Pixels> {
  const grey: Pixels = { data: Buffer.allocUnsafe(width * height * 3), width, height, channels: 3 }
  await eachRow(grey, context, (y) => {
    for (let at = y * width, to = at * 3; at < (y + 1) * width; at += 1, to += 3) {
      const level = levels[at] as number
      grey.data[to] = level
      grey.data[to + 1] = level
      grey.data[to + 2] = level
    }
  })
  return grey
}

export interface EdgeSettings {
  /** 0 to 1: contrast of uncertain values. At 1, every pixel is either foreground or background. */
  hardness: number
  /** Standard deviation of the blur, in pixels. */
  feather: number
}

export async function shapeMatte(
  matte: Pixels,
  { hardness, feather }: EdgeSettings,
  context: JobContext,
): Promise<Pixels> {
  const cut = tableOf((value) => (hardness === 1 ? Math.round(value) : (value - hardness / 2) / (1 - hardness)))
  const hard = hardness === 0 ? matte : await applyTables(matte, [cut, cut, cut], context)
  return feather === 0 ? hard : toPixels(context, (await sharpOf(hard)).blur(feather))
}

/**
 * The image with the matte multiplied into its alpha. In soft areas a pixel's colour mixes foreground and background;
 * the foreground colour is estimated from its surroundings (Forte 2021, "Approximate Fast Foreground Colour
 * Estimation", one pass), so that no rim of the old background remains.
 */
export async function cutOut(pixels: Pixels, matte: Pixels, context: JobContext): Promise<Pixels> {
  const { width, height } = pixels
  // In sequence: the gate is rarely the bottleneck.
  const front = await surroundings(pixels, matte, inFront, context)
  const behind = await surroundings(pixels, matte, notInFront, context)
  const data = Buffer.alloc(width * height * 4)
  await eachRow({ width: width * cost, height }, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const part = matte.data[pixel * 3] as number
      if (part === 0) continue
      const alpha = part / 255
      const [from, to] = [pixel * pixels.channels, pixel * 4]
      for (let channel = 0; channel < 3; channel += 1) {
        const color = pixels.data[from + channel] as number
        const near = front[to + channel] as number
        const value = near + alpha * (color - alpha * near - (1 - alpha) * (behind[to + channel] as number))
        data[to + channel] = Math.max(0, Math.min(255, Math.round(value)))
      }
      data[to + 3] = pixels.channels === 4 ? Math.round(alpha * (pixels.data[from + 3] as number)) : part
    }
  })
  return { data, width, height, channels: 4 }
}

/** The cost of one pixel in pixels of ordinary work, to yield accordingly. */
const cost = 4

/** Weight of a pixel by its share: squared, so that mixed pixels count little. */
const inFront = tableOf((part) => part ** 2)
const notInFront = tableOf((part) => (1 - part) ** 2)

/** The colours around each pixel, weighted by one side of the matte. */
async function surroundings(pixels: Pixels, matte: Pixels, weights: Table, context: JobContext): Promise<Buffer> {
  const { width, height, channels } = pixels
  const data = Buffer.allocUnsafe(width * height * 4)
  await eachRow({ width: width * 2, height }, context, (y) => {
    const end = (y + 1) * width * 4
    for (
      let to = y * width * 4, from = y * width * channels, at = y * width * 3;
      to < end;
      to += 4, from += channels, at += 3
    ) {
      data[to] = pixels.data[from] as number
      data[to + 1] = pixels.data[from + 1] as number
      data[to + 2] = pixels.data[from + 2] as number
      data[to + 3] = weights[matte.data[at] as number] as number
    }
  })
  // The width of a soft edge, which grows with the image. sharp blurs premultiplied, and divides again.
  const sigma = Math.max(5, Math.max(width, height) / 80)
  return (await toPixels(context, (await sharpOf({ data, width, height, channels: 4 })).blur(sigma))).data
}
