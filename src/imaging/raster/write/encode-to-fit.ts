/** The best level of which the file has at most so many bytes, in few encodes. */

export interface Fit {
  level: number
  bytes: Buffer
}

/**
 * Tries levels until one fits and the next one up does not. Bytes are taken to grow with the level as `growth` says, and
 * every try tells better how this picture differs from that; where it says nothing, or is far off, the range is halved.
 * The same picture always gives the same level.
 */
export async function bestThatFits(
  { highest, growth }: { highest: number; growth?: number[] | undefined },
  bytesMax: number,
  encodeAt: (level: number) => Promise<Buffer>,
): Promise<Fit | { smallest: Buffer }> {
  let best: Fit | undefined
  let over: Fit | undefined
  let before: boolean | undefined
  let step = 1
  while ((best?.level ?? 0) + 1 < (over?.level ?? highest + 1)) {
    const [below, above] = [best?.level ?? 0, over?.level ?? highest + 1]
    const middle = Math.ceil((below + above) / 2)
    const guess = growth ? guessed(growth, best, over, bytesMax) : middle
    // Guesses that keep ending on one side go further each time, but not past the middle.
    const level =
      before === undefined
        ? Math.min(guess, highest)
        : before
          ? Math.min(above - 1, Math.max(guess, Math.min(below + step, middle)))
          : Math.max(below + 1, Math.min(guess, Math.max(above - step, middle)))
    const bytes = await encodeAt(level)
    const fits = bytes.length <= bytesMax
    if (fits) best = { level, bytes }
    else over = { level, bytes }
    step = fits === before ? step * 2 : 1
    before = fits
  }
  return best ?? { smallest: over?.bytes ?? (await encodeAt(1)) }
}

/** Where sharp's own default stands: what most pictures are made with, and a good place to learn from. */
const firstLevel = 80

function guessed(growth: number[], best: Fit | undefined, over: Fit | undefined, bytesMax: number): number {
  const known = best ?? over
  if (known === undefined) return firstLevel
  // Bytes as a power of the growth: through both points where there are two, else the first power.
  const power =
    best && over
      ? Math.log(over.bytes.length / best.bytes.length) /
        Math.log(growthAt(growth, over.level) / growthAt(growth, best.level))
      : 1
  const wanted = growthAt(growth, known.level) * (bytesMax / known.bytes.length) ** (1 / power)
  let level = 1
  while (level < 100 && growthAt(growth, level + 1) <= wanted) level += 1
  return level
}

/** Between two tenths bytes grow by the same factor with each level. */
function growthAt(growth: number[], level: number): number {
  const at = Math.floor(level / 10)
  const low = growth[at] ?? 1
  const high = growth[at + 1] ?? low
  return low * (high / low) ** (level / 10 - at)
}
