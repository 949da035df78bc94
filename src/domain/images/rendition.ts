/** A rendition: another size or format of a stored image. */
import type { ImageFormat } from './image.ts'

export const renditionFits = ['inside', 'cover', 'contain', 'fill', 'outside'] as const
export type RenditionFit = (typeof renditionFits)[number]

export interface Rendition {
  /** Pixels. Without one side, the image keeps its shape; without both, its size. Images are never enlarged, only drawings are. */
  width?: number
  height?: number
  fit: RenditionFit
  /** `default`: PNG if the image can be transparent, otherwise JPEG. */
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'default'
  /** 1 to 100. Default: that of an output. */
  quality?: number
  effort?: 'low'
}

export interface RenderedImage {
  bytes: Buffer
  format: ImageFormat
  width: number
  height: number
}
