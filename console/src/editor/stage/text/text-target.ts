/** The place where an edit of a drawn text is written: the param, the value of a parameter in the run form, or none. */
import { readValue } from '../../../../../shared/parameters.ts'
import { isTemplate } from '../../../../../shared/values.ts'
import type { Parameter, ParameterValues } from '../../../api/workflow-document.ts'
import { valueAt } from '../../document/path.ts'
import { onlyParameter, referencesIn } from '../../document/references.ts'

export type TextTarget =
  | { kind: 'param'; value: string }
  | { kind: 'parameter'; name: string; value: string }
  | { kind: 'locked'; reason: string }

interface Source {
  params: Readonly<Record<string, unknown>>
  parameters: readonly Parameter[]
  values: ParameterValues
  /** Path of the param. */
  param: string
}

export function textTarget({ params, parameters, values, param }: Source): TextTarget {
  const value = valueAt(params, param) ?? ''
  if (!isTemplate(value)) return { kind: 'param', value: String(value) }
  const name = onlyParameter(value)
  const parameter = parameters.find((declared) => declared.name === name)
  if (parameter === undefined) return { kind: 'locked', reason: dependsOn(value) }
  const { type, format, enum: options } = parameter
  if (type !== 'string' || format !== undefined || options !== undefined)
    return { kind: 'locked', reason: `is the value of ${parameter.name}, which is no plain text` }
  const initial = parameter.default === undefined ? '' : readValue(parameter, parameter.default).value
  return { kind: 'parameter', name: parameter.name, value: String(values[parameter.name] ?? initial) }
}

function dependsOn(template: string): string {
  const names = referencesIn(template).map(({ kind, name }) => (kind === 'node' ? `nodes.${name}` : name))
  const listed = [...new Set(names)].join(', ')
  return listed === '' ? 'is made by a template' : `is made by a template with ${listed}`
}
