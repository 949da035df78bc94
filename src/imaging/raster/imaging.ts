/** The parts of imaging that services and the engine use. */
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
  /** Inspects an upload on disk; throws `invalid_request` if it is not accepted. */
  inspect(file: string, options: Omit<InspectOptions, 'pixelsMax'>): Promise<ImageFacts>
  /** An image value from the bytes of an image. */
  imageOf(bytes: Buffer, context: ImageContext): Promise<ImageValue>
  encode(image: ImageValue, settings: EncodeSettings, context: ImageContext): Promise<Encoded>
  /** A thumbnail of the image, as WebP. */
  shrink: typeof shrink
  compare: CompareImages
}

/** `jobSlots`: maximum number of concurrent image jobs in this process. Default: the number of cores. */
export function createImaging(options: { pixelsMax: number; jobSlots?: number }): Imaging {
  if (options.jobSlots !== undefined) setJobSlots(options.jobSlots)
  return {
    inspect: (file, own) => inspect(file, { ...own, pixelsMax: options.pixelsMax }),
    imageOf: imageFromBytes,
    encode,
    shrink,
    compare: (before, after, { tolerance, ...context }) =>
      compareImages(before, after, tolerance, { ...context, pixelsMax: options.pixelsMax }),
  }
}
