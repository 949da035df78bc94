import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { useStore } from 'zustand'
import type { WorkflowDetail } from '../../api/types.ts'
import { workflowQuery } from '../../api/workflows.ts'
import type { CanvasState } from './canvas.ts'
import type { DocumentState } from './document-store.ts'
import type { Editor } from './editor.ts'
import type { LivePreview, Watch } from './live-preview.ts'
import type { NodeRun } from './node-runs.ts'
import type { RunState } from './run.ts'

export const EditorContext = createContext<Editor | undefined>(undefined)

/** The editor of the open workflow, for event handlers. Its stores are read with the hooks below. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (editor === undefined) throw new Error('This component needs an editor around it.')
  return editor
}

/** The editor, for components that are also used elsewhere. */
export function usePossibleEditor(): Editor | undefined {
  return useContext(EditorContext)
}

/** A part of the document's state. The component renders again when that part changes, and the same is true below. */
export function useDocument<Part>(select: (state: DocumentState) => Part): Part {
  return useStore(useEditor().document, select)
}

export function useCanvas<Part>(select: (state: CanvasState) => Part): Part {
  return useStore(useEditor().canvas, select)
}

export function useRun<Part>(select: (state: RunState) => Part): Part {
  return useStore(useEditor().run, select)
}

export function useNodeRun(nodeId: string): NodeRun | undefined {
  return useRun(({ nodes }) => nodes.get(nodeId))
}

/** The live image of a node; undefined if the one of its last run is current. */
export function useLivePreview(nodeId: string | undefined): LivePreview | undefined {
  return useStore(useEditor().previews.nodes, (nodes) => (nodeId === undefined ? undefined : nodes.get(nodeId)))
}

/** The same, and keeps the image current as long as the component is there. */
export function usePreview(nodeId: string | undefined, { maxSide, isExact, isImmediate, hasCarets }: Watch = {}) {
  const { previews } = useEditor()
  useEffect(
    () =>
      nodeId === undefined
        ? undefined
        : previews.watch(nodeId, {
            ...(maxSide === undefined ? {} : { maxSide }),
            ...(isExact === undefined ? {} : { isExact }),
            ...(isImmediate === undefined ? {} : { isImmediate }),
            ...(hasCarets === undefined ? {} : { hasCarets }),
          }),
    [previews, nodeId, maxSide, isExact, isImmediate, hasCarets],
  )
  return useLivePreview(nodeId)
}

/** The published workflow; null if it was never published. */
export function usePublishedWorkflow(): WorkflowDetail | null {
  return useQuery(workflowQuery(useEditor().workflowId)).data ?? null
}
