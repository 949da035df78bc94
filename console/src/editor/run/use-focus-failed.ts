import { useEffect, useRef } from 'react'
import { operationOf } from '../../api/operations.ts'
import { useEditor, useRun } from '../state/editor-context.ts'
import { failedField } from './failed-field.ts'

/** Focuses the field that can repair a failed run, once for each execution. */
export function useFocusFailed(): void {
  const { document: store, catalogue } = useEditor()
  const execution = useRun((run) => run.execution)
  const shownFor = useRef<string>(undefined)
  useEffect(() => {
    if (execution?.status !== 'failed' || execution.error === undefined) return
    const { node } = execution.error.details
    if (typeof node !== 'string' || shownFor.current === execution.executionId) return
    shownFor.current = execution.executionId
    const { document, focusOn } = store.getState()
    focusOn(failedField(execution.error, node, operationOf(catalogue, document.nodes[node])))
  }, [execution, store, catalogue])
}
