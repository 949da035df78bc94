/** The area around faces that a face crop shows. */

import { type Rectangle, union } from '../../imaging/raster/region.ts'
import type { Size } from '../../imaging/raster/shape/scaled.ts'
import type { Face } from '../../local-models/faces.ts'

/** Faces smaller than this share of the main face are in the background. */
const backgroundBelow = 1 / 3

/**
 * The area of the image with the aspect ratio of `part` around the main face and all further faces that fit with it,
 * with `margin` heights of the main face on each side. The area has at least as many pixels as `part` if the image has
 * them, so the crop isn't enlarged. Whole pixels, inside the image.
 */
export function faceArea(faces: readonly Face[], image: Size, part: Size, margin: number): Rectangle {
  const aspect = part.width / part.height
  const largest = Math.min(image.width, image.height * aspect)
  const box = boxOf(faces, { width: largest, height: largest / aspect })
  const space = 2 * margin * box.mainHeight
  const wanted = Math.max(box.width + space, (box.height + space) * aspect, part.width)
  const width = Math.max(1, Math.round(Math.min(largest, wanted)))
  const height = Math.max(1, Math.min(image.height, Math.round(Math.min(largest, wanted) / aspect)))
  const start = (middle: number, length: number, room: number) =>
    Math.min(Math.max(0, Math.round(middle - length / 2)), room - length)
  return {
    x: start(box.x + box.width / 2, width, image.width),
    y: start(box.y + box.height / 2, height, image.height),
    width,
    height,
  }
}

/** The main face is the heaviest; further faces are added in the order of their weight, as far as they fit. */
function boxOf(faces: readonly Face[], largest: Size): Rectangle & { mainHeight: number } {
  const [main, ...others] = faces.toSorted((a, b) => weight(b) - weight(a))
  if (main === undefined) throw new Error('there is no face')
  let box: Rectangle = main
  for (const face of others) {
    if (face.height < main.height * backgroundBelow) continue
    const both = union(box, face)
    if (both.width <= largest.width && both.height <= largest.height) box = both
  }
  return { ...box, mainHeight: main.height }
}

function weight({ width, height, score }: Face): number {
  return width * height * score
}
