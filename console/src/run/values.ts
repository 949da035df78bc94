/** What the form of parameters holds, against what the document declares. */
import { usedParameters } from '../document/parameters.ts'
import type { WorkflowDocument } from '../document/types.ts'
import type { ParameterValues } from './run-context.tsx'

/** What is passed to an execution: of the declared parameters those that have a value; defaults are the service's matter. */
export function declaredValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  const given = parameters.flatMap(({ name }) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
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
