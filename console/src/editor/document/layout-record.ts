import { isObject } from '../../../../shared/values.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Edit: the layout of the document, which is created if it is missing. */
export function layoutOf(document: Pick<WorkflowDocument, 'layout'>): Record<string, unknown> {
  const { layout } = document
  if (isObject(layout)) return layout
  const created = {}
  document.layout = created
  return created
}

/** The document without the positions of its cards, which change no image. */
export function withoutLayout({ layout: _, ...document }: WorkflowDocument): WorkflowDocument {
  return document
}
