/** Describes the difference between two images. */
import type { ImageComparison } from '../domain/images/comparison.ts'

export interface Facts {
  width: number
  height: number
  format: string
  file: { size: number }
}

export function sizeText({ width, height, format, file }: Facts): string {
  return `${width} x ${height} ${format}, ${bytesText(file.size)}`
}

/** Whether it counts as another picture: more than this share of the pixels, or another size. */
export function differs({ sameSize, differing }: ImageComparison, share: number): boolean {
  return !sameSize || (differing ?? 0) > share
}

export function figures({ sameSize, differing, maxDifference, psnr }: ImageComparison): string[] {
  if (!sameSize) return ['another size, or another number of frames']
  if (maxDifference === 0) return []
  return [
    `${percentText(differing ?? 0)} of pixels differ, by at most ${maxDifference} of 255, PSNR ${psnr?.toFixed(1)} dB`,
  ]
}

/** Never rounds a difference to 0 %. */
export function percentText(share: number): string {
  const digits = share === 0 ? 0 : Math.max(1, Math.min(6, 2 - Math.floor(Math.log10(share * 100))))
  return `${Number((share * 100).toFixed(digits))} %`
}

function bytesText(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000).toLocaleString('en')} kB`
}
