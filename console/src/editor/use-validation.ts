import { useEffect } from 'react'
import { ApiError } from '../api/client.ts'
import type { WorkflowDocument } from '../api/workflow-document.ts'
import { validateDocument } from '../api/workflows.ts'
import { withoutLayout } from './document/layout-record.ts'
import type { Editor } from './state/editor.ts'

const delayMs = 400

/** Validates the document with the API shortly after each change. Ignores the positions of cards. */
export function useValidation({ document: store, projectId }: Editor): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pending: AbortController | undefined
    const validate = async () => {
      const { document, setIssues } = store.getState()
      pending?.abort()
      const request = new AbortController()
      pending = request
      if (Object.keys(document.nodes).length === 0) {
        setIssues([], [])
        return
      }
      try {
        const { issues, warnings } = await validateDocument(withoutLayout(document), {
          projectId,
          signal: request.signal,
        })
        if (!request.signal.aborted) setIssues(issues, warnings)
      } catch (error) {
        // A document that is too incomplete for the schema is rejected with issues.
        if (!request.signal.aborted && error instanceof ApiError && error.issues.length > 0) setIssues(error.issues, [])
      }
    }
    const schedule = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void validate(), ms)
    }
    schedule(0)
    const stop = store.subscribe((now, before) => {
      if (now.document !== before.document && !isOnlyMoved(now.document, before.document)) schedule(delayMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
      pending?.abort()
    }
  }, [store, projectId])
}

function isOnlyMoved(a: WorkflowDocument, b: WorkflowDocument): boolean {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (part) => part === 'layout' || a[part as keyof WorkflowDocument] === b[part as keyof WorkflowDocument],
  )
}
