/** Finds faces. */

import { sharpOf, toPixels } from '../imaging/raster/image.ts'
import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Pixels } from '../imaging/types.ts'
import { facesSide, facesSsd } from './faces-ssd.ts'
import { runModel } from './runner.ts'

/** In pixels of the image. */
export interface Face {
  x: number
  y: number
  width: number
  height: number
  /** Confidence of the model, 0 to 1. */
  score: number
}

/**
 * Boxes larger than this share of the image are rejected: the model takes a cat that fills the image for a face, at
 * 0.93.
 */
const largestPart = 0.6

/** Overlap (intersection over union) at which two boxes are one face. */
const sameFrom = 0.5

/** Sorted by confidence in descending order. */
export async function facesOf(pixels: Pixels, scoreMin: number, context: JobContext): Promise<Face[]> {
  const scale = facesSide / Math.max(pixels.width, pixels.height)
  const [width, height] = [pixels.width, pixels.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  const fitted = (await sharpOf(pixels)).flatten({ background: '#fff' }).resize(width, height, { fit: 'fill' })
  const small = await toPixels(context, fitted)
  const square = (await sharpOf(small)).extend({
    right: facesSide - width,
    bottom: facesSide - height,
    background: '#000',
  })
  const { boxes, scores } = await runModel(facesSsd, 'boxes', await toPixels(context, square), context)
  if (boxes === undefined || scores === undefined) throw new Error('the model gave no boxes')
  const found: Face[] = []
  for (const [at, score] of scores.data.entries()) {
    if (score < scoreMin) continue
    const [top = 0, left = 0, bottom = 0, right = 0] = boxes.data.subarray(4 * at, 4 * at + 4)
    const face = within(pixels, { top, left, bottom, right }, facesSide / scale, score)
    if (face.width > 0 && face.height > 0) found.push(face)
  }
  const largest = pixels.width * pixels.height * largestPart
  return suppressOverlaps(found).filter((face) => face.width * face.height <= largest)
}

interface Box {
  top: number
  left: number
  bottom: number
  right: number
}

/** Converts shares of a square of `side` to whole pixels, clipped at the edges of the image. */
function within({ width, height }: Pixels, { top, left, bottom, right }: Box, side: number, score: number): Face {
  const pixel = (part: number, length: number) => Math.round(Math.max(0, Math.min(length, part * side)))
  const [x, y] = [pixel(left, width), pixel(top, height)]
  return { x, y, width: pixel(right, width) - x, height: pixel(bottom, height) - y, score }
}

/** Keeps the box with the highest confidence for each face (non-maximum suppression). */
export function suppressOverlaps(faces: Face[]): Face[] {
  const accepted: Face[] = []
  for (const face of faces.sort((a, b) => b.score - a.score)) {
    if (accepted.every((other) => overlap(face, other) <= sameFrom)) accepted.push(face)
  }
  return accepted
}

function overlap(a: Face, b: Face): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  const shared = Math.max(0, wide) * Math.max(0, high)
  return shared / (a.width * a.height + b.width * b.height - shared)
}
