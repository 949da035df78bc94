/** Turns a value into a workflow parameter. */

import { formatProblem } from '../../../../shared/parameter-formats.ts'
import { typesOf } from '../../../../shared/values.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { pathKeys } from '../document/path.ts'
import { type JsonSchema, schemaAt, widgetOf } from '../form/schema.ts'

/** The declaration of a parameter for the value at `path`: type, bounds and default. */
export function parameterOf(schema: JsonSchema, path: string, value: unknown): Partial<Parameter> {
  const at = schemaAt(schema, path)
  const types = typesOf(at)
  const name = pathKeys(path).findLast((key) => typeof key === 'string') ?? 'parameter'
  if (types.includes('number') || types.includes('integer'))
    return {
      name,
      type: 'number',
      ...(typeof value === 'number' ? { default: value } : { required: true }),
      ...(at.minimum === undefined ? {} : { minimum: at.minimum }),
      ...(at.maximum === undefined ? {} : { maximum: at.maximum }),
    }
  return {
    name,
    type: 'string',
    ...(typeof value === 'string' ? { default: value } : { required: true }),
    ...(at.enum === undefined ? {} : { enum: at.enum.map(String) }),
    ...formatOf(at, String(name), value),
  }
}

/** The format of the value, if its field is of one and the value fits. */
function formatOf(schema: JsonSchema, name: string, value: unknown): Pick<Parameter, 'format'> {
  const widget = widgetOf(schema, name)
  const isOne = widget === 'color' || widget === 'font' || widget === 'image' || widget === 'model'
  if (!isOne || (typeof value === 'string' && formatProblem(widget, value) !== undefined)) return {}
  return { format: widget }
}
