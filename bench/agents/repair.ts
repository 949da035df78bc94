/** The rule that repairs a document: it reads the first problem that validation returns, and nothing else. */
import type { Issue } from '../../src/errors.ts'
import { type Document, edited, setAt, valueAt } from './document.ts'

export type Problem = Pick<Issue, 'path' | 'message' | 'fix'>

/** The document with the correction of the problem. Undefined if the problem has none. */
export function repaired(document: Document, { path, fix }: Problem): Document | undefined {
  if (fix === undefined) return undefined
  const keys = path.split('.')
  if (fix.rename === undefined) return edited(document, { [path]: fix.remove ? null : fix.value })
  const copy = structuredClone(document)
  const holder = valueAt(copy, keys.slice(0, -1)) as Document
  const renamed = Object.entries(holder).map(([key, value]) => [key === keys.at(-1) ? fix.rename : key, value])
  if (keys.length === 1) return Object.fromEntries(renamed)
  setAt(copy, keys.slice(0, -1), Object.fromEntries(renamed))
  return copy
}
