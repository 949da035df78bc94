/** Finds faces. */

import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Rectangle } from '../imaging/raster/region.ts'
import type { Pixels } from '../imaging/types.ts'
import { facesSide, facesSsd } from './faces-ssd.ts'
import { type FittedImage, fitOf, fitted, type InputFit } from './input-fit.ts'
import { boxNumbers } from './manifest/boxes.ts'
import type { WithManifest } from './manifest/manifest-models.ts'
import { runManifestModel, runModel } from './runner.ts'

/** A box in pixels of the image. */
export interface Face extends Rectangle {
  /** Confidence of the model, 0 to 1. */
  score: number
  /** Name of its class, if the model has names. */
  label?: string
}

/**
 * Boxes larger than this share of the image are rejected: the model takes a cat that fills the image for a face, at
 * 0.93.
 */
const largestPart = 0.6

/** Overlap (intersection over union) at which two boxes are one face. */
const sameFrom = 0.5

const ssdFit: InputFit = {
  kind: 'contain',
  width: facesSide,
  height: facesSide,
  position: 'start',
  padding: '#000',
}

/** Sorted by confidence in descending order. */
export async function facesOf(pixels: Pixels, scoreMin: number, context: JobContext): Promise<Face[]> {
  const input = await fitted(pixels, ssdFit, context)
  const { boxes, scores } = await runModel(facesSsd, 'boxes', input.pixels, context)
  if (boxes === undefined || scores === undefined) throw new Error('the model gave no boxes')
  const found: Face[] = []
  // Shares of a square that has the longer side of the image.
  const side = facesSide / (facesSide / Math.max(pixels.width, pixels.height))
  const pixel = (share: number, length: number) => Math.round(Math.max(0, Math.min(length, share * side)))
  for (const [at, score] of scores.data.entries()) {
    if (score < scoreMin) continue
    const [top = 0, left = 0, bottom = 0, right = 0] = boxes.data.subarray(4 * at, 4 * at + 4)
    const [x, y] = [pixel(left, pixels.width), pixel(top, pixels.height)]
    const face = { x, y, width: pixel(right, pixels.width) - x, height: pixel(bottom, pixels.height) - y, score }
    if (face.width > 0 && face.height > 0) found.push(face)
  }
  const largest = pixels.width * pixels.height * largestPart
  return suppressOverlaps(found).filter((face) => face.width * face.height <= largest)
}

/** Faces found with a model of the operator: its boxes are final. */
export async function facesByManifest(
  pixels: Pixels,
  { model, manifest }: WithManifest<'detect'>,
  scoreMin: number,
  context: JobContext,
): Promise<Face[]> {
  const input = await fitted(pixels, fitOf(manifest), context)
  const { dims, data } = await runManifestModel(model, input.pixels, context)
  return Array.from({ length: dims[0] ?? 0 }, (_, at) => {
    const row = data.subarray(at * boxNumbers, (at + 1) * boxNumbers)
    const [left = 0, top = 0, right = 0, bottom = 0, score = 0, kind = 0] = row
    const label = manifest.labels?.[kind]
    return { ...withinImage(pixels, { left, top, right, bottom }, input), score, ...(label !== undefined && { label }) }
  }).filter(({ width, height, score }) => width > 0 && height > 0 && score >= scoreMin)
}

interface Box {
  top: number
  left: number
  bottom: number
  right: number
}

/** Converts pixels of the input to whole pixels of the image, clipped at its edges. */
function withinImage(
  { width, height }: Pixels,
  { top, left, bottom, right }: Box,
  { content }: FittedImage,
): Rectangle {
  const across = (at: number) => Math.round(Math.max(0, Math.min(width, ((at - content.x) * width) / content.width)))
  const down = (at: number) => Math.round(Math.max(0, Math.min(height, ((at - content.y) * height) / content.height)))
  const [x, y] = [across(left), down(top)]
  return { x, y, width: across(right) - x, height: down(bottom) - y }
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
