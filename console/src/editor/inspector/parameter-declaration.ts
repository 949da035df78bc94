/** The form of a parameter's declaration, and the effects of its changes. */

import type { Parameter } from '../../api/workflow-document.ts'
import { setAt } from '../document/path.ts'
import type { JsonSchema } from '../form/schema.ts'

const numberField = { type: 'number' }

/** The fields of a declaration, except for its name. Bounds and options depend on the type. */
export function declarationSchema({ type, enum: options, minimum, maximum }: Parameter): JsonSchema {
  const isNumber = type === 'number'
  const value: JsonSchema = isNumber
    ? { ...numberField, ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
    : { type: 'string', maxLength: 100_000, ...(options === undefined ? {} : { enum: options }) }
  return {
    type: 'object',
    properties: {
      type: {
        enum: ['string', 'number'],
        title: 'Type',
        description: 'A string (also an image id or URL) or a number.',
      },
      default: { ...value, 'x-widget': 'text', description: 'The value if a request doesn’t pass one.' },
      required: { type: 'boolean', default: false, description: 'Whether every request must pass a value.' },
      ...(isNumber
        ? {
            minimum: { ...numberField, description: 'The smallest value allowed.' },
            maximum: { ...numberField, description: 'The largest value allowed.' },
          }
        : {
            enum: {
              type: 'array',
              title: 'Options',
              items: { type: 'string' },
              minItems: 1,
              maxItems: 200,
              description: 'The values allowed.',
            },
          }),
      description: { type: 'string', maxLength: 4000, description: 'A description for people who run the workflow.' },
    },
    required: ['type'],
  }
}

/** Changes one field. A change of the type removes fields of the old type. */
export function retyped(parameter: Parameter, field: string, value: unknown): Parameter {
  if (field === 'type' && (value === 'string' || value === 'number')) {
    const { enum: _, minimum: __, maximum: ___, default: before, ...others } = parameter
    const number = Number(before)
    const next = value === 'string' ? before?.toString() : before === '' || Number.isNaN(number) ? undefined : number
    return { ...others, type: value, ...(next === undefined ? {} : { default: next }) }
  }
  const changed = structuredClone({ ...parameter })
  setAt(changed, field, value === false ? undefined : value)
  return changed
}
