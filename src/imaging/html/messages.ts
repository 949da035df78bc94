/** Messages between the service and the process that draws HTML. */
import type { Frame } from '../../../shared/frames.ts'
import type { Problem } from './problem.ts'

export interface HtmlJob {
  html: string
  css: string
  width: number
  /** Undefined for the height of the content. */
  height: number | undefined
  scale: number
  background: string | undefined
  /** Pixels of the final image. */
  pixelsMax: number
  sidePixelsMax: number
  images: JobImage[]
  fonts: JobFont[]
}

/** RGBA pixels with straight alpha. */
export interface JobImage {
  /** `photo`, or `photos/2`. */
  name: string
  width: number
  height: number
  data: Buffer
}

export interface JobFont {
  id: string
  family: string
  weightMin: number
  weightMax: number
  italic: boolean
  bytes: Buffer
  characters: string
}

export type HtmlReply =
  /** RGBA pixels with straight alpha. `missing`: characters that no font has. */
  | { width: number; height: number; data: Buffer; missing: string[]; frames: Frame[] }
  | { problems: { param: 'html' | 'css'; problem: Problem }[] }
  /** The size is too large. */
  | { width: number; height: number; data?: undefined }
  /** The renderer rejected the document. */
  | { refused: string }
