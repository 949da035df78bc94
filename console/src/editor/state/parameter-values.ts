/** The values of the run form and the parameters of the document. */

import { ApiError, type Issue } from '../../api/client.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin } from '../document/path.ts'

/** The values to send with an execution: only declared parameters that have a value. The service adds defaults. */
export function declaredValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  const declared = parameters.flatMap(({ name }) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(declared)
}

/** The values of an earlier execution, without those that are the default anyway. */
export function valuesOf({ parameters = [] }: WorkflowDocument, executed: ParameterValues): ParameterValues {
  const defaults = new Map(parameters.map(({ name, default: value }) => [name, value]))
  return Object.fromEntries(Object.entries(executed).filter(([name, value]) => defaults.get(name) !== value))
}

/** Values for an example call: from the form, or the default, or a placeholder. */
export function exampleValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap(({ name, type, required, default: defaultValue, enum: options, minimum, description }) => {
      const value = values[name]
      if (value !== undefined) return [[name, value] as const]
      // Optional parameters are not needed.
      if (!required && defaultValue !== undefined) return [[name, defaultValue] as const]
      if (!required) return []
      return [[name, type === 'number' ? (minimum ?? 1) : (options?.[0] ?? (description || name))] as const]
    }),
  )
}

/** The issues of the parameters in a rejected run. */
export function parameterIssues(problem: Error | undefined): Issue[] {
  return problem instanceof ApiError ? problem.issues.filter(({ path }) => isWithin(path, 'parameters')) : []
}
