/** Sets of characters as ranges: those of the bundled fonts, in `glyph-coverage.txt`, and those of each font of an account. */
import { readFile } from 'node:fs/promises'

export interface Coverage {
  has(codePoint: number): boolean
}

let loading: Promise<Coverage> | undefined

export function loadCoverage(): Promise<Coverage> {
  loading ??= readFile(new URL('glyph-coverage.txt', import.meta.url), 'utf8').then(parseCoverage)
  return loading
}

/**
 * Reads ranges in base 36: the distance of each range from the one before, and its length. Lines with `#` are comments.
 */
export function parseCoverage(text: string): Coverage {
  const words = text
    .replaceAll(/^#.*\n/gm, '')
    .trim()
    .split(/[\s,]+/)
  const numbers = words.map((number) => Number.parseInt(number, 36))
  const bounds = new Uint32Array(numbers.length)
  let at = 0
  for (const [index, number] of numbers.entries()) {
    at += number
    bounds[index] = at
  }
  return {
    // Even bounds start a range and odd ones end it.
    has(codePoint) {
      let [low, high] = [0, bounds.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((bounds[middle] ?? 0) <= codePoint) low = middle + 1
        else high = middle
      }
      return low % 2 === 1
    },
  }
}

/** The inverse of `parseCoverage`. */
export function formatCoverage(codePoints: ReadonlySet<number>): string {
  const bounds: number[] = []
  for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
    if (bounds.at(-1) === codePoint) bounds[bounds.length - 1] = codePoint + 1
    else bounds.push(codePoint, codePoint + 1)
  }
  const words = bounds.map((bound, index) => (bound - (bounds[index - 1] ?? 0)).toString(36))
  const lines = Array.from({ length: Math.ceil(words.length / 40) }, (_, line) =>
    words.slice(line * 40, line * 40 + 40).join(','),
  )
  return `${lines.join('\n')}\n`
}
