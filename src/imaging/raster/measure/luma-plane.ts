import type { Pixels } from '../../types.ts'

/** Rec. 709 luma of stored sRGB values, 0 to 255, in row order. */
export interface Luma {
  values: Float64Array
  width: number
  height: number
}

/** Luma of small opaque images: alpha is ignored. */
export function lumaOf({ data, width, height, channels }: Pixels): Luma {
  const values = new Float64Array(width * height)
  for (let pixel = 0, at = 0; pixel < values.length; pixel += 1, at += channels) {
    values[pixel] =
      0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
  }
  return { values, width, height }
}
