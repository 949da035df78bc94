/** The form of a parameter's declaration, and the effects of its changes. */

import { type ParameterFormat, parameterFormats } from '../../../../shared/parameter-formats.ts'
import { type ParameterValue, readValue } from '../../../../shared/parameters.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { firstKey, setAt } from '../document/path.ts'
import { parsedValue } from '../form/json-values.ts'
import { valueSchemaOf } from '../form/parameter-schema.ts'
import type { JsonSchema } from '../form/schema.ts'

const numberField = { type: 'number' }

/** The fields of a declaration, except for its name. Bounds and options depend on the type, the rest on the format. */
export function declarationSchema(parameter: Parameter): JsonSchema {
  const { type, format, enum: options } = parameter
  const isNumber = type === 'number'
  const hasOptions = !isNumber && format !== 'boolean' && format !== 'json'
  return {
    type: 'object',
    properties: {
      type: {
        enum: ['string', 'number'],
        title: 'Type',
        description: 'A string (also an image, a colour, a date or JSON) or a number.',
      },
      ...(isNumber
        ? {}
        : {
            format: {
              enum: [...parameterFormats],
              title: 'Format',
              'x-labels': formatLabels,
              description: 'Format of the text. Forms show a matching field, and requests are checked.',
            },
          }),
      ...(format === 'json'
        ? {
            schema: {
              title: 'Value',
              'x-widget': 'schema',
              description: 'The fields or the items of the value: a JSON Schema (2020-12).',
            },
          }
        : {}),
      default: { ...defaultSchemaOf(parameter), description: 'The value if a request doesn’t pass one.' },
      required: { type: 'boolean', default: false, description: 'Whether every request must pass a value.' },
      ...(isNumber
        ? {
            minimum: { ...numberField, description: 'The smallest value allowed.' },
            maximum: { ...numberField, description: 'The largest value allowed.' },
          }
        : {}),
      ...(hasOptions
        ? {
            enum: {
              type: 'array',
              title: 'Options',
              items: { type: 'string' },
              minItems: 1,
              maxItems: 200,
              description: 'The values allowed.',
            },
          }
        : {}),
      ...(hasOptions && options !== undefined ? { labels: labelsSchemaOf(options) } : {}),
      description: { type: 'string', maxLength: 4000, description: 'A description for people who run the workflow.' },
    },
    required: ['type'],
  }
}

export const formatLabels: Record<ParameterFormat, string> = {
  image: 'Image',
  color: 'Colour',
  url: 'URL',
  date: 'Date',
  multiline: 'Text of several lines',
  font: 'Font',
  model: 'AI model',
  boolean: 'Yes or no',
  enum: 'One of several options',
  json: 'JSON',
}

function defaultSchemaOf(parameter: Parameter): JsonSchema {
  const { type, format, minimum, maximum, enum: options } = parameter
  if (type === 'number')
    return {
      ...numberField,
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
      'x-widget': 'text',
    }
  if (format !== undefined && (format !== 'enum' || options !== undefined)) {
    const { description: _, default: __, ...schema } = valueSchemaOf(parameter)
    return { ...schema, title: 'Default' }
  }
  return { type: 'string', maxLength: 100_000, ...(options === undefined ? {} : { enum: options }), 'x-widget': 'text' }
}

function labelsSchemaOf(options: readonly string[]): JsonSchema {
  return {
    type: 'object',
    title: 'Labels',
    'x-widget': 'labels',
    examples: [...options],
    description: 'The names of the options in forms.',
  }
}

/** Changes one field. A change of the type or the format removes the fields of the old one. */
export function retyped(parameter: Parameter, field: string, value: unknown): Parameter {
  if (field === 'type' && (value === 'string' || value === 'number')) {
    const {
      enum: _,
      labels: __,
      format: ___,
      schema: ____,
      minimum: _____,
      maximum: ______,
      default: before,
      ...others
    } = parameter
    const number = Number(before)
    const text = typeof before === 'object' ? undefined : before?.toString()
    const next = value === 'string' ? text : before === '' || Number.isNaN(number) ? undefined : number
    return { ...others, type: value, ...(next === undefined ? {} : { default: next }) }
  }
  // Not structuredClone: in an edit of the document, the parameter is a draft of immer.
  const changed = JSON.parse(JSON.stringify(withParsedDefault(parameter))) as Parameter
  setAt(changed, field, value === false && field === 'required' ? undefined : value)
  if (field === 'format') return reformatted(changed)
  return firstKey(field) === 'enum' ? relabeled(changed, parameter.enum ?? []) : changed
}

/** Copy with the value of a default that is written as text. */
export function withParsedDefault(parameter: Parameter): Parameter {
  const { default: preset } = parameter
  return preset === undefined ? parameter : { ...parameter, default: parsedValue(parameter, preset) as ParameterValue }
}

/** A renamed option keeps its label. Labels of removed options are removed. */
function relabeled({ labels, ...parameter }: Parameter, before: readonly string[]): Parameter {
  const { enum: options = [] } = parameter
  const isRenamed = options.length === before.length
  const kept = options.flatMap((option, i) => {
    const old = isRenamed ? (before[i] ?? option) : option
    return labels !== undefined && Object.hasOwn(labels, old) ? [[option, labels[old] ?? '']] : []
  })
  return kept.length === 0 ? parameter : { ...parameter, labels: Object.fromEntries(kept) }
}

/** Copy without what the new format doesn't have. A default that doesn't fit is removed. */
function reformatted({ schema, enum: options, labels, default: before, ...others }: Parameter): Parameter {
  const { format } = others
  const hasOptions = format !== 'boolean' && format !== 'json'
  const next: Parameter = {
    ...others,
    ...(format === 'json' ? { schema: schema ?? emptyList } : {}),
    ...(format === 'enum' && options === undefined ? { enum: ['first', 'second'] } : {}),
    ...(hasOptions && options !== undefined ? { enum: options } : {}),
    ...(hasOptions && labels !== undefined ? { labels } : {}),
  }
  const fits = before !== undefined && readValue(next, before).problems === undefined
  return fits ? { ...next, default: before } : next
}

const emptyList = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } as const
