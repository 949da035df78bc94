/** The frames of an animated PNG as they are seen: each drawn where and how it says, on what was left of those before. */
import type { Pixels } from '../../define.ts'
import { filled } from '../draw/fill.ts'
import { layOver } from '../layer/over.ts'
import { type ImageContext, sharpOfEncoded, toPixels } from '../picture.ts'
import { cut, type Rectangle } from '../region.ts'
import { type Apng, type ApngFrame, stillOf } from './apng-read.ts'

/** One after the other, so that no more than one of them is held twice. */
export async function apngFrames(png: Buffer, apng: Apng, context: ImageContext): Promise<Pixels[]> {
  const seen: Pixels[] = []
  let canvas: Pixels | undefined
  for (const [index, frame] of apng.frames.entries()) {
    const patch = await toPixels(context, await sharpOfEncoded(stillOf(png, apng, frame), context))
    canvas ??= filled(apng.width, apng.height, transparent, isOpaque(apng, patch) ? 3 : 4)
    const before = frame.dispose === 'previous' && index > 0 ? cut(canvas, frame) : undefined
    await draw(canvas, patch, frame)
    seen.push({ ...canvas, data: Buffer.from(canvas.data) })
    if (before) put(canvas, before, frame)
    // "Previous" of the first frame is what was there before it: nothing.
    else if (frame.dispose !== 'none')
      put(canvas, filled(frame.width, frame.height, transparent, canvas.channels), frame)
  }
  return seen
}

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

/** Whether nothing of what is behind the first frame can ever be seen. All frames have the channels of the first. */
function isOpaque({ width, height, frames }: Apng, first: Pixels): boolean {
  const covers = first.width === width && first.height === height
  return (
    first.channels === 3 &&
    covers &&
    frames.every(({ dispose }, at) => (at === 0 ? dispose === 'none' : dispose !== 'background'))
  )
}

async function draw(canvas: Pixels, patch: Pixels, frame: ApngFrame): Promise<void> {
  if (frame.blend === 'source' && patch.channels === canvas.channels) put(canvas, patch, frame)
  else {
    if (frame.blend === 'source') put(canvas, filled(frame.width, frame.height, transparent, canvas.channels), frame)
    await layOver(canvas, patch, { x: frame.x, y: frame.y, opacity: 1 }, frame)
  }
}

/** In place: the canvas belongs to nobody else. */
function put(canvas: Pixels, patch: Pixels, { x, y }: Rectangle): void {
  const rowBytes = patch.width * patch.channels
  for (let row = 0; row < patch.height; row += 1) {
    patch.data.copy(canvas.data, ((y + row) * canvas.width + x) * canvas.channels, row * rowBytes, (row + 1) * rowBytes)
  }
}
