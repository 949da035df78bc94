/** Rows of models: found by the most specific name, and merged with the changes of the operator. */
import type { ModelRow } from '../define.ts'
import { isPrice, pricesOf } from './prices.ts'

/** A provider with its rows in the table. */
export interface TableProvider {
  id: string
  unavailableReason: string | undefined
  rows: readonly ModelRow[]
}

/** Splits `openai/gpt-image-1` at the first slash. A name without a slash is a local model. */
export function splitModel(model: string): { provider: string; name: string } {
  const slash = model.indexOf('/')
  return slash < 0
    ? { provider: 'local', name: model }
    : { provider: model.slice(0, slash), name: model.slice(slash + 1) }
}

/** The row with exactly this name, or else with the longest matching prefix. */
export function rowOf(rows: readonly ModelRow[], name: string): ModelRow | undefined {
  if (name === '' || name.endsWith('*')) return undefined
  const exact = rows.find((row) => row.name === name)
  if (exact) return exact
  if (!isPlain(name)) return undefined
  const [best] = rows.filter((row) => isPattern(row) && name.startsWith(row.name.slice(0, -1))).sort(byLength)
  return best && { ...best, name }
}

/** The caller chooses the part for `*`. It may become part of a URL, so only plain path segments are accepted. */
function isPlain(name: string): boolean {
  return name.split('/').every((part) => /^(?!\.{1,2}$)[\w.:@~+-]+$/.test(part))
}

export function isPattern({ name }: ModelRow): boolean {
  return name.endsWith('*')
}

/**
 * Fields of the operator replace those of a row (its price, or the traits of one capability). A new name adds a row at the end.
 */
export function mergeRows(
  rows: readonly ModelRow[],
  changes: ReadonlyMap<string, Partial<Omit<ModelRow, 'name'>>>,
): ModelRow[] {
  const merged = [...rows]
  for (const [name, change] of changes) {
    const before = rows.find((row) => row.name === name) ?? rowOf(rows, name)
    const row: ModelRow = { ...before, ...change, name, can: { ...before?.can, ...change.can } }
    if (before && change.price && !isPrice(change.price)) row.price = { ...pricesOf(before), ...change.price }
    const at = merged.findIndex((row) => row.name === name)
    if (at < 0) merged.push(row)
    else merged[at] = row
  }
  return merged
}

function byLength(a: ModelRow, b: ModelRow): number {
  return b.name.length - a.name.length
}
