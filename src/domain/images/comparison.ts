/** The difference of two images, pixel by pixel, as they are displayed. */
export interface ImageComparison {
  /** False if their sizes or numbers of frames differ. The other fields are null then. */
  sameSize: boolean
  /** The share of pixels that differ by more than the tolerance, 0 to 1. */
  differing: number | null
  /** The largest difference of a channel, 0 to 255. */
  maxDifference: number | null
  /** Peak signal-to-noise ratio in dB. Null if nothing differs. */
  psnr: number | null
  /** A PNG of the differences; for an animation, of the frame that differs most. */
  differenceImage?(): Promise<Buffer>
}

/** Compares two images: the bytes as they are served. */
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
