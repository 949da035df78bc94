import { useEffect } from 'react'
import { saveDraft } from '../api/drafts.ts'
import type { Editor } from './state/editor.ts'

/** Saves unsaved changes when the page is left, hidden or closed. */
export function useSaveOnLeave({ workflowId, document: store, autosave }: Editor): void {
  useEffect(() => {
    const saveBeforeUnload = () => {
      if (!['waiting', 'failed', 'saving'].includes(autosave.state.getState().kind)) return
      const ifRevision = autosave.revision()
      const options = ifRevision === undefined ? {} : { ifRevision }
      void saveDraft(workflowId, store.getState().document, { ...options, keepalive: true }).catch(() => undefined)
    }
    const saveIfHidden = () => {
      if (document.visibilityState === 'hidden') void autosave.flush().catch(() => undefined)
    }
    window.addEventListener('pagehide', saveBeforeUnload)
    document.addEventListener('visibilitychange', saveIfHidden)
    return () => {
      window.removeEventListener('pagehide', saveBeforeUnload)
      document.removeEventListener('visibilitychange', saveIfHidden)
      void autosave.flush().catch(() => undefined)
    }
  }, [autosave, workflowId, store])
}
