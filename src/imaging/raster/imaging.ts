/** What the composition root hands to the services and the engine. */
import type { CompareImages } from '../../domain/comparison.ts'
import type { ImageFacts } from '../../domain/image.ts'
import type { EncodeSettings } from '../../domain/output.ts'
import type { ImageValue } from '../types.ts'
import { type ImageContext, imageFromBytes } from './image.ts'
import { setJobSlots } from './jobs.ts'
import { compareImages } from './measure/compare.ts'
import { type InspectOptions, inspect } from './read/inspect.ts'
import { type Encoded, encode } from './write/encode.ts'
import { shrink } from './write/shrink.ts'

export interface Imaging {
  /** Looks at an upload on disk; throws `invalid_request` for what is not accepted. */
  inspect(file: string, options: Omit<InspectOptions, 'pixelsMax'>): Promise<ImageFacts>
  /** A picture from the bytes of an image. */
  pictureOf(bytes: Buffer, context: ImageContext): Promise<ImageValue>
  encode(picture: ImageValue, settings: EncodeSettings, context: ImageContext): Promise<Encoded>
  /** A small picture of it, as WebP. */
  shrink: typeof shrink
  compare: CompareImages
}

/** `jobSlots`: how many image jobs run at once in this process; default: the number of cores. */
export function createImaging(options: { pixelsMax: number; jobSlots?: number }): Imaging {
  if (options.jobSlots !== undefined) setJobSlots(options.jobSlots)
  return {
    inspect: (file, own) => inspect(file, { ...own, pixelsMax: options.pixelsMax }),
    pictureOf: imageFromBytes,
    encode,
    shrink,
    compare: (before, after, { tolerance, ...context }) =>
      compareImages(before, after, tolerance, { ...context, pixelsMax: options.pixelsMax }),
  }
}
