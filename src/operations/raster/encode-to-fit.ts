/** The best level of which the file has at most so many bytes, in few encodes. */

export interface Fit {
  level: number
  bytes: Buffer
}

/**
 * Tries levels until one fits and the next one up does not. Bytes grow with the level as `growth` says, times a factor
 * that every try tells better; where it says nothing, or is far off, the range is halved. The same picture gives the
 * same level.
 */
export async function bestThatFits(
  { highest, growth }: { highest: number; growth?: number[] | undefined },
  bytesMax: number,
  encodeAt: (level: number) => Promise<Buffer>,
): Promise<Fit | { smallest: Buffer }> {
  let best: Fit | undefined
  let above = highest + 1
  let smallest: Buffer | undefined
  let last: { level: number; bytes: number } | undefined
  for (let tries = 0; (best?.level ?? 0) + 1 < above; tries += 1) {
    const below = best?.level ?? 0
    const guess = growth && tries < guessesMax ? guessed(growth, last, bytesMax) : Math.ceil((below + above) / 2)
    const level = Math.max(below + 1, Math.min(above - 1, guess))
    const bytes = await encodeAt(level)
    last = { level, bytes: bytes.length }
    if (bytes.length <= bytesMax) best = { level, bytes }
    else {
      above = level
      if (smallest === undefined || bytes.length < smallest.length) smallest = bytes
    }
  }
  return best ?? { smallest: smallest ?? (await encodeAt(1)) }
}

/** Guesses are right within a level or two; more of them mean that this picture is unlike those measured. */
const guessesMax = 5

/** Where sharp's own default stands: what most pictures are made with, and a good place to learn the factor from. */
const firstLevel = 80

function guessed(growth: number[], last: { level: number; bytes: number } | undefined, bytesMax: number): number {
  if (last === undefined) return firstLevel
  const wanted = growthAt(growth, last.level) * (bytesMax / last.bytes)
  let level = 1
  while (level < 100 && growthAt(growth, level + 1) <= wanted) level += 1
  // The estimate itself was tried: its neighbour decides.
  if (level !== last.level) return level
  return last.bytes <= bytesMax ? level + 1 : level - 1
}

/** Between two tenths bytes grow by a factor for each level. */
function growthAt(growth: number[], level: number): number {
  const at = Math.floor(level / 10)
  const low = growth[at] ?? 1
  const high = growth[at + 1] ?? low
  return low * (high / low) ** (level / 10 - at)
}
