/** Random textures, row by row; the same for the same seed on every machine. */
import { createNoise2D } from 'simplex-noise'
import type { Rows } from '../effect/box-blur.ts'
import { randomOf, shareOf } from './random.ts'

export const noises = ['perlin', 'simplex', 'value', 'white'] as const

export type NoiseKind = (typeof noises)[number]

export interface NoiseSettings {
  kind: NoiseKind
  /** Size of the largest features, in px. */
  scale: number
  /** Number of layers; each has features half as large as the previous one. */
  octaves: number
  /** Strength of each layer, relative to the previous one. */
  roughness: number
  seed: number
}

/** Values around 0.5, nearly all between 0 and 1. */
export function noiseRows(settings: NoiseSettings): Rows {
  return settings.kind === 'white' ? white(settings.seed) : fractal(settings, settings.kind)
}

function white(seed: number): Rows {
  const random = randomOf(seed)
  return (into) => {
    for (let x = 0; x < into.length; x += 1) into[x] = shareOf(random)
  }
}

/** Adds one octave of row `y` to the values. */
type Layer = (y: number, into: Float32Array) => void

type LayerMaker = (size: number, strength: number, seed: number) => Layer

/** Measured standard deviations of one octave of strength 1. */
const layers: Record<Exclude<NoiseKind, 'white'>, { make: LayerMaker; deviation: number }> = {
  perlin: { make: perlin, deviation: 0.2155 },
  simplex: { make: simplex, deviation: 0.4429 },
  value: { make: value, deviation: 0.4526 },
}

/** Share of the full range, chosen so that few values are clipped with any number of octaves. */
const deviation = 0.2

function fractal({ scale, octaves, roughness, seed }: NoiseSettings, kind: Exclude<NoiseKind, 'white'>): Rows {
  // Features smaller than a pixel are omitted.
  const visibleOctaves = Math.min(octaves, 1 + Math.floor(Math.log2(scale)))
  const strengths = Array.from({ length: visibleOctaves }, (_, octave) => roughness ** octave)
  // Variances of independent layers add up.
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

/**
 * Gradient noise on a lattice: Perlin, "Improving Noise" (2002), with 64 evenly spaced directions instead of twelve.
 */
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

/**
 * The contribution of a corner along a row of its cell: start + slope * position, from the left corner (0) to the
 * right one (1).
 */
interface Line {
  start: number
  slope: number
}

/** The contribution of a corner that lies `x` to the right of the left one, for a row `y` below it. */
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
    // Both corners of a side, mixed by the row's position between them.
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

/** 6 t^5 - 15 t^4 + 10 t^3: slope and curvature are 0 at both corners. */
function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10)
}

/** A 32-bit hash of a position, with the finalizer of MurmurHash3. */
function hashOf(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function simplex(size: number, strength: number, seed: number): Layer {
  const random = randomOf(seed)
  const noise = createNoise2D(() => shareOf(random))
  // The sides of its triangles are sqrt(2 / 3): as large as the squares of the other kinds.
  const unit = size * Math.sqrt(1.5)
  return (y, into) => {
    for (let x = 0; x < into.length; x += 1)
      into[x] = (into[x] as number) + noise((x + 0.5) / unit, (y + 0.5) / unit) * strength
  }
}
