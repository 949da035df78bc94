/** The search of the palette. Entries with every typed word, the best matches first. */

export interface Searchable {
  /** The key of the entry. It isn't searched, because its letters can be without a meaning. */
  id: string
  title: string
  /** Other names, such as the type of an operation in documents. */
  names?: readonly string[]
  summary: string
  group: string
  /** Synonyms and tasks that lead to the entry. */
  keywords?: readonly string[]
}

/** The texts of an entry, as `plain` returns them. */
interface Texts {
  title: string
  names: string[]
  keywords: string[]
  group: string
  summary: string
}

/** The ways to match, best first. Letters inside a word come after keywords: "scale" is Resize before Grayscale. */
const matches: ((texts: Texts, term: string) => boolean)[] = [
  ({ names }, term) => names.includes(term),
  ({ names }, term) => names.some((name) => name.startsWith(term)),
  ({ names }, term) => names.some((name) => hasWord(name, term)),
  ({ keywords }, term) => keywords.includes(term),
  ({ keywords }, term) => keywords.some((keyword) => keyword.startsWith(term)),
  ({ keywords }, term) => keywords.some((keyword) => hasWord(keyword, term)),
  ({ names }, term) => names.some((name) => name.includes(term)),
  ({ group }, term) => hasWord(group, term),
  ({ summary }, term) => hasWord(summary, term),
  ({ title }, term) => isSubsequence(title, term),
]

/** Words that don't describe an operation, as in "add a border to the image". They are ignored next to others. */
const fillers = new Set('a add an and apply by create for from in into make of on one the to with'.split(' '))

/**
 * Best match first. Ties: the most recently used first (`recent` is newest first), then in the given order. If no entry has
 * every word, entries with some of the words.
 */
export function search<Entry extends Searchable>(
  entries: readonly Entry[],
  query: string,
  recent: readonly string[] = [],
): Entry[] {
  return searchResults(entries, query, recent).map(({ entry }) => entry)
}

/** The entries of `search`, each with the number of words of the query that it misses. */
export function searchResults<Entry extends Searchable>(
  entries: readonly Entry[],
  query: string,
  recent: readonly string[] = [],
): { entry: Entry; missing: number }[] {
  const phrase = normalized(query)
  const words = phrase.split(' ')
  const meaningful = words.filter((word) => !fillers.has(word))
  const terms = meaningful.length > 0 ? meaningful : words
  const age = (entry: Entry) => {
    const at = recent.indexOf(entry.id)
    return at < 0 ? recent.length : at
  }
  const ranked = entries.map((entry) => ({ entry, ...rankOf(textsOf(entry), phrase, terms) }))
  const complete = ranked.filter(({ missing }) => missing === 0)
  const found = complete.length > 0 ? complete : ranked.filter(({ missing }) => missing < terms.length)
  return found.sort((a, b) => a.rank - b.rank || age(a.entry) - age(b.entry))
}

function textsOf({ title, names = [], summary, group, keywords = [] }: Searchable): Texts {
  return {
    title: normalized(title),
    names: [title, ...names].map(normalized),
    keywords: keywords.map(normalized),
    group: normalized(group),
    summary: normalized(summary),
  }
}

/** The index of the best way to match: of the entire phrase, or the mean of its words. `missing` counts words without a match. */
function rankOf(texts: Texts, phrase: string, terms: readonly string[]): { rank: number; missing: number } {
  const noMatch = matches.length
  const rank = (term: string) => {
    const found = [term, stemOf(term)].map((form) => matches.findIndex((match) => match(texts, form)))
    return Math.min(...found.map((index) => (index < 0 ? noMatch : index)))
  }
  const phraseRank = rank(phrase)
  const ranks = terms.map(rank)
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length
  return {
    rank: Math.min(phraseRank, mean),
    missing: phraseRank < noMatch ? 0 : ranks.filter((rank) => rank === noMatch).length,
  }
}

/** The beginning that a word has in common with its other forms: upscal of "upscaling", crop of "cropping". */
function stemOf(word: string): string {
  const stem = word.replace(/(s|e|er|ed|ing|ion|ment)$/, '').replace(/([bgmnprt])\1$/, '$1')
  return stem.length < 4 ? word : stem
}

/**
 * Lower case, without punctuation, in American spelling: "B&W" is "bw". The last letter of "colour" can be missing while it is
 * typed.
 */
function normalized(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/(?<=\p{L})&(?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
  return words
    .trim()
    .replaceAll(/colour?/g, 'color')
    .replaceAll('grey', 'gray')
}

/** Whether a word of the text starts with the term. */
function hasWord(text: string, term: string): boolean {
  return ` ${text}`.includes(` ${term}`)
}

/** Matches `rmbg` with `remove background`. Short words are excluded, because they would match everything. */
function isSubsequence(text: string, word: string): boolean {
  if (word.length < 3) return false
  let at = 0
  for (const letter of text) if (letter === word[at]) at++
  return at === word.length
}
