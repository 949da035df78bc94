/** The view of the stage: screen = pixels of the image x zoom + offset. */
import type { Size } from '../document/geometry.ts'
import type { Point } from './shape.ts'

export interface View {
  /** Pixels of the window for one of the image. */
  zoom: number
  /** The left top of the image in the stage. */
  offset: Point
}

const zoomMin = 0.02
const zoomMax = 32
const margin = 40

/** The entire image in the middle, at most in its full size. */
export function fitted(image: Size, stage: Size): View {
  const space = { width: Math.max(stage.width - 2 * margin, 1), height: Math.max(stage.height - 2 * margin, 1) }
  return centred(image, stage, Math.min(space.width / image.width, space.height / image.height, 1))
}

export function centred(image: Size, stage: Size, zoom: number): View {
  return { zoom, offset: [(stage.width - image.width * zoom) / 2, (stage.height - image.height * zoom) / 2] }
}

/** Keeps the pixel at the position of the window in its place. */
export function zoomed({ zoom, offset }: View, factor: number, at: Point): View {
  const next = Math.min(Math.max(zoom * factor, zoomMin), zoomMax)
  const scale = next / zoom
  return { zoom: next, offset: [at[0] - (at[0] - offset[0]) * scale, at[1] - (at[1] - offset[1]) * scale] }
}

export function panned({ zoom, offset }: View, by: Point): View {
  return { zoom, offset: [offset[0] + by[0], offset[1] + by[1]] }
}

export function toScreen({ zoom, offset }: View, [x, y]: Point): Point {
  return [x * zoom + offset[0], y * zoom + offset[1]]
}
