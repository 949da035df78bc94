/** An image in the size of a model's input. */
import { sharpOf, toPixels } from '../imaging/raster/image.ts'
import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Rectangle } from '../imaging/raster/region.ts'
import type { Pixels } from '../imaging/types.ts'
import type { DetectManifest, MaskManifest } from './manifest/manifest.ts'

/**
 * stretch: to a size, whatever the aspect ratio. contain: in its aspect ratio, with padding. multiples: to the nearest size whose
 * sides are multiples of a number; larger images are reduced to `sideMax`.
 */
export type InputFit =
  | { kind: 'stretch'; width: number; height: number }
  | { kind: 'contain'; width: number; height: number; position: 'center' | 'start'; padding: string }
  | { kind: 'multiples'; multipleOf: number; sideMax: number }

export interface FittedImage {
  /** Opaque: transparent areas are white. */
  pixels: Pixels
  /** The part without padding. */
  content: Rectangle
}

export async function fitted(image: Pixels, fit: InputFit, context: JobContext): Promise<FittedImage> {
  const { width, height } = contentSize(image, fit)
  const source = (await sharpOf(image)).flatten({ background: '#fff' }).resize(width, height, { fit: 'fill' })
  const content = await toPixels(context, source)
  if (fit.kind !== 'contain') return { pixels: content, content: { x: 0, y: 0, width, height } }
  const [more, below] = [fit.width - width, fit.height - height]
  const [x, y] = fit.position === 'start' ? [0, 0] : [Math.floor(more / 2), Math.floor(below / 2)]
  const padded = (await sharpOf(content)).extend({
    left: x,
    top: y,
    right: more - x,
    bottom: below - y,
    background: fit.padding,
  })
  return { pixels: await toPixels(context, padded), content: { x, y, width, height } }
}

export function fitOf({ input }: MaskManifest | DetectManifest): InputFit {
  const { size = 1, width = size, height = size, fit, position, padding } = input
  if ('multipleOf' in input && input.multipleOf !== undefined) {
    return { kind: 'multiples', multipleOf: input.multipleOf, sideMax: input.sideMax ?? input.multipleOf }
  }
  return fit === 'contain' ? { kind: 'contain', width, height, position, padding } : { kind: 'stretch', width, height }
}

function contentSize(image: { width: number; height: number }, fit: InputFit): { width: number; height: number } {
  if (fit.kind === 'stretch') return fit
  if (fit.kind === 'contain') {
    const scale = Math.min(fit.width / image.width, fit.height / image.height)
    return {
      width: Math.max(1, Math.round(image.width * scale)),
      height: Math.max(1, Math.round(image.height * scale)),
    }
  }
  const { multipleOf, sideMax } = fit
  const scale = Math.min(1, sideMax / Math.max(image.width, image.height))
  const countMax = Math.floor(sideMax / multipleOf)
  const side = (length: number) =>
    multipleOf * Math.min(countMax, Math.max(1, Math.round((length * scale) / multipleOf)))
  return { width: side(image.width), height: side(image.height) }
}
