/** The values of the run form and the parameters of the document. */

import { type ParameterValue, readValue } from '../../../../shared/parameters.ts'
import { type Issue, issuesOf } from '../../api/client.ts'
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
  const defaults = new Map(
    parameters.flatMap((parameter) =>
      parameter.default === undefined ? [] : [[parameter.name, readValue(parameter, parameter.default).value]],
    ),
  )
  const isDefault = (name: string, value: ParameterValue) =>
    JSON.stringify(defaults.get(name)) === JSON.stringify(value)
  return Object.fromEntries(Object.entries(executed).filter(([name, value]) => !isDefault(name, value)))
}

/** More are not looked for. */
const imagesMax = 100

/** The stored images among the values, also inside JSON. Text can be a list of images, with one id per line. */
export function imagesOf(values: ParameterValues): string[] {
  const lines = textsIn(values).flatMap((text) => text.split('\n'))
  return [...new Set(lines.map((line) => line.trim()).filter(isImageId))].slice(0, imagesMax)
}

/** The values without these images. A value that was only one of them is left out. */
export function withoutImages(values: ParameterValues, images: ReadonlySet<string>): ParameterValues {
  const left = Object.entries(values).flatMap(([name, value]): [string, ParameterValue][] => {
    if (typeof value === 'object') return [[name, withoutTexts(value, images) as ParameterValue]]
    if (typeof value !== 'string') return [[name, value]]
    const lines = value.split('\n')
    const otherLines = lines.filter((line) => !images.has(line.trim()))
    if (otherLines.length === lines.length) return [[name, value]]
    return otherLines.length === 0 ? [] : [[name, otherLines.join('\n')]]
  })
  return Object.fromEntries(left)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Leaves out the fields and items that are one of the texts. */
function withoutTexts(value: unknown, texts: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isKept = (text: unknown) => typeof text !== 'string' || !texts.has(text)
  if (Array.isArray(value)) return value.filter(isKept).map((item) => withoutTexts(item, texts))
  const fields = Object.entries(value).filter(([, field]) => isKept(field))
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutTexts(field, texts)]))
}

/** The issues of the parameters in a rejected run. */
export function parameterIssues(problem: Error | undefined): Issue[] {
  return issuesOf(problem).filter(({ path }) => isWithin(path, 'parameters'))
}
