/** How animations become files: GIF and WebP by libvips, which takes all frames as one tall picture, PNG frame by frame. */
import type { EncodeSettings, OutputFormat } from '../../../domain/output.ts'
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

/** Of any other format the first frame is taken. */
export function keepsFrames(format: OutputFormat): boolean {
  return format === 'gif' || format === 'webp' || format === 'png'
}

/** A picture; or the frames of an animation, one below the other. */
export interface Strip extends Pixels {
  playing?: { frameHeight: number; delaysMs: number[]; loops: number }
}

/** A sharp instance over pixels, told when each frame is seen. */
export async function strip({ data, width, height, channels, playing }: Strip): Promise<Sharp> {
  const sharp = await loadSharp()
  const raw = { width, height, channels, ...(playing ? { pageHeight: playing.frameHeight } : {}) }
  const image = sharp(data, { raw, limitInputPixels: false })
  if (playing === undefined) return image
  // sharp keeps these for whichever of its formats is asked for later. With half of the dither, gradients are smooth and
  // what does not move stays the same from frame to frame.
  return image.gif({ loop: playing.loops, delay: playing.delaysMs, dither: 0.5, interFrameMaxError: 4 })
}

/** `encode` makes a file of pixels, of which is told whether any is transparent. */
export async function encodeAnimation(
  picture: ImageValue,
  { delaysMs, loops }: Animation,
  format: OutputFormat,
  encode: (pixels: Strip, transparent: boolean) => Promise<Buffer>,
  context: ImageContext,
): Promise<Buffer> {
  checkDelays(delaysMs)
  const decoded = await mapSome(await framesOf(picture, context), context.signal, (frame) => pixelsOf(frame, context))
  const { frames, transparent } = await alike(decoded, context)
  if (format === 'png') return writeApng(frames, { delaysMs, loops }, (pixels) => encode(pixels, transparent), context)
  const { width, height, channels } = frames[0] ?? { width: 0, height: 0, channels: 3 }
  const data = await joined(frames, context)
  // GIF counts in hundredths of a second.
  const playing = { frameHeight: height, delaysMs: format === 'gif' ? roundedDelays(delaysMs, 10) : delaysMs, loops }
  return encode({ data, width, height: height * frames.length, channels, playing }, transparent)
}

/** All frames in as many channels. */
async function alike(frames: Pixels[], context: ImageContext): Promise<{ frames: Pixels[]; transparent: boolean }> {
  let transparent = false
  await mapSome(frames, context.signal, async (frame) => {
    // Not `||= await`, which would put back what it was before the wait.
    if (await isTransparent(frame)) transparent = true
  })
  if (frames.every(({ channels }) => channels === frames[0]?.channels)) return { frames, transparent }
  const wide = await mapSome(frames, context.signal, async (frame) =>
    frame.channels === 4 ? frame : toRgba(frame, context),
  )
  return { frames: wide, transparent }
}

/** All frames in one piece of memory; where they came from one and nothing has changed them, that one. */
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
    `Frame ${at + 1} is shown for ${delaysMs[at]} milliseconds; at most ${limits.frameMsMax} can be written.`,
  )
}

/** What an animation is encoded with; refuses what only a still picture has. */
export function settingsOf(
  format: OutputFormat,
  settings: EncodeSettings,
  fileMetadata: ImageMetadata = {},
): EncodeSettings {
  const refuse = (option: string, why: string) => {
    const message = `${why}. Leave it out, or take one frame with the operation frames.`
    return failure('input_invalid', `output.${option} ${message}`, { issues: [{ path: `output.${option}`, message }] })
  }
  const { metadata, lossless, maxBytes } = settings
  if (metadata === 'keep' && (fileMetadata.exif || fileMetadata.xmp || fileMetadata.iptc)) {
    throw refuse('metadata', 'keep is for still pictures, and the source has some')
  }
  if (format === 'png' && lossless === false) {
    throw refuse('lossless', 'false is not for animated png: one palette would have to do for all frames')
  }
  if (format === 'png' && maxBytes !== undefined) {
    throw refuse('maxBytes', 'is not for animated png; webp and gif take it')
  }
  const density = settings.density ?? (metadata === 'keep' ? fileMetadata.density : undefined)
  return { ...settings, metadata: 'strip', ...(density && { density }) }
}
