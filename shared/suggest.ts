/** "Did you mean ...?" for names from a known set. The work is bounded, whatever name is passed. */
import { distance } from 'fastest-levenshtein'
import { show } from './text.ts'

/** A longer name gets no suggestion. */
const nameCharsMax = 64
const knownMax = 2_000
const suggestionsMax = 3

/** The known names that a mistyped name is close to, the closest first; at most three. */
export function similarNames(name: string, known: Iterable<string>): string[] {
  if (name === '' || name.length > nameCharsMax) return []
  const expected = plain(name)
  const found: { name: string; edits: number }[] = []
  let count = 0
  for (const candidate of known) {
    count += 1
    if (count > knownMax) break
    if (candidate.length > nameCharsMax) continue
    const edits = editsBetween(expected, plain(candidate))
    if (edits !== undefined) found.push({ name: candidate, edits })
  }
  const least = Math.min(...found.map(({ edits }) => edits))
  return found
    .filter(({ edits }) => edits === least)
    .slice(0, suggestionsMax)
    .map((candidate) => candidate.name)
}

/** `Did you mean "crop"?`, or an empty string if no known name is close. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = similarNames(name, known).map(show)
  const last = names.pop()
  if (last === undefined) return ''
  return `Did you mean ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}?`
}

/** Case and separators are ignored: `remove_background` is close to `removeBackground`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. ]/g, '')
}

/** The edits from one name to the other; undefined if they are not similar. A name that contains the other one counts as the last resort. */
function editsBetween(expected: string, known: string): number | undefined {
  const longer = Math.max(expected.length, known.length)
  const shorter = Math.min(expected.length, known.length)
  const editsMax = Math.min(3, Math.floor(longer / 3))
  if (longer - shorter <= editsMax) {
    const edits = isSwap(expected, known) ? 1 : distance(expected, known)
    if (edits <= editsMax) return edits
  }
  const isPart = shorter >= 4 && (expected.includes(known) || known.includes(expected))
  return isPart ? editsMax + longer : undefined
}

/** Two neighboring characters are swapped, as in `widht`: the most common typo, and two edits in the distance of Levenshtein. */
function isSwap(expected: string, known: string): boolean {
  if (expected.length !== known.length) return false
  let at = 0
  while (at < expected.length && expected[at] === known[at]) at += 1
  if (at === expected.length) return false
  const swapped = `${expected.slice(0, at)}${expected.charAt(at + 1)}${expected.charAt(at)}${expected.slice(at + 2)}`
  return swapped === known
}
