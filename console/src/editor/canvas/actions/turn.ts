/** Turns the selected nodes into a separate workflow. */
import { produce } from 'immer'
import type { WorkflowDetail } from '../../../api/types.ts'
import { createWorkflow } from '../../../api/workflows.ts'
import { type NewWorkflow, type Turned, turnIntoWorkflow } from '../../document/turn-into-workflow.ts'
import { usedOperation } from '../../form/used-operation.ts'
import { selectOnly } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { announce } from './announce.ts'
import { reveal } from './focus.ts'
import { writeAutoPositions } from './move.ts'

/** The documents that result, or why the nodes can't be a workflow. */
export function turned(editor: Editor, ids: readonly string[], names: NewWorkflow): Turned | { problem: string } {
  const document = produce(editor.document.getState().document, (draft) => writeAutoPositions(editor, draft))
  return turnIntoWorkflow(document, ids, names, editor.catalogue)
}

/** Publishes the selected nodes as a workflow and replaces them by a node that uses it, as one change. */
export async function turnSelection(editor: Editor, names: NewWorkflow): Promise<WorkflowDetail> {
  const { document: before, selection } = editor.document.getState()
  const result = turned(editor, selection, names)
  if ('problem' in result) throw new Error(result.problem)
  const detail = await createWorkflow(result.inner, { slug: names.slug, projectId: editor.projectId })
  const { document, replace } = editor.document.getState()
  if (document !== before)
    throw new Error(`${names.name} was saved, but the nodes weren’t replaced, because they changed in the meantime.`)
  const outputNode = result.inner.output?.node
  editor.addOperation(usedOperation({ name: `${names.slug}@1`, detail, newestVersion: 1, outputNode }))
  replace('Turn into a workflow', result.outer)
  selectOnly(editor, result.node)
  announce(editor, `Turned the selection into the workflow ${names.name}.`)
  reveal(editor, result.node)
  return detail
}
