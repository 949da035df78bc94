/** The problems of a node: issues whose path leads to it. */

import type { Issue } from '../../api/client.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { counted } from '../../ui/format.ts'
import { cardOf, isMissing } from '../document/path.ts'

export function problemsOf(issues: readonly Issue[], id: string): number {
  let count = 0
  for (const { path } of issues) if (cardOf(path) === id) count++
  return count
}

/** Whether there are problems, and all of them are missing values. */
export function isOnlyMissing(document: WorkflowDocument, issues: readonly Issue[], id?: string): boolean {
  const matching = id === undefined ? issues : issues.filter(({ path }) => cardOf(path) === id)
  return matching.length > 0 && matching.every(({ path }) => isMissing(document, path))
}

export function wordsOf(count: number, areMissing: boolean): string {
  return areMissing ? `${count} missing` : counted(count, 'problem')
}
