import { arrange, placesOf } from '../../document/layout.ts'
import { outputId } from '../../document/wires.ts'
import type { Canvas } from '../../state/canvas-model.ts'

/** A document of which most cards have no place is arranged when it is opened; that is no change of it. */
export async function layOut({ editor, catalogue, auto }: Canvas): Promise<void> {
  const { document } = editor.getState()
  const count = Object.keys(document.nodes).length
  const said = placesOf(document)
  if (count === 0 || said.size >= count / 2) return
  for (const [id, place] of await arrange(document, catalogue))
    if (!said.has(id) && id !== outputId) auto.set(id, place)
}
