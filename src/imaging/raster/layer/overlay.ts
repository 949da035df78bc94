/** Blends one image onto another. */
import type { Pixels } from '../../types.ts'
import { copyPixels } from '../copy.ts'
import { sharpOf, toPixels } from '../image.ts'
import { abortFault, type JobContext } from '../jobs.ts'
import { cut, intersection, paste } from '../region.ts'
import { blendHue, type HueBlend, hueBlends } from '../tone/hue-blend.ts'
import { compositeOver, type Layer } from './over.ts'

/**
 * Blend modes: all of CSS (Compositing and Blending Level 1), and those of libvips except the ones that return one of
 * the images, or nothing, unchanged.
 */
export const blends = [
  'over',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  ...hueBlends,
  'add',
  'atop',
  'in',
  'out',
  'xor',
  'dest-over',
  'dest-in',
  'dest-out',
  'dest-atop',
] as const

export type Blend = (typeof blends)[number]

export interface OverlaySettings {
  /** Position of the top left corner; parts outside the image are cropped. */
  x: number
  y: number
  /** 0 to 1. */
  opacity?: number
  blend?: Blend
}

/** Modes that remove everything that the overlay does not cover. */
const unbounded: Blend[] = ['in', 'out', 'dest-in', 'dest-atop']
/** Modes that can make an opaque image transparent. */
const opening: Blend[] = [...unbounded, 'dest-out', 'xor']

/** Only `over` accepts a premultiplied overlay. */
export async function blendOnto(
  base: Pixels,
  overlay: Layer,
  { x, y, opacity = 1, blend = 'over' }: OverlaySettings,
  context: JobContext,
): Promise<Pixels> {
  if (context.signal.aborted) throw abortFault(context.signal)
  const whole = { x: 0, y: 0, width: base.width, height: base.height }
  const region = intersection(whole, { x, y, width: overlay.width, height: overlay.height })
  if (region === undefined) return unbounded.includes(blend) ? withoutAll(base, context) : base
  if (blend === 'over') {
    const mixed = { ...base, data: await copyPixels(base, context) }
    await compositeOver(mixed, overlay, { x, y, opacity }, region)
    return mixed
  }
  if (isHueBlend(blend)) {
    const mixed = { ...base, data: await copyPixels(base, context) }
    await blendHue(mixed, overlay, { x, y, opacity, blend }, region, context)
    return mixed
  }

  const visible =
    region.width === overlay.width && region.height === overlay.height
      ? overlay
      : await cut(overlay, { ...region, x: region.x - x, y: region.y - y }, context)
  const layer = opacity < 1 ? await faded(visible, opacity, context) : visible

  // The cost depends on the pixels of the image, so a small overlay is blended with the region that it covers.
  const covered = (region.width * region.height) / (base.width * base.height)
  const patchwise = covered < 0.7 && !unbounded.includes(blend) && (base.channels === 4 || !opening.includes(blend))
  if (!patchwise) return mix(base, layer, { x: region.x, y: region.y, blend }, context)
  const patch = await mix(await cut(base, region, context), layer, { x: 0, y: 0, blend }, context)
  return paste(base, patch, region, context)
}

async function mix(
  base: Pixels,
  layer: Pixels,
  { x, y, blend }: { x: number; y: number; blend: Exclude<Blend, HueBlend> },
  context: JobContext,
): Promise<Pixels> {
  const { data, width, height, channels } = layer
  const image = await sharpOf(base)
  image.composite([{ input: data, raw: { width, height, channels }, left: x, top: y, blend }])
  if (base.channels === 3 && !opening.includes(blend)) image.removeAlpha()
  return toPixels(context, image)
}

async function faded(layer: Pixels, opacity: number, context: JobContext): Promise<Pixels> {
  const image = await sharpOf(layer)
  if (layer.channels === 3) image.ensureAlpha(opacity)
  else image.linear([1, 1, 1, opacity], [0, 0, 0, 0])
  return toPixels(context, image)
}

function isHueBlend(blend: Blend): blend is HueBlend {
  return (hueBlends as readonly string[]).includes(blend)
}

/** The rest of an image whose mask does not overlap it. */
async function withoutAll(base: Pixels, context: JobContext): Promise<Pixels> {
  const image = await sharpOf(base)
  return toPixels(context, image.removeAlpha().ensureAlpha(0))
}
