/** The parts of imaging that services and the engine use. */
import type { CompareImages } from '../../domain/images/comparison.ts'
import type { ImageFacts } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import type { RenderedImage, Rendition } from '../../domain/images/rendition.ts'
import type { OutputEncoding } from '../../domain/workflows/output.ts'
import type { Processes } from '../../processes/processes.ts'
import type { ImageValue } from '../types.ts'
import { type ImageContext, imageFromBytes } from './image.ts'
import { setJobSlots } from './jobs.ts'
import { compareImages } from './measure/compare.ts'
import { countPixels } from './read/frames.ts'
import { type InspectOptions, inspect } from './read/inspect.ts'
import type { Encoded } from './write/encode.ts'
import { encodeAuto } from './write/encode-auto.ts'
import { bindPages, encodePage } from './write/pdf.ts'
import { placeholderOf, scaleToWidth } from './write/scale.ts'
import { imageToRender, render, shrink, thumbnailRendition } from './write/shrink.ts'

/** The processes are those of the app. */
type Context = Omit<ImageContext, 'processes'>

export interface Imaging {
  /** The settings that change its results, for cache keys. */
  settings: string
  /** Inspects an upload on disk; throws `invalid_request` if it is not accepted. */
  inspect(file: string, options: Omit<InspectOptions, 'pixelsMax' | 'processes'>): Promise<ImageFacts>
  /** An image value from the bytes of an image. */
  imageOf(bytes: Buffer, context: Context): Promise<ImageValue>
  encode(image: ImageValue, settings: OutputEncoding, context: ImageContext): Promise<Encoded>
  /** The work on `outputs`. */
  scale: typeof scaleToWidth
  placeholder: typeof placeholderOf
  encodePage: typeof encodePage
  bindPages: typeof bindPages
  /** A thumbnail of the image, as WebP. */
  shrink: typeof shrink
  /** Another size and format of the image, with the mark of its origin. */
  render: typeof render
  /** A rendition of the file of an image with these facts. Undefined: its thumbnail. */
  renderFile(
    bytes: Buffer,
    image: { width: number; height: number; origin: Origin | null },
    rendition: Rendition | undefined,
    context: Context,
  ): Promise<RenderedImage>
  compare: CompareImages
}

/**
 * `jobSlots`: maximum number of concurrent image jobs in this process. Default: the number of cores. `marksAiImages`: whether
 * images with an origin get its mark. Default: true.
 */
export function createImaging(options: {
  processes: Processes
  pixelsMax: number
  jobSlots?: number
  marksAiImages?: boolean
  /** Whether outputs and previews of an account are marked as tests. Default: none. */
  isOfTests?: ((account: string) => boolean) | undefined
}): Imaging {
  const { processes, pixelsMax, isOfTests } = options
  if (options.jobSlots !== undefined) setJobSlots(options.jobSlots)
  const toMark = options.marksAiImages === false ? ({ origin: _, ...image }: ImageValue) => image : undefined
  const withoutOrigin = (image: ImageValue): ImageValue => toMark?.(image) ?? image
  const stampsIn = ({ account }: ImageContext) => account !== undefined && isOfTests?.(account) === true
  /**
   * Uses the image as a file shows it. A mark of tests is on a copy, whose memory is reserved until `use` ends. The mark is loaded with the
   * first one, because it loads fonts.
   */
  async function asShown<Result>(
    image: ImageValue,
    context: ImageContext,
    use: (shown: ImageValue) => Promise<Result>,
  ): Promise<Result> {
    if (!stampsIn(context)) return use(withoutOrigin(image))
    const release = await context.reserve?.(countPixels(image) * 4, context.signal)
    try {
      const { stamped } = await import('../vector/stamp.ts')
      return await use(withoutOrigin(await stamped(image, context)))
    } finally {
      release?.()
    }
  }
  return {
    settings: `pixels ${pixelsMax}${toMark ? ', AI images not marked' : ''}`,
    inspect: (file, inspection) => inspect(file, { ...inspection, processes, pixelsMax }),
    imageOf: (bytes, context) => imageFromBytes(bytes, { ...context, processes }),
    encode: (image, settings, context) => asShown(image, context, (shown) => encodeAuto(shown, settings, context)),
    scale: scaleToWidth,
    placeholder: placeholderOf,
    encodePage: (image, page, settings, context) =>
      asShown(image, context, (shown) => encodePage(shown, page, settings, context)),
    bindPages: toMark ? (pages) => bindPages(pages, undefined) : bindPages,
    shrink: (image, context) => asShown(image, context, (shown) => shrink(shown, context)),
    render: (image, rendition, context) => asShown(image, context, (shown) => render(shown, rendition, context)),
    async renderFile(bytes, { origin, ...size }, rendition = thumbnailRendition, given) {
      const context = { ...given, processes }
      const image = await imageToRender(bytes, size, rendition, context)
      return render(withoutOrigin(origin ? { ...image, origin } : image), rendition, context)
    },
    compare: (before, after, { tolerance, ...context }) =>
      compareImages(before, after, tolerance, { ...context, processes, pixelsMax }),
  }
}
