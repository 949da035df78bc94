/** Encodes animations: GIF and WebP with libvips, which takes all frames as one tall image; PNG frame by frame. */
import type { EncodeSettings, OutputFormat } from '../../../domain/workflows/output.ts'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Animation, ImageMetadata, ImageValue, Pixels } from '../../types.ts'
import { isTransparent, toRgba } from '../channels.ts'
import { type ImageContext, pixelsOf } from '../image.ts'
import { mapSome } from '../map-some.ts'
import { roundedDelays } from '../read/delays.ts'
import { framesOf } from '../read/frames.ts'
import { eachBand } from '../rows.ts'
import { loadSharp, type Sharp } from '../sharp.ts'
import { writeApng } from './apng-write.ts'

/** Other formats take the first frame. */
export function keepsFrames(format: OutputFormat): boolean {
  return format === 'gif' || format === 'webp' || format === 'png'
}

/** An image, or the frames of an animation stacked vertically. */
export interface Strip extends Pixels {
  playing?: { frameHeight: number; delaysMs: number[]; loops: number }
}

/** A sharp instance over pixels, with the delays of the frames. */
export async function strip({ data, width, height, channels, playing }: Strip): Promise<Sharp> {
  const sharp = await loadSharp()
  const raw = { width, height, channels, ...(playing ? { pageHeight: playing.frameHeight } : {}) }
  const image = sharp(data, { raw, limitInputPixels: false })
  if (playing === undefined) return image
  // sharp keeps these options for whichever format is requested later. With dither at one half, gradients are smooth
  // and static areas do not flicker.
  return image.gif({ loop: playing.loops, delay: playing.delaysMs, dither: 0.5, interFrameMaxError: 4 })
}

/** `encode` encodes pixels; its argument says whether any of them is transparent. */
export async function encodeAnimation(
  image: ImageValue,
  { delaysMs, loops }: Animation,
  format: OutputFormat,
  encode: (pixels: Strip, transparent: boolean) => Promise<Buffer>,
  context: ImageContext,
): Promise<Buffer> {
  checkDelays(delaysMs)
  const decoded = await mapSome(await framesOf(image, context), context.signal, (frame) => pixelsOf(frame, context))
  const { frames, transparent } = await alike(decoded, context)
  if (format === 'png') return writeApng(frames, { delaysMs, loops }, (pixels) => encode(pixels, transparent), context)
  const { width, height, channels } = frames[0] ?? { width: 0, height: 0, channels: 3 }
  const data = await joined(frames, context)
  // GIF delays are in hundredths of a second.
  const playing = { frameHeight: height, delaysMs: format === 'gif' ? roundedDelays(delaysMs, 10) : delaysMs, loops }
  return encode({ data, width, height: height * frames.length, channels, playing }, transparent)
}

/** All frames with the same channels. */
async function alike(frames: Pixels[], context: ImageContext): Promise<{ frames: Pixels[]; transparent: boolean }> {
  let transparent = false
  await mapSome(frames, context.signal, async (frame) => {
    // Not `||= await`, which would write back the value from before the wait.
    if (isTransparent(frame)) transparent = true
  })
  if (frames.every(({ channels }) => channels === frames[0]?.channels)) return { frames, transparent }
  const wide = await mapSome(frames, context.signal, async (frame) =>
    frame.channels === 4 ? frame : toRgba(frame, context),
  )
  return { frames: wide, transparent }
}

/** All frames in one buffer; if they came from one buffer unchanged, that buffer. */
async function joined(frames: Pixels[], context: ImageContext): Promise<Buffer> {
  const [first] = frames.map(({ data }) => data)
  if (first === undefined) return Buffer.alloc(0)
  const { buffer, byteOffset, length } = first
  if (frames.every(({ data }, at) => data.buffer === buffer && data.byteOffset === byteOffset + at * length)) {
    return Buffer.from(buffer, byteOffset, length * frames.length)
  }
  const all = Buffer.allocUnsafe(length * frames.length)
  await mapSome(frames, context.signal, async (frame, at) => {
    const rowBytes = frame.width * frame.channels
    await eachBand(frame, context, (top, bottom) => {
      frame.data.copy(all, at * length + top * rowBytes, top * rowBytes, bottom * rowBytes)
    })
  })
  return all
}

function checkDelays(delaysMs: number[]): void {
  const at = delaysMs.findIndex((delay) => delay > limits.frameMsMax)
  if (at === -1) return
  throw failure(
    'limit_exceeded',
    `Frame ${at + 1} lasts ${delaysMs[at]} ms; the maximum is ${limits.frameMsMax} ms. Set a shorter delay.`,
  )
}

/** Settings for an animation; throws for settings that only stills support. `at`: the path of the output in the document. */
export function settingsOf(
  format: OutputFormat,
  settings: EncodeSettings,
  fileMetadata: ImageMetadata = {},
  at = 'output',
): EncodeSettings {
  const refuse = (option: string, why: string) => {
    const message = `${why}. Remove it, or select one frame with a "frames" node.`
    const path = `${at}.${option}`
    return failure('input_invalid', `"${path}" ${message}`, { issues: [{ path, message }] })
  }
  const { metadata, lossless, maxBytes } = settings
  if (metadata === 'keep' && (fileMetadata.exif || fileMetadata.xmp || fileMetadata.iptc)) {
    throw refuse('metadata', 'is "keep", which only still images support, but the source has metadata')
  }
  if (format === 'png' && lossless === false) {
    throw refuse('lossless', 'is false, which an animated PNG does not support: all frames would share one palette')
  }
  if (format === 'png' && maxBytes !== undefined) {
    throw refuse('maxBytes', 'is not supported for an animated PNG, only for WebP and GIF')
  }
  const density = settings.density ?? (metadata === 'keep' ? fileMetadata.density : undefined)
  return { ...settings, metadata: 'strip', ...(density && { density }) }
}
