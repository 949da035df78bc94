/**
 * sharp works in a fixed order, independent of the order of calls (sharp 0.35, src/pipeline.cc). This table has the
 * stages that can share a call so that every pixel is the same as with separate calls. pipeline.test.ts checks it
 * with random chains.
 */
import type { Stage } from '../types.ts'

/** Properties of a stage in addition to its position. */
interface Nature {
  /** Mixes neighbouring pixels; sharp premultiplies images with alpha for it. */
  mixes?: boolean
  /** Only moves pixels, so premultiplication does not matter. */
  moves?: boolean
  /** Adds alpha to an image without alpha, in the middle of the premultiplied range. */
  addsAlpha?: boolean
  /** Returns values that are not integers: nothing may follow. */
  ends?: boolean
  /** Rounds values that are not integers as a separate call would. */
  cuts?: boolean
}

function stage(name: string, first: number, last: number, nature: Nature = {}): PlacedStage {
  const placed: PlacedStage = {
    name,
    first,
    last,
    ...nature,
    follows: (before, hasAlpha) => mayFollow(before as readonly PlacedStage[], placed, hasAlpha),
  }
  return placed
}

interface PlacedStage extends Stage, Nature {
  first: number
  last: number
}

/** Range of stages in which pixels are premultiplied if the image has alpha and a stage mixes them. */
const mixing = { first: 10, last: 27 }

export const stages = {
  resize: stage('resize', 10, 10, { mixes: true }),
  /** A resize with padding that is not opaque. */
  resizeInFrame: stage('resize', 10, 10, { mixes: true, addsAlpha: true }),
  flip: stage('flip', 11, 12, { moves: true }),
  quarterTurn: stage('quarter turn', 13, 13, { moves: true }),
  extend: stage('extend', 17, 17),
  extendClear: stage('extend', 17, 17, { addsAlpha: true }),
  blur: stage('blur', 22, 22, { mixes: true }),
  /** The fast variant, a convolution. */
  sharpen: stage('sharpen', 27, 27, { mixes: true, ends: true }),
  /** The conversion to the profile of the output. */
  profile: stage('profile', 41, 41),
  negate: stage('negate', 42, 42),
  encode: stage('encode', 99, 99, { cuts: true }),
  /** TIFF can store any number format, including values that are not integers. */
  encodeTiff: stage('encode', 99, 99),
}

function mayFollow(before: readonly PlacedStage[], next: PlacedStage, hasAlpha: boolean): boolean {
  const previous = before.at(-1)
  if (previous === undefined) return true
  if ((previous.ends && !next.cuts) || next.first <= previous.last) return false
  // sharp rotates and flips between the scaling and the cropping of a resize.
  if (next.moves && before.some(({ first }) => first === stages.resize.first)) return false
  if (next.first > mixing.last) return true
  if (before.some(({ addsAlpha }) => addsAlpha)) return next.moves === true
  if (!hasAlpha || next.moves) return true
  const inMixing = before.filter(({ first, moves }) => first >= mixing.first && first <= mixing.last && !moves)
  return next.mixes ? inMixing.length === 0 : !inMixing.some(({ mixes }) => mixes)
}
