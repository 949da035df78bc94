/**
 * Random numbers that are the same on every machine for one seed: xoshiro128** by Blackman and Vigna ("Scrambled
 * Linear Pseudorandom Number Generators", 2021), seeded by SplitMix32 as its authors recommend. 32-bit integers.
 */
export type Random = () => number

export function randomOf(seed: number): Random {
  const next = splitMix(seed)
  let [a, b, c, d] = [next(), next(), next(), next()]
  return () => {
    const scrambled = Math.imul(rotated(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return scrambled >>> 0
  }
}

/** A number from 0 up to, but not including, 1. */
export function shareOf(random: Random): number {
  return random() / 2 ** 32
}

/**
 * Approximately normal with mean 0 and standard deviation 1, at most 3.5 away: the sum of the four bytes of one
 * number (Irwin-Hall).
 */
export function normalOf(random: Random): number {
  const bits = random()
  return ((bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510) / bytesDeviation
}

/** Standard deviation of the sum of four bytes. */
const bytesDeviation = Math.sqrt((4 * (256 ** 2 - 1)) / 12)

/** The 32-bit SplitMix of Steele, Lea and Flood, with the finalizer of MurmurHash3. */
function splitMix(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x85ebca6b)
    mixed ^= mixed >>> 13
    mixed = Math.imul(mixed, 0xc2b2ae35)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
