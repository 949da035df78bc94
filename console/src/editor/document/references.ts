/**
 * Names that templates read: parameters, and values of other nodes. Does not use the template language itself, because
 * it runs at every change of the document. The API validates templates completely.
 */

import { isTemplate } from '../../../../shared/values.ts'

export type Reference = { start: number; end: number } & (
  | { kind: 'parameter'; name: string }
  /** `start` and `end` are the range of the node's id in `nodes.<id>.<value>`. */
  | { kind: 'node'; name: string; value: string | undefined }
)

/** The parameter's name if the text is only `{{ name }}`. */
export function onlyParameter(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\s*\{\{-?\s*([A-Za-z][\w-]*?)\s*-?\}\}\s*$/.exec(value)?.[1] : undefined
}

const region = /\{\{(?:"[^"]*"|'[^']*'|[^"'}]|\}(?!\}))*\}\}|\{%(?:"[^"]*"|'[^']*'|[^"'%]|%(?!\}))*%\}/g
const token = /"[^"]*"|'[^']*'|[A-Za-z_][\w-]*|[^\s]/g
const keywords = new Set(
  'and or not contains in true false nil null empty blank reversed limit offset cols forloop tablerowloop'.split(' '),
)
/** Tags whose first word declares a local name. */
const naming = new Set(['assign', 'capture', 'for', 'tablerow', 'increment', 'decrement'])

const known = new Map<string, readonly Reference[]>()
const knownMax = 5000

/** The references in text order. */
export function referencesIn(text: string): readonly Reference[] {
  if (!isTemplate(text)) return []
  const before = known.get(text)
  if (before !== undefined) return before
  const found = find(text)
  if (known.size >= knownMax) known.clear()
  known.set(text, found)
  return found
}

/** The references of all texts in a value, at any depth. */
export function referencesOf(value: unknown): Reference[] {
  if (typeof value === 'string') return [...referencesIn(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(referencesOf)
}

/** Replaces the name `from` in a text. */
export function renameIn(text: string, kind: Reference['kind'], from: string, to: string): string {
  let renamed = text
  for (const reference of referencesIn(text).toReversed()) {
    if (reference.kind !== kind || reference.name !== from) continue
    renamed = renamed.slice(0, reference.start) + to + renamed.slice(reference.end)
  }
  return renamed
}

/** Replaces nodes in references to their images, such as `<img src="node:photo">` and `url(node:photo/2)`: old id -> new id. */
export function renameSources(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\bnode:([a-z][a-z0-9_-]*)/g, (reference, id: string) =>
    names.has(id) ? `node:${names.get(id)}` : reference,
  )
}

/** Replaces images in such references, also named outputs of a node that uses a workflow: `photo` or `card.story` -> new name. */
export function renameWired(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(
    /\bnode:([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)?)/g,
    (reference, source: string) => `node:${names.get(source) ?? reference.slice('node:'.length)}`,
  )
}

/** Applies `change` to all texts in a value. Returns the same value if nothing changed. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapTexts(item, change))
    return mapped.some((item, index) => item !== value[index]) ? (mapped as Value) : value
  }
  const entries = Object.entries(value)
  const mapped = entries.map(([name, field]) => [name, mapTexts(field, change)] as const)
  return mapped.some(([, field], index) => field !== entries[index]?.[1])
    ? (Object.fromEntries(mapped) as Value)
    : value
}

function find(text: string): Reference[] {
  const readable = text.replace(
    /(\{%-?\s*(raw|comment)\s*-?%\})([\s\S]*?)(?=\{%-?\s*end\2)/g,
    (_, open: string, _tag, inside: string) => open + ' '.repeat(inside.length),
  )
  const locals = new Set<string>()
  const references = [...readable.matchAll(region)].flatMap((match) => inRegion(match[0], match.index, locals))
  return references.filter((reference) => reference.kind === 'node' || !locals.has(reference.name))
}

function inRegion(text: string, at: number, locals: Set<string>): Reference[] {
  const isTag = text.startsWith('{%')
  const inside = text.slice(2, -2).replace(/-$/, ' ')
  const tokens = [...inside.matchAll(token)].map((match) => ({ text: match[0], start: at + 2 + match.index }))
  // A minus that trims white space: `{{- width -}}`.
  if (tokens[0]?.text === '-') tokens.shift()
  const tag = isTag ? tokens.shift()?.text : undefined
  if (tag !== undefined && naming.has(tag) && tokens[0] !== undefined) locals.add(tokens[0].text)
  const references: Reference[] = []
  for (const [index, { text: word, start }] of tokens.entries()) {
    if (!/^[A-Za-z_]/.test(word) || keywords.has(word)) continue
    const before = tokens[index - 1]?.text
    if (before === '.' || before === '|' || tokens[index + 1]?.text === ':') continue
    if (word !== 'nodes') {
      references.push({ kind: 'parameter', name: word, start, end: start + word.length })
      continue
    }
    const step = tokens[index + 1]?.text
    const named = tokens[index + 2]
    if (named === undefined || (step !== '.' && step !== '[')) continue
    const quotes = step === '[' ? 1 : 0
    const name = quotes ? named.text.slice(1, -1) : named.text
    const value = tokens[index + (quotes ? 5 : 4)]?.text
    const nameStart = named.start + quotes
    references.push({ kind: 'node', name, value, start: nameStart, end: nameStart + name.length })
  }
  return references
}
