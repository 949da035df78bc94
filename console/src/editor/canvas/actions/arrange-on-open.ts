import { arrange, placesOf } from '../../document/layout.ts'
import { outputId } from '../../document/wires.ts'
import type { Editor } from '../../state/editor.ts'

/** Arranges a document when it opens, if most of its cards have no place. This does not change the document. */
export async function arrangeOnOpen({ document: store, catalogue, view }: Editor): Promise<void> {
  const { document } = store.getState()
  const count = Object.keys(document.nodes).length
  const written = placesOf(document)
  if (count === 0 || written.size >= count / 2) return
  for (const [id, place] of await arrange(document, catalogue))
    if (!written.has(id) && id !== outputId) view.autoPlaces.set(id, place)
}
