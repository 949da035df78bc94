import { useEffect, useRef } from 'react'
import { showField } from '../form/show-field.ts'
import { parameterIssues } from '../state/parameter-values.ts'

/** Focuses the invalid parameter of a form after a run was rejected. */
export function useFocusInvalid<Form extends HTMLElement>(problem: Error | undefined) {
  const form = useRef<Form>(null)
  useEffect(() => {
    const [first] = parameterIssues(problem)
    return first === undefined ? undefined : showField(form, first.path)
  }, [problem])
  return form
}
