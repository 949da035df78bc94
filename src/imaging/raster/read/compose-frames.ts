/**
 * The frames of an animated PNG, or of a GIF that libvips doesn't compose, as displayed: each is drawn at its position and with its blend
 * mode on the rest of the previous frame.
 */
import type { Pixels } from '../../types.ts'
import { copyPixels } from '../copy.ts'
import { solidColor } from '../draw/fill.ts'
import type { ImageContext } from '../image.ts'
import { compositeOver } from '../layer/over.ts'
import { cut, put, type Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'
import type { ComposedFrames, Patch } from './patches.ts'

/** Decodes frames in sequence, so that at most one is held twice. */
export async function composeFrames(
  { width, height, frames, isOpaque, stillOf }: ComposedFrames,
  decode: (still: Buffer) => Promise<Pixels>,
  context: ImageContext,
): Promise<Pixels[]> {
  const seen: Pixels[] = []
  let canvas: Pixels | undefined
  for (const [index, frame] of frames.entries()) {
    const patch = await decode(stillOf(frame))
    canvas ??= await solidColor(width, height, transparent, context, isOpaque && patch.channels === 3 ? 3 : 4)
    const before = frame.dispose === 'previous' && index > 0 ? await cut(canvas, frame, context) : undefined
    await draw(canvas, patch, frame, context)
    seen.push({ ...canvas, data: await copyPixels(canvas, context) })
    if (before) await put(canvas, before, frame, context)
    // "Previous" for the first frame restores an empty canvas.
    else if (frame.dispose !== 'none') await clear(canvas, frame, context)
  }
  return seen
}

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

async function draw(canvas: Pixels, patch: Pixels, frame: Patch, context: ImageContext): Promise<void> {
  if (frame.blend === 'source' && patch.channels === canvas.channels) await put(canvas, patch, frame, context)
  else {
    if (frame.blend === 'source') await clear(canvas, frame, context)
    await compositeOver(canvas, patch, { x: frame.x, y: frame.y, opacity: 1 }, frame)
  }
}

async function clear(canvas: Pixels, area: Rectangle, context: ImageContext): Promise<void> {
  const { x, y, width } = area
  await eachRow(area, context, (row) => {
    const start = ((y + row) * canvas.width + x) * canvas.channels
    canvas.data.fill(0, start, start + width * canvas.channels)
  })
}
