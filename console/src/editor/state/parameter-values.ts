/** What the form of parameters holds, against what the document declares. */

import { ApiError, type Issue } from '../../api/client.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { usedParameters } from '../document/parameters.ts'
import { isWithin } from '../document/path.ts'

/** What is passed to an execution: of the declared parameters those that have a value; defaults are the service's matter. */
export function declaredValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  const declared = parameters.flatMap(({ name }) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(declared)
}

/** Nodes that read a parameter whose value is another one now. */
export function changedParameters(
  { nodes }: WorkflowDocument,
  before: ParameterValues,
  now: ParameterValues,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)].filter((name) => before[name] !== now[name]))
  if (names.size === 0) return []
  return Object.entries(nodes).flatMap(([id, node]) =>
    [...usedParameters(node)].some((name) => names.has(name)) ? [id] : [],
  )
}

/** Values that an execution takes: those of the form, else the default, else something that shows what belongs there. */
export function exampleValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap(({ name, type, required, default: defaultValue, enum: options, minimum, description }) => {
      const value = values[name]
      if (value !== undefined) return [[name, value] as const]
      // What the service fills in by itself need not be passed.
      if (!required && defaultValue !== undefined) return [[name, defaultValue] as const]
      if (!required) return []
      return [[name, type === 'number' ? (minimum ?? 1) : (options?.[0] ?? (description || name))] as const]
    }),
  )
}

/** Of a refused run, what was wrong with the parameters: by their names. */
export function parameterIssues(problem: Error | undefined): Issue[] {
  return problem instanceof ApiError ? problem.issues.filter(({ path }) => isWithin(path, 'parameters')) : []
}
