import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Edit: the layout of the document, which is created if it is missing. */
export function layoutOf(document: Pick<WorkflowDocument, 'layout'>): Record<string, unknown> {
  const { layout } = document
  if (typeof layout === 'object' && layout !== null && !Array.isArray(layout)) return layout as Record<string, unknown>
  const created = {}
  document.layout = created
  return created
}
