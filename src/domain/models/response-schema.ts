/**
 * Schemas for the structured output of providers. Their common part of JSON Schema has closed objects in which every field is
 * required, an object at the root, and no lengths of text (https://developers.openai.com/api/docs/guides/structured-outputs).
 */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { formatExpected } from '../../../shared/parameter-formats.ts'

type Json = Record<string, unknown>

/** The field of a list, because the root must be an object. */
const listField = 'items'

export function responseSchema(schema: ValueSchema): Json {
  if (schema.type === 'object') return strict(schema)
  return {
    type: 'object',
    properties: { [listField]: strict(schema) },
    required: [listField],
    additionalProperties: false,
  }
}

/** The text of a response to `responseSchema` as the caller expects it: a list, and no fields that the model left empty. */
export function unwrapped(schema: ValueSchema, text: string): string {
  const value = parsed(text)
  const inner = schema.type === 'array' && isFields(value) ? value[listField] : value
  return inner === undefined ? text : JSON.stringify(withoutNulls(schema, inner))
}

function strict(schema: ValueSchema): Json {
  const { type, enum: options, properties = {}, required = [], items, minItems, maxItems, minimum, maximum } = schema
  const description = descriptionOf(schema)
  const about = description === '' ? {} : { description }
  if (type === 'object') {
    const fields = Object.entries(properties).map(([name, field]) => {
      const inner = strict(field)
      return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }]
    })
    return {
      type,
      ...about,
      properties: Object.fromEntries(fields),
      required: Object.keys(properties),
      additionalProperties: false,
    }
  }
  return defined({ type, ...about, enum: options, minItems, maxItems, minimum, maximum, items: items && strict(items) })
}

/** Rules that have no keyword there. */
function descriptionOf({ title, description, minLength, maxLength, format }: ValueSchema): string {
  const parts = [
    description ?? title,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    minLength ? `At least ${minLength} characters.` : undefined,
    format === undefined ? undefined : formatExpected(format),
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}

function withoutNulls(schema: ValueSchema, value: unknown): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item) => withoutNulls(schema.items as ValueSchema, item)) : value
  if (!isFields(value)) return value
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(value).filter(([name, field]) => field !== null || required.includes(name))
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? withoutNulls(properties[name] as ValueSchema, field) : field,
    ]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isFields(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function defined(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
