/** Positions where a line may break: those of UAX 14, and between words of scripts that are written without spaces. */
import LineBreaker from 'linebreak'

export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const words = new Intl.Segmenter('en', { granularity: 'word' })

/** A line may break after this character, which is drawn as a hyphen there. */
export const softHyphen = '\u00ad'

/** Splits text where a line may break. */
export function unbrokenIn(paragraph: string): string[] {
  const ends = new Set<number>()
  let before = ''
  for (const { segment, index } of words.segment(paragraph)) {
    if (before !== '' && mayBreak(before, segment)) {
      ends.add(index)
      before = ''
    }
    before += segment
  }
  if (hasOtherBreaks.test(paragraph)) for (const end of breaksIn(paragraph)) ends.add(end)
  const bounds = [0, ...[...ends].sort((a, b) => a - b), paragraph.length]
  return bounds.slice(1).flatMap((end, index) => paragraph.slice(bounds[index], end) || [])
}

/** Most texts have only letters, digits and spaces, and no other positions. */
const hasOtherBreaks = /[^\p{L}\p{N}\p{M} .,:;!'’]/u

/** Positions between characters with spaces between their words. Like browsers, not after the slash of `either/or`. */
function* breaksIn(paragraph: string): Generator<number> {
  const breaker = new LineBreaker(paragraph)
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const { position } = next
    const [before, after] = [
      paragraph.slice(Math.max(0, position - 2), position),
      paragraph.slice(position, position + 2),
    ]
    if (after === '' || endsUnspaced.test(before) || startsUnspaced.test(after)) continue
    if (/\/$/.test(before) && /^[\p{L}\p{N}]/u.test(after)) continue
    yield position
  }
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
