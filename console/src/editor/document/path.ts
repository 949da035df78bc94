/**
 * Paths into a workflow document, as the API writes them in issues: `nodes.title.params.box.x`. Ids and names contain no dot
 * and start with a letter, so a part of digits only is the index of a list.
 */
import { outputId } from './wires.ts'

export type PathKey = string | number

export function pathKeys(path: string): PathKey[] {
  return path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}

/** Leaves out empty parts. */
export function joinPath(...parts: readonly PathKey[]): string {
  return parts.filter((part) => part !== '').join('.')
}

/** Whether `path` is `at`, or leads into it. */
export function isWithin(path: string, at: string): boolean {
  return path === at || path.startsWith(`${at}.`)
}

/** The part of `path` below `at`; empty if `path` is `at` or does not lead into it. */
export function pathBelow(path: string, at: string): string {
  return path.startsWith(`${at}.`) ? path.slice(at.length + 1) : ''
}

export function firstKey(path: string): string {
  return String(pathKeys(path)[0])
}

/** The path and everything that contains it: `a.b`, `a`. */
export function pathAndParents(path: string): string[] {
  const keys = pathKeys(path)
  return keys.map((_, index) => joinPath(...keys.slice(0, keys.length - index)))
}

/** The id of the card that shows the path: `title` for `nodes.title.params.size`. */
export function cardOf(path: string): string | undefined {
  const [section, id] = pathKeys(path)
  // The nodes of a used workflow are on its card: `card/title`.
  return section === 'nodes'
    ? id?.toString().replace(/\/.*/s, '')
    : section === 'output' || section === 'outputs'
      ? outputId
      : undefined
}

/** Whether nothing is at the path yet. */
export function isMissing(root: object, path: string): boolean {
  return valueAt(root, path) === undefined
}

/** Undefined if nothing is at the path. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root
  for (const key of pathKeys(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PathKey, unknown>)[key]
  }
  return value
}

/** Edit: sets a value, and creates the objects and lists that contain it. `undefined` removes the value. */
export function setAt(root: object, path: string, value: unknown): void {
  const keys = pathKeys(path)
  const last = keys.at(-1) ?? ''
  let parent = root as Record<PathKey, unknown>
  for (const [i, key] of keys.slice(0, -1).entries()) {
    const inner = parent[key]
    if (typeof inner !== 'object' || inner === null) {
      if (value === undefined) return
      parent[key] = typeof keys[i + 1] === 'number' ? [] : {}
    }
    parent = parent[key] as Record<PathKey, unknown>
  }
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1)
  else delete parent[last]
}
