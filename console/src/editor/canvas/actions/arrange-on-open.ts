import { arrange, positionsOf } from '../../document/layout.ts'
import { outputId } from '../../document/wires.ts'
import type { Editor } from '../../state/editor.ts'

/**
 * Arranges a document when it opens, if none of its cards has a position. This does not change the document. With some positions, the
 * other cards are placed next to their sources instead: an arrangement of all cards would overlap those that keep their place.
 */
export async function arrangeOnOpen({ document: store, catalogue, view }: Editor): Promise<void> {
  const { document } = store.getState()
  const ids = Object.keys(document.nodes)
  const stored = positionsOf(document)
  if (ids.length === 0 || ids.some((id) => stored.has(id))) return
  for (const [id, position] of await arrange(document, catalogue))
    if (id !== outputId) view.autoPositions.set(id, position)
}
