/** Image values, stages of sharp and the context of image work: shared by imaging, local models, operations and the engine. */

import type { MadeFrom } from '../domain/credentials/made-from.ts'
import type { ImageFormat } from '../domain/images/image.ts'
import type { Origin } from '../domain/images/origin.ts'
import type { Processes } from '../processes/processes.ts'
import type { Sharp } from './raster/sharp.ts'

/** Pixels at rest: 8 bits a channel, sRGB, rows without padding; the fourth channel is straight (not premultiplied) alpha. */
export interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 3 | 4
}

/**
 * An image on its way between steps: pixels, or `encoded` bytes that are decoded on first use (`raster/image.ts`), or both
 * after decoding. Immutable: an operation returns a new one. Readers that ignore `animation` see the first frame.
 */
export interface ImageValue {
  /** Pixels, after EXIF orientation. */
  width: number
  height: number
  hasAlpha: boolean
  /** The format of its file; `raw` for the result of an operation. */
  format: ImageFormat | 'raw'
  encoded?: Buffer
  /** The page of `encoded`, if it is a PDF. */
  pdfPage?: PdfPage
  /** Memory in bytes that the decoder needs for `encoded`, in addition to the pixels. */
  decodingBytes?: number
  /** Whether sharp alone doesn't return the pixels of `encoded`: they are converted, or drawn on a canvas (`raster/image.ts`). */
  isIndirect?: boolean
  /** Whether `encoded` is 8-bit RGB: only then later stages of the sharp call that decodes it see the pixels that `pixelsOf` returns. */
  isRgb8?: boolean
  pixels?: Pixels
  /** Undefined for fewer than two frames. */
  animation?: Animation
  /** Metadata of the source file. The engine copies it from the first input to the result. */
  metadata?: ImageMetadata
  /**
   * Gain map of an HDR photo whose colors did not change. An operation that crops or turns moves it
   * (`raster/shape/move-gain-map.ts`).
   */
  gainMap?: GainMap
  /** Undefined if no known AI model made any of its pixels. The engine derives it from the inputs of an operation. */
  origin?: Origin
  /** Undefined for an image that was drawn without a model or a source. The engine joins those of the inputs. */
  madeFrom?: MadeFrom
  /** Work that one sharp call will do to make the pixels; set instead of `pixels` and `encoded`. */
  pending?: { from: ImageValue; queue: StageWork[] }
}

/** A position in sharp's fixed order of work. `raster/stages.ts` decides which stages may share a call. */
export interface Stage {
  name: string
  /** Whether it may join a call with these stages without changing a pixel. `hasAlpha`: of the image at the start of the call. */
  follows(before: readonly Stage[], hasAlpha: boolean): boolean
}

/** A stage with its values, and the size and alpha of its result. */
export interface StageWork {
  stage: Stage
  width: number
  height: number
  hasAlpha: boolean
  /** Whether it starts from the bytes of an encoded image instead of its pixels, to decode no more than it needs. */
  fromBytes?: boolean
  apply(image: Sharp): void
}

/** A page, and the resolution that determines its natural size. */
export interface PdfPage {
  /** Page number, from 1. */
  number: number
  dpi: number
}

/** Metadata of a file, for outputs that keep it. */
export interface ImageMetadata {
  exif?: Buffer
  xmp?: Buffer
  iptc?: Buffer
  /** RGB profiles only. */
  icc?: Buffer
  /** Pixels per inch. */
  density?: number
}

/** How much brighter than white the parts of an HDR photo are: a second, smaller image. */
export interface GainMap {
  /** The entire map of the source. */
  jpeg: Buffer
  width: number
  height: number
  /**
   * Matrix from a place in the image to one in the map, both from 0 to 1: `(xx * u + xy * v + x, yx * u + yy * v + y)`.
   * Either xx and yy, or xy and yx are 0.
   */
  toMap: { xx: number; xy: number; yx: number; yy: number; x: number; y: number }
}

/** Frames of one size: decoded `frames`, or the `encoded` bytes of all frames, decoded on first use (`raster/read/frames.ts`). */
export interface Animation {
  /** The duration of each frame. */
  delaysMs: number[]
  /** How often the animation plays; 0 for endlessly. */
  loops: number
  encoded?: Buffer
  /** Still images. */
  frames?: ImageValue[]
}

/** The part of an execution's context that image work uses. `OperationContext` extends it. */
export interface ImagingContext {
  /** Whether the plan fuses this step with its only reader: the result may stay `pending`. */
  mayStayPending?: boolean
  /** Decisions that the first frame of an animation made for all frames (`raster/decide-once.ts`). */
  decisions?: Map<string, Promise<unknown>>
  /** Aborts when the execution is cancelled, has passed its deadline, or another step has failed. */
  signal: AbortSignal
  /** Seconds until the deadline; more than 0. */
  secondsLeft(): number
  /** The processes for work on files that are not trusted. */
  processes: Processes
  /** The maximum number of pixels of an image; set by the operator. */
  pixelsMax: number
  /** The account of the execution: accounts alternate for image jobs (`raster/jobs.ts`). */
  account?: string | undefined
  /** Pixels of the largest image that the step works on. */
  pixels?: number | undefined
  /** Waits until a job may use this much memory in addition to the pixels of its result. */
  reserve?: ((bytes: number, signal: AbortSignal) => Promise<() => void>) | undefined
  /** The path in the document of the output that is encoded, for messages. Default: `output`. */
  outputPath?: string | undefined
  /** Notes a problem of a result that can be used, for the caller. */
  warn?: ((warning: string) => void) | undefined
  /** Whether frames of texts report the positions of a caret. */
  placesCarets?: boolean | undefined
  /** The fonts that the account uploaded. */
  fonts?: (() => Promise<AccountFont[]>) | undefined
}

/** A font file that an account uploaded. */
export interface AccountFont {
  id: string
  accountId: string
  family: string
  /** 100 to 900; equal to `weightMax` unless the font is variable. */
  weightMin: number
  weightMax: number
  italic: boolean
  read(): Promise<Buffer>
  /** The characters that it has, as written by `formatCoverage`. */
  characters(): Promise<string>
}
