import type { Frame } from '../../../../shared/frames.ts'
import { operationOf } from '../../api/operations.ts'
import type { JsonSchema } from '../form/schema.ts'
import type { Editor } from '../state/editor.ts'
import { type Shape, shapeOf } from './shape.ts'
import { type Slots, slotsOf } from './slots.ts'

/** A frame as the document has it now. */
export interface CurrentFrame {
  frame: Frame
  slots: Slots
  shape: Shape
}

/** The parts of the editor that a gesture reads and writes. */
export type GestureEditor = Pick<Editor, 'document' | 'run' | 'catalogue'>

/** Reads the stores, for a gesture that continues before React renders again. */
export function currentFrame(editor: GestureEditor, id: string, frame: Frame): CurrentFrame {
  const { document: store, run, catalogue } = editor
  const { document } = store.getState()
  const node = document.nodes[id]
  const slots = slotsOf(frame, {
    params: node?.params ?? {},
    schema: (operationOf(catalogue, node)?.params ?? {}) as JsonSchema,
    parameters: document.parameters ?? [],
    values: run.getState().values,
  })
  return { frame, slots, shape: shapeOf(frame, slots) }
}
