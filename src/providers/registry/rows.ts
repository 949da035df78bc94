/** Rows of models by name: found by the most exact name, and merged with what the operator says. */
import type { ModelRow } from '../define.ts'
import { isPrice, pricesOf } from '../prices.ts'

/** A provider with its rows, as the table holds it. */
export interface TableProvider {
  id: string
  lacks: string | undefined
  rows: readonly ModelRow[]
}

/** `openai/gpt-image-1` in two; a bare name is that of a local model. The first slash divides. */
export function splitModel(model: string): { provider: string; name: string } {
  const slash = model.indexOf('/')
  return slash < 0
    ? { provider: 'local', name: model }
    : { provider: model.slice(0, slash), name: model.slice(slash + 1) }
}

/** The row of a model, under its name: that of this very name, else the one with the longest beginning of it. */
export function rowOf(rows: readonly ModelRow[], name: string): ModelRow | undefined {
  if (name === '' || name.endsWith('*')) return undefined
  const exact = rows.find((row) => row.name === name)
  if (exact) return exact
  if (!isPlain(name)) return undefined
  const [best] = rows.filter((row) => isPattern(row) && name.startsWith(row.name.slice(0, -1))).sort(byLength)
  return best && { ...best, name }
}

/** A caller chooses what stands for `*`, and it may become part of a URL: it must stay the part that it is. */
function isPlain(name: string): boolean {
  return name.split('/').every((part) => /^(?!\.{1,2}$)[\w.:@~+-]+$/.test(part))
}

export function isPattern({ name }: ModelRow): boolean {
  return name.endsWith('*')
}

/**
 * What the operator says takes the place of the same part of a row (a price, what it can of one capability); a name that
 * no row has gets a row of its own, at the end.
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
    const at = merged.findIndex((each) => each.name === name)
    if (at < 0) merged.push(row)
    else merged[at] = row
  }
  return merged
}

function byLength(a: ModelRow, b: ModelRow): number {
  return b.name.length - a.name.length
}
