/**
 * The order in which sharp works, whatever the order of calls (sharp 0.35, src/pipeline.cc), and what of it may share one
 * call so that every pixel is that of one call after the other. pipeline.test.ts holds it to that over random chains.
 */
import type { Stage } from '../types.ts'

/** What counts of a stage besides its place. */
interface Nature {
  /** Mixes neighbouring pixels, for which sharp premultiplies pictures that have alpha. */
  mixes?: boolean
  /** Only moves pixels, so it matters nothing whether they are premultiplied. */
  moves?: boolean
  /** Gives alpha to a picture that had none, in the middle of what would have to be premultiplied. */
  addsAlpha?: boolean
  /** Leaves values that are not whole numbers: nothing may follow. */
  ends?: boolean
  /** Takes values that are not whole as they would be cut in between. */
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

/** Between these, pixels are premultiplied when the picture has alpha and something mixes them. */
const mixing = { first: 10, last: 27 }

export const stages = {
  resize: stage('resize', 10, 10, { mixes: true }),
  /** With a frame that is not opaque. */
  resizeInFrame: stage('resize', 10, 10, { mixes: true, addsAlpha: true }),
  flip: stage('flip', 11, 12, { moves: true }),
  quarterTurn: stage('quarter turn', 13, 13, { moves: true }),
  extend: stage('extend', 17, 17),
  extendClear: stage('extend', 17, 17, { addsAlpha: true }),
  blur: stage('blur', 22, 22, { mixes: true }),
  /** The quick one, a convolution. */
  sharpen: stage('sharpen', 27, 27, { mixes: true, ends: true }),
  /** The conversion to the profile of the output. */
  profile: stage('profile', 41, 41),
  negate: stage('negate', 42, 42),
  encode: stage('encode', 99, 99, { cuts: true }),
  /** TIFF holds numbers of any kind, and would hold those that are not whole. */
  encodeTiff: stage('encode', 99, 99),
}

function mayFollow(before: readonly PlacedStage[], next: PlacedStage, hasAlpha: boolean): boolean {
  const previous = before.at(-1)
  if (previous === undefined) return true
  if ((previous.ends && !next.cuts) || next.first <= previous.last) return false
  // sharp turns and flips between the scaling and the cropping of a resize.
  if (next.moves && before.some(({ first }) => first === stages.resize.first)) return false
  if (next.first > mixing.last) return true
  if (before.some(({ addsAlpha }) => addsAlpha)) return next.moves === true
  if (!hasAlpha || next.moves) return true
  const inMixing = before.filter(({ first, moves }) => first >= mixing.first && first <= mixing.last && !moves)
  return next.mixes ? inMixing.length === 0 : !inMixing.some(({ mixes }) => mixes)
}
