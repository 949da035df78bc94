import { arrange, positionsOf } from '../../document/layout.ts'
import { outputId } from '../../document/wires.ts'
import type { Editor } from '../../state/editor.ts'

/** Arranges a document when it opens, if most of its cards have no position. This does not change the document. */
export async function arrangeOnOpen({ document: store, catalogue, view }: Editor): Promise<void> {
  const { document } = store.getState()
  const count = Object.keys(document.nodes).length
  const stored = positionsOf(document)
  if (count === 0 || stored.size >= count / 2) return
  for (const [id, position] of await arrange(document, catalogue))
    if (!stored.has(id) && id !== outputId) view.autoPositions.set(id, position)
}
