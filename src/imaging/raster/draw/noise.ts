/** Random textures, row by row: the same for the same seed wherever they are made. */
import { createNoise2D } from 'simplex-noise'
import type { Rows } from '../effect/box-blur.ts'
import { randomOf, shareOf } from './random.ts'

export const noises = ['perlin', 'simplex', 'value', 'white'] as const

export type NoiseKind = (typeof noises)[number]

export interface NoiseSettings {
  kind: NoiseKind
  /** Of the largest features, in px. */
  scale: number
  /** How many layers, each half as large as the one before. */
  octaves: number
  /** How strong each is, compared with the one before. */
  roughness: number
  seed: number
}

/** Values around 0.5, nearly all of them from 0 to 1. */
export function noiseRows(settings: NoiseSettings): Rows {
  return settings.kind === 'white' ? white(settings.seed) : fractal(settings, settings.kind)
}

function white(seed: number): Rows {
  const random = randomOf(seed)
  return (into) => {
    for (let x = 0; x < into.length; x += 1) into[x] = shareOf(random)
  }
}

/** Adds one octave of row `y` to what is there. */
type Layer = (y: number, into: Float32Array) => void

type LayerMaker = (size: number, strength: number, seed: number) => Layer

/** Deviations of one octave of strength 1, measured. */
const layers: Record<Exclude<NoiseKind, 'white'>, { make: LayerMaker; deviation: number }> = {
  perlin: { make: perlin, deviation: 0.2155 },
  simplex: { make: simplex, deviation: 0.4429 },
  value: { make: value, deviation: 0.4526 },
}

/** Of the whole range: so that little is cut at its ends, however many octaves there are. */
const deviation = 0.2

function fractal({ scale, octaves, roughness, seed }: NoiseSettings, kind: Exclude<NoiseKind, 'white'>): Rows {
  // Features smaller than a pixel are none.
  const seen = Math.min(octaves, 1 + Math.floor(Math.log2(scale)))
  const strengths = Array.from({ length: seen }, (_, octave) => roughness ** octave)
  // Layers that know nothing of each other add up as the squares of their deviations do.
  const sum = Math.hypot(...strengths) * layers[kind].deviation
  const parts = strengths.map((strength, octave) =>
    layers[kind].make(scale / 2 ** octave, (strength * deviation) / sum, seed + octave * 0x9e3779b1),
  )
  let y = 0
  return (into) => {
    into.fill(0.5)
    for (const part of parts) part(y, into)
    y += 1
  }
}

/** Gradient noise on a lattice: Perlin, "Improving Noise" (2002), with 64 even directions in place of twelve. */
function perlin(size: number, strength: number, seed: number): Layer {
  return lattice(size, seed, (hash, x, y, line) => {
    const at = (hash & 63) * 2
    const dx = (directions[at] as number) * strength
    line.start = (directions[at + 1] as number) * strength * y - dx * x
    line.slope = dx
  })
}

const directions = Float64Array.from({ length: 128 }, (_, at) => {
  const angle = ((at >> 1) * Math.PI) / 32
  return at % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
})

/** Random values on a lattice. */
function value(size: number, strength: number, seed: number): Layer {
  return lattice(size, seed, (hash, _x, _y, line) => {
    line.start = (hash / 2 ** 31 - 1) * strength
    line.slope = 0
  })
}

/** What a corner gives along a row of its cell: start + slope * place, from the left corner (0) to the right one (1). */
interface Line {
  start: number
  slope: number
}

/** The line of a corner which lies `x` to the right of the left one, seen from `y` below it. */
type Corner = (hash: number, x: number, y: number, line: Line) => void

function lattice(size: number, seed: number, corner: Corner): Layer {
  const [left, right] = [
    { start: 0, slope: 0 },
    { start: 0, slope: 0 },
  ]
  const lower = { start: 0, slope: 0 }
  return (y, into) => {
    const row = (y + 0.5) / size
    const top = Math.floor(row)
    const share = fade(row - top)
    // Both corners of a side, mixed as far down as the row lies.
    const mixSide = (column: number, place: number, side: Line) => {
      corner(hashOf(column, top, seed), place, row - top, side)
      corner(hashOf(column, top + 1, seed), place, row - top - 1, lower)
      side.start += (lower.start - side.start) * share
      side.slope += (lower.slope - side.slope) * share
    }
    for (let column = 0, x = 0; x < into.length; column += 1) {
      const end = Math.min(into.length, Math.ceil((column + 1) * size - 0.5))
      if (x === end) continue
      mixSide(column, 0, left)
      mixSide(column + 1, 1, right)
      for (; x < end; x += 1) {
        const place = (x + 0.5) / size - column
        const first = left.start + left.slope * place
        const second = right.start + right.slope * place
        into[x] = (into[x] as number) + first + (second - first) * fade(place)
      }
    }
  }
}

/** 6 t^5 - 15 t^4 + 10 t^3: level in its slope and its curvature at both corners. */
function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10)
}

/** 32 bits for a place, by the finalizer of MurmurHash3. */
function hashOf(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function simplex(size: number, strength: number, seed: number): Layer {
  const random = randomOf(seed)
  const noise = createNoise2D(() => shareOf(random))
  // Its triangles have sides of the root of 2 / 3: as large as the squares of the others.
  const unit = size * Math.sqrt(1.5)
  return (y, into) => {
    for (let x = 0; x < into.length; x += 1)
      into[x] = (into[x] as number) + noise((x + 0.5) / unit, (y + 0.5) / unit) * strength
  }
}
