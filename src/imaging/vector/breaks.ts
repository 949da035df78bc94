/** Positions where a line may break. */

export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const words = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Splits text where a line may break: after spaces and hyphens, and between words of scripts that are written without
 * spaces.
 */
export function unbrokenIn(paragraph: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of words.segment(paragraph)) {
    if (piece !== '' && mayBreak(piece, segment)) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

const unspaced = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、。，．：；！？」』）】〉》ー`
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u')
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
/** Characters that are not at the start or the end of a line. */
const clings = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々\p{M}]/u
/** UAX 14, class BA: after a Tibetan syllable and an Ethiopic word, which have no spaces between them. */
const separators = /[\u0f0b\u1361]$/
const opens = /[\p{Ps}\p{Pi}]$/u

function mayBreak(before: string, after: string): boolean {
  if (/^\s/.test(after)) return false
  if (/[^\S\u00a0\u202f]$/.test(before)) return true
  if (/[\p{L}\p{N}][-\u2010\u2013\u2014]$/u.test(before) && /^\p{L}/u.test(after)) return true
  if (separators.test(before) && !clings.test(after)) return true
  if (clings.test(after) || opens.test(before)) return false
  return endsUnspaced.test(before) || startsUnspaced.test(after)
}

/** The largest number below `end` that fits, by bisection; 0 if none does. */
export function largestBelow(end: number, fits: (count: number) => boolean): number {
  let [good, bad] = [0, end]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (fits(middle)) good = middle
    else bad = middle
  }
  return good
}
