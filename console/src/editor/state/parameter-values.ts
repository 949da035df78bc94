/** The values of the run form and the parameters of the document. */

import { ApiError, type Issue } from '../../api/client.ts'
import { isImageId } from '../../api/images.ts'
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

/** More are not looked for. */
const imagesMax = 100

/** The stored images among the values. A list of images has one id per line. */
export function imagesOf(values: ParameterValues): string[] {
  const lines = Object.values(values).flatMap((value) => (typeof value === 'string' ? value.split('\n') : []))
  return [...new Set(lines.map((line) => line.trim()).filter(isImageId))].slice(0, imagesMax)
}

/** The values without these images. A value that was only one of them is left out. */
export function withoutImages(values: ParameterValues, images: ReadonlySet<string>): ParameterValues {
  const left = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value !== 'string') return [[name, value]]
    const lines = value.split('\n')
    const otherLines = lines.filter((line) => !images.has(line.trim()))
    if (otherLines.length === lines.length) return [[name, value]]
    return otherLines.length === 0 ? [] : [[name, otherLines.join('\n')]]
  })
  return Object.fromEntries(left)
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
