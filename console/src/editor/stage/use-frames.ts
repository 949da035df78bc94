/** The frames of a node as the document has them now. */
import { useMemo } from 'react'
import type { Frame } from '../../../../shared/frames.ts'
import { useDocument, useEditor, useLivePreview, useNodeRun, useRun } from '../state/editor-context.ts'
import { type CurrentFrame, currentFrame } from './current-frame.ts'
import { useKept } from './use-kept.ts'

const none: readonly Frame[] = []

export function useFrames(id: string): readonly CurrentFrame[] {
  const editor = useEditor()
  const run = useNodeRun(id)
  const live = useLivePreview(id)
  // A run that ended without frames has none. A failed one may not have come so far.
  const ofRun = run?.frames ?? (run === undefined || run.status === 'failed' ? undefined : none)
  const isLive = live !== undefined && (live.url !== undefined || live.frames.length > 0)
  const frames = useKept(id, isLive ? live.frames : ofRun) ?? none
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  const parameters = useDocument(({ document }) => document.parameters)
  const values = useRun((run) => run.values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what `currentFrame` reads
  return useMemo(
    () => frames.map((frame) => currentFrame(editor, id, frame)),
    [editor, id, frames, params, parameters, values],
  )
}
