/** Finds the highest quality that fits a maximum file size, in few encodes. */

export interface Fit {
  level: number
  bytes: Buffer
}

/**
 * Tries levels until one fits and the next higher one does not. Sizes are assumed to grow with the level as in
 * `growth`, and every attempt corrects this estimate for the image; if the estimate is useless or far off, the range
 * is halved. The same image always gets the same level.
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
    // Estimates that repeatedly end on the same side go further each time, up to the middle.
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

/** The default of sharp: most images use it, and it is a good first attempt. */
const firstLevel = 80

function guessed(growth: number[], best: Fit | undefined, over: Fit | undefined, bytesMax: number): number {
  const known = best ?? over
  if (known === undefined) return firstLevel
  // Size as a power of the growth: through both points if there are two, otherwise the first power.
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

/** Growth: between two tenths, sizes grow by a constant factor per level. */
function growthAt(growth: number[], level: number): number {
  const at = Math.floor(level / 10)
  const low = growth[at] ?? 1
  const high = growth[at + 1] ?? low
  return low * (high / low) ** (level / 10 - at)
}
