import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Whether nothing is there yet at the path of an issue: it is to be filled in rather than wrong. */
export function isMissing(document: WorkflowDocument, path: string): boolean {
  let value: unknown = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true
    value = (value as Record<string, unknown>)[key]
  }
  return value === undefined
}
