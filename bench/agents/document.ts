/** Workflow documents as JSON, and changes of them by dotted path. */

export type Document = Record<string, unknown>
/** Dotted path to the new value; null removes it. */
export type Edits = Record<string, unknown>

type Holder = Record<string, unknown>

export function edited(document: Document, edits: Edits): Document {
  const copy = structuredClone(document)
  for (const [path, value] of Object.entries(edits)) setAt(copy, path.split('.'), value)
  return copy
}

/** Sets a value, or removes it if it is null. Missing holders are created. */
export function setAt(root: Document, keys: readonly string[], value: unknown): void {
  const last = keys.at(-1) ?? ''
  const holder = keys.slice(0, -1).reduce<Holder>((part, key) => {
    part[key] ??= {}
    return part[key] as Holder
  }, root)
  if (value !== null) holder[last] = structuredClone(value)
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
}

export function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((part, key) => (part as Holder | null | undefined)?.[key], root)
}

/** Every text of a value with its path. */
export function* textsIn(value: unknown, keys: string[] = []): Generator<{ keys: string[]; text: string }> {
  if (typeof value === 'string') yield { keys, text: value }
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) yield* textsIn(part, [...keys, key])
}
