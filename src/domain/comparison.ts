/** How two images differ, pixel by pixel, as they are seen. */
export interface ImageComparison {
  /** False where they have other sizes or numbers of frames; then nothing else is known. */
  sameSize: boolean
  /** The share of pixels that differ by more than the tolerance, 0 to 1. */
  differing: number | null
  /** The largest difference of a channel, 0 to 255. */
  maxDifference: number | null
  /** Peak signal to noise, in dB; null where nothing differs. */
  psnr: number | null
  /** A PNG of where they differ; of an animation, the frame that differs most. */
  shown?(): Promise<Buffer>
}

/** Of two images: the bytes as they would be served. */
export type CompareImages = (
  before: Buffer,
  after: Buffer,
  options: {
    tolerance: number
    signal: AbortSignal
    secondsLeft(): number
    account?: string | undefined
    /** Waits until this much memory is available. */
    reserve?: (bytes: number, signal: AbortSignal) => Promise<() => void>
  },
) => Promise<ImageComparison>
