/** The context of all fields of a form: its path, its issues and its callbacks. */

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Issue } from '../../api/client.ts'
import { isWithin, joinPath, pathBelow } from '../document/path.ts'
import type { LineMark } from './template/line-numbers.tsx'

export interface FormContextValue {
  /** The path of the form, such as `nodes.title.params`. */
  at: string
  /** The node whose templates these are; undefined for the output. */
  node?: string | undefined
  /** Whether values may be templates. */
  withTemplates: boolean
  /** The capability of AI models that the operation needs. */
  capability?: string | undefined
  issues: readonly Issue[]
  /** The field to focus. Folded parts open to show it. */
  focus?: { path: string; at: number } | undefined
  /**
   * Sets the value at a path relative to the form, such as `box.x`. `undefined` removes it, so that the default is
   * used.
   */
  onChange(path: string, value: unknown): void
  /** Creates a workflow parameter from the value. */
  promote?: ((path: string, value: unknown) => void) | undefined
}

/** Whether descriptions are shown below the fields, instead of in a tooltip. */
export const HelpContext = createContext(false)

/** Creates a workflow parameter that a template uses; undefined if the document can't be changed. */
export const CreateParameterContext = createContext<((name: string) => void) | undefined>(undefined)

const FormContext = createContext<FormContextValue | undefined>(undefined)

export function FormProvider({ value, children }: { value: FormContextValue; children: ReactNode }) {
  return <FormContext value={value}>{children}</FormContext>
}

export function useForm(): FormContextValue {
  const form = useContext(FormContext)
  if (form === undefined) throw new Error('A field needs a form around it.')
  return form
}

/** Whether a value is still missing in an unfinished document. In a form that is sent, a missing value is an error. */
export function useIsMissing(value: unknown): boolean {
  return useForm().withTemplates && value === undefined
}

/** The problems of the value at `path`; with `deep`, also of its parts. */
export function useProblems(path: string, deep = false): readonly string[] {
  const { at, issues } = useForm()
  const fieldPath = joinPath(at, path)
  return useMemo(() => {
    const problems = issues
      .filter((issue) => issue.path === fieldPath || (deep && isWithin(issue.path, fieldPath)))
      .map((issue) =>
        issue.path === fieldPath ? issue.message : `${pathBelow(issue.path, fieldPath)} ${issue.message}`,
      )
    return [...new Set(problems)]
  }, [issues, fieldPath, deep])
}

/** The problems of the text at `path` that have a place in it. */
export function useLineMarks(path = ''): readonly LineMark[] {
  const { at, issues } = useForm()
  const fieldPath = joinPath(at, path)
  return useMemo(
    () =>
      issues.flatMap(({ path: issuePath, message, line, column = 1 }) =>
        issuePath === fieldPath && line !== undefined ? { line, column, message } : [],
      ),
    [issues, fieldPath],
  )
}
