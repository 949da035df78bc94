/** The socket of a node that gets a mask, and the nodes at it. */
import { isTemplate } from '../../../../../shared/values.ts'
import { type Catalogue, operationOf } from '../../../api/operations.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { nodesOf, wiresOf } from '../../document/wires.ts'
import { imageSetting } from '../../form/source-image.ts'
import { useDocument, useEditor } from '../../state/editor-context.ts'

export interface MaskInput {
  socket: string
  /** The node whose image is painted on. */
  image: string
}

/** Undefined if the node has no mask, or no image to paint on yet. */
export function useMaskInput(id: string): MaskInput | undefined {
  const { catalogue, isReadOnly } = useEditor()
  const socket = useDocument(({ document }) => maskSocketOf(catalogue, document, id))
  const image = useDocument(({ document }) => {
    const first = operationOf(catalogue, document.nodes[id])?.inputs[0]?.name ?? ''
    return nodesOf(document.nodes[id]?.inputs?.[first])[0]
  })
  return isReadOnly || socket === undefined || image === undefined ? undefined : { socket, image }
}

function maskSocketOf(catalogue: Catalogue, document: WorkflowDocument, id: string): string | undefined {
  return operationOf(catalogue, document.nodes[id])?.inputs.find(({ mask }) => mask)?.name
}

/** The node at the socket. */
export function maskNodeOf(document: WorkflowDocument, id: string, socket: string): string | undefined {
  return nodesOf(document.nodes[id]?.inputs?.[socket])[0]
}

/** Whether the image of this node is only the mask, so that painting may replace it. The setting that names the image. */
export function replaceableSetting(
  document: WorkflowDocument,
  catalogue: Catalogue,
  maskNode: string,
): string | undefined {
  const node = document.nodes[maskNode]
  const setting = imageSetting(catalogue, node)
  const isOnly = wiresOf(document).filter(({ source }) => source === maskNode).length === 1
  if (node === undefined || setting === undefined || node.pinned !== undefined || !isOnly) return undefined
  return isTemplate(node.params?.[setting]) ? undefined : setting
}
