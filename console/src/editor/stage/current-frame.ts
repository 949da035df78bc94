import type { Frame } from '../../../../shared/frames.ts'
import { operationOf } from '../../api/operations.ts'
import { sizeSources } from '../document/image-size.ts'
import type { JsonSchema } from '../form/schema.ts'
import type { Editor } from '../state/editor.ts'
import { type Shape, shapeOf } from './shape.ts'
import { type AnchorSlot, placeOf, type Slots } from './slots.ts'

/** A frame as the document has it now. */
export interface CurrentFrame {
  frame: Frame
  slots: Slots
  /** Undefined if no compass point places it. */
  anchor?: AnchorSlot
  shape: Shape
}

/** The parts of the editor that a gesture reads and writes. */
export type GestureEditor = Pick<Editor, 'document' | 'run' | 'catalogue'>

/** Reads the stores, for a gesture that continues before React renders again. */
export function currentFrame(editor: GestureEditor, id: string, frame: Frame): CurrentFrame {
  const { document: store, run, catalogue } = editor
  const { document } = store.getState()
  const node = document.nodes[id]
  const place = placeOf(frame, {
    params: node?.params ?? {},
    schema: (operationOf(catalogue, node)?.params ?? {}) as JsonSchema,
    parameters: document.parameters ?? [],
    values: run.getState().values,
  })
  return { frame, ...place, shape: shapeOf(frame, place.slots, place.anchor) }
}

/** Frames that other nodes draw on the same image: before the node and after it, as long as the size stays. */
export function framesAround(editor: Editor, id: string, except: string): CurrentFrame[] {
  const { document: store, run, previews, catalogue } = editor
  const { document } = store.getState()
  const live = previews.nodes.getState()
  const before = sizeSources(document, catalogue, id)
  const isOnImage = (other: string) => before.includes(other) || sizeSources(document, catalogue, other).includes(id)
  return Object.keys(document.nodes)
    .filter((other) => other !== except && isOnImage(other))
    .flatMap((other) => {
      const frames = live.get(other)?.frames ?? run.getState().nodes.get(other)?.frames ?? []
      return frames.filter(({ of }) => of === 'result').map((frame) => currentFrame(editor, other, frame))
    })
}
