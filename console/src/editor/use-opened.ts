import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { saveDraft } from '../api/drafts.ts'
import type { Catalogue } from '../api/operations.ts'
import { type Autosave, createAutosave } from './state/autosave.ts'
import { createCanvas } from './state/canvas-model.ts'
import { createEditor, type Editor } from './state/document-store.ts'
import type { LoadedWorkflow } from './use-workflow.ts'

/** The editor, its canvas and its saving: made once of what was loaded first. */
export function useOpened(loaded: LoadedWorkflow, catalogue: Catalogue) {
  const queryClient = useQueryClient()
  const [opened] = useState(() => {
    const { workflowId, document, draft } = loaded
    const editor = createEditor(document)
    const autosave = createAutosave({
      editor,
      revision: draft?.revision,
      async save(next, ifRevision) {
        const saved = await saveDraft(workflowId, next, ifRevision === undefined ? {} : { ifRevision })
        if (ifRevision === undefined) void queryClient.invalidateQueries({ queryKey: ['drafts'] })
        return saved.revision
      },
      isConflict: isOutdated,
    })
    return { editor, autosave, canvas: createCanvas(editor, catalogue) }
  })
  return opened
}

/** What is not saved yet is saved when the page is left, hidden or closed. */
export function useAutosaveGuards(autosave: Autosave, workflowId: string, editor: Editor): void {
  useEffect(() => {
    const isOpen = () => ['waiting', 'failed', 'saving'].includes(autosave.state.getState().kind)
    const leave = () => {
      if (!isOpen()) return
      const ifRevision = autosave.revision()
      const { document } = editor.getState()
      const options = ifRevision === undefined ? {} : { ifRevision }
      void saveDraft(workflowId, document, { ...options, keepalive: true }).catch(() => undefined)
    }
    const hide = () => {
      if (document.visibilityState === 'hidden') void autosave.flush().catch(() => undefined)
    }
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      void autosave.flush().catch(() => undefined)
    }
  }, [autosave, workflowId, editor])
}

/** Another has saved the draft since, or has published or discarded it. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.issues.some(({ path }) => path === 'If-Match'))
}
