import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Draft, possibleDraftQuery } from '../api/drafts.ts'
import { operationsQuery } from '../api/operations.ts'
import { asDocument, emptyDocument } from '../api/read-document.ts'
import type { Operation, WorkflowDetail } from '../api/types.ts'
import type { WorkflowDocument } from '../api/workflow-document.ts'
import { documentQuery, usedWorkflowsQuery, workflowQuery } from '../api/workflows.ts'
import { usedNames, usedOperation } from './form/used-operation.ts'

export interface LoadedWorkflow {
  workflowId: string
  /** The document to edit: of the draft, or of the newest version without a draft. */
  document: WorkflowDocument
  draft: Draft | null
  /** Null if it was never published. */
  workflow: WorkflowDetail | null
  operations: readonly Operation[]
}

/** Loads the data for all pages of a workflow. `isMissing`: there is neither a draft nor a workflow with this id. */
export function useWorkflow(workflowId: string) {
  const draft = useQuery(possibleDraftQuery(workflowId))
  const workflow = useQuery(workflowQuery(workflowId))
  const operations = useQuery(operationsQuery)
  const needsDocument = draft.data === null && workflow.data !== undefined && workflow.data !== null
  const newest = useQuery({ ...documentQuery(workflowId), enabled: needsDocument })
  const isMissing = draft.data === null && workflow.data === null
  const opened = draft.data ? draft.data.document : newest.data
  const document = useMemo(() => asDocument(opened), [opened])
  const names = useMemo(() => usedNames(document?.nodes ?? {}), [document])
  const used = useQuery({ ...usedWorkflowsQuery(names), enabled: names.length > 0 })
  const error = draft.error ?? workflow.error ?? operations.error ?? (needsDocument ? newest.error : null) ?? used.error
  const isReady =
    draft.data !== undefined &&
    workflow.data !== undefined &&
    operations.data !== undefined &&
    opened !== undefined &&
    (names.length === 0 || used.data !== undefined)
  const loaded: LoadedWorkflow | undefined = isReady
    ? {
        workflowId,
        document: document ?? { ...emptyDocument, name: draft.data?.name ?? emptyDocument.name },
        draft: draft.data ?? null,
        workflow: workflow.data ?? null,
        operations: [...(operations.data ?? []), ...(used.data ?? []).map(usedOperation)],
      }
    : undefined
  return { loaded, error, isMissing }
}
