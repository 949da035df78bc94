/** The frames of a node as the document has them now. */
import { useMemo } from 'react'
import type { Frame } from '../../../../shared/frames.ts'
import { operationOf } from '../../api/operations.ts'
import type { JsonSchema } from '../form/schema.ts'
import type { Editor } from '../state/editor.ts'
import { useDocument, useEditor, useNodeRun, useRun } from '../state/editor-context.ts'
import { type Shape, shapeOf } from './shape.ts'
import { type Slots, slotsOf } from './slots.ts'

export interface CurrentFrame {
  frame: Frame
  slots: Slots
  shape: Shape
}

const none: readonly Frame[] = []

export function useFrames(id: string): readonly CurrentFrame[] {
  const editor = useEditor()
  const frames = useNodeRun(id)?.frames ?? none
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  const parameters = useDocument(({ document }) => document.parameters)
  const values = useRun((run) => run.values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what `currentFrame` reads
  return useMemo(
    () => frames.map((frame) => currentFrame(editor, id, frame)),
    [editor, id, frames, params, parameters, values],
  )
}

/** Reads the stores, for a gesture that continues before React renders again. */
export function currentFrame({ document: store, run, catalogue }: Editor, id: string, frame: Frame): CurrentFrame {
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
