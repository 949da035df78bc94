/** The search of the palette. An entry must contain every typed word, and the best matches come first. */

export interface Searchable {
  id: string
  title: string
  summary: string
  group: string
}

/** Best match first. Ties: the most recently used first (`recent` is newest first), then in the given order. */
export function search<Entry extends Searchable>(
  entries: readonly Entry[],
  query: string,
  recent: readonly string[] = [],
): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const age = (entry: Entry) => {
    const at = recent.indexOf(entry.id)
    return at < 0 ? recent.length : at
  }
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || age(a.entry) - age(b.entry))
    .map(({ entry }) => entry)
}

function scoreOf({ id, title, summary, group }: Searchable, words: readonly string[]): number | undefined {
  let total = 0
  for (const word of words) {
    const score = Math.max(
      wordScore(title.toLowerCase(), word, 100),
      wordScore(id.toLowerCase(), word, 95),
      wordScore(group.toLowerCase(), word, 40),
      wordScore(summary.toLowerCase(), word, 25),
      isSubsequence(title.toLowerCase(), word) ? 5 : 0,
    )
    if (score === 0) return undefined
    total += score
  }
  return total
}

/** The full score for an equal text, less for a word that starts with it, least for a match inside of a word. */
function wordScore(text: string, word: string, fullScore: number): number {
  if (text === word) return fullScore
  if (text.startsWith(word)) return fullScore * 0.9
  const at = text.indexOf(word)
  if (at < 0) return 0
  return /[^a-z0-9]/.test(text[at - 1] ?? '') || text.includes(` ${word}`) ? fullScore * 0.7 : fullScore * 0.4
}

/** Matches `rmbg` with `remove background`. Short words are excluded, because they would match everything. */
function isSubsequence(text: string, word: string): boolean {
  if (word.length < 3) return false
  let at = 0
  for (const letter of text) if (letter === word[at]) at++
  return at === word.length
}
