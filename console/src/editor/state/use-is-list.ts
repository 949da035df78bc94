import type { Catalogue } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { listNodes } from '../document/wires.ts'
import { useDocument, useEditor } from './editor-context.ts'

const cache = new WeakMap<WorkflowDocument['nodes'], ReadonlySet<string>>()

/** Whether the node outputs a list of images. Computed once per document. */
export function useIsList(id: string): boolean {
  const { catalogue } = useEditor()
  return useDocument(({ document }) => listsOf(document, catalogue).has(id))
}

function listsOf(document: WorkflowDocument, catalogue: Catalogue): ReadonlySet<string> {
  const before = cache.get(document.nodes)
  if (before !== undefined) return before
  const lists = listNodes(document, catalogue)
  cache.set(document.nodes, lists)
  return lists
}
