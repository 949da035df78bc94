/** Random numbers that a seed repeats. */
export interface Random {
  /** An integer from 0 to below `end`. */
  below(end: number): number
  /** A number from `from` to below `to`. */
  between(from: number, to: number): number
  pick<T>(among: readonly T[]): T
  bytes(count: number): Buffer
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    between: (from, to) => from + next() * (to - from),
    pick<T>(among: readonly T[]) {
      if (among.length === 0) throw new Error('nothing to pick from')
      return among[below(among.length)] as T
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  }
}
