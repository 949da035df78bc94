/** Positions and sizes on the canvas, in pixels at zoom 1. */
export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export type Box = Point & Size
