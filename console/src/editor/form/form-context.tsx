/** What every field of a form shares: where it stands, what is wrong with it, and how a value is put. */

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Issue } from '../../api/client.ts'
import { isWithin, joinPath, pathBelow } from '../document/path.ts'

export interface FormContextValue {
  /** The path of the whole, such as `nodes.title.params`. */
  at: string
  /** Whose templates these are: a node's id. Undefined for the output. */
  node?: string | undefined
  /** Whether values may be templates. */
  withTemplates: boolean
  /** What the operation asks AI models for. */
  capability?: string | undefined
  issues: readonly Issue[]
  /** The field that is to be shown; it opens what hides it. */
  focus?: { path: string; at: number } | undefined
  /** `undefined` takes the value out, so that its default holds. `path` is inside the form: `box.x`. */
  onChange(path: string, value: unknown): void
  /** Makes a parameter of the workflow that has this value, and gives its name. */
  promote?: ((path: string, value: unknown) => void) | undefined
}

/** Whether what fields are for is written below them; else it is behind a mark. */
export const HelpContext = createContext(false)

const FormContext = createContext<FormContextValue | undefined>(undefined)

export function FormProvider({ value, children }: { value: FormContextValue; children: ReactNode }) {
  return <FormContext value={value}>{children}</FormContext>
}

export function useForm(): FormContextValue {
  const form = useContext(FormContext)
  if (form === undefined) throw new Error('There is no form around this field.')
  return form
}

/** Whether nothing is there yet, in a document that is still written. In a form that is sent, that is wrong. */
export function useIsMissing(value: unknown): boolean {
  return useForm().withTemplates && value === undefined
}

/** What is wrong with the value at `path`; with `deep`, also with what is in it. */
export function useProblems(path: string, deep = false): readonly string[] {
  const { at, issues } = useForm()
  const whole = joinPath(at, path)
  return useMemo(() => {
    const problems = issues
      .filter((issue) => issue.path === whole || (deep && isWithin(issue.path, whole)))
      .map((issue) => (issue.path === whole ? issue.message : `${pathBelow(issue.path, whole)} ${issue.message}`))
    return [...new Set(problems)]
  }, [issues, whole, deep])
}
