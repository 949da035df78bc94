/** The changes of a document that can change images. */
import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Whether the change can change an image: not of the layout, names or descriptions. */
export function isOtherImage(now: WorkflowDocument, before: WorkflowDocument): boolean {
  return now.nodes !== before.nodes || now.parameters !== before.parameters
}

/** The only node that has changed. Undefined for none and for several, for example if one was renamed. */
export function editedNode(now: WorkflowDocument, before: WorkflowDocument): string | undefined {
  const ids = Object.keys(now.nodes).filter((id) => now.nodes[id] !== before.nodes[id])
  const [id] = ids
  return ids.length === 1 && id !== undefined && Object.hasOwn(before.nodes, id) ? id : undefined
}
