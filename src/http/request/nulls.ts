/** `null` for an optional field of a request means that the field is absent. */
import type { TSchema } from 'typebox'

interface ObjectSchema {
  properties?: Record<string, TSchema>
  required?: string[]
  patternProperties?: Record<string, TSchema>
  additionalProperties?: TSchema | boolean
  items?: TSchema
  maxItems?: number
  maxProperties?: number
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  'x-reference'?: TSchema
}

/**
 * Deletes fields from the value that are null, optional in the schema, and of a type without null. A null in a value of
 * any type (a node's params, a draft's document) stays: it may have a meaning there. Lists and objects with more values than the schema allows stay
 * as well: the request will be refused, and each value takes time.
 */
export function dropNulls(schema: TSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { properties = {}, required = [], items, maxItems, maxProperties, ...rest } = schema as ObjectSchema
  const isTooLong = Array.isArray(value)
    ? maxItems !== undefined && value.length > maxItems
    : maxProperties !== undefined && Object.keys(value).length > maxProperties
  if (isTooLong) return
  for (const alternative of [rest['x-reference'], ...(rest.anyOf ?? []), ...(rest.oneOf ?? [])])
    if (alternative) dropNulls(alternative, value)
  if (Array.isArray(value)) {
    if (items) for (const item of value) dropNulls(items, item)
    return
  }
  const fields = value as Record<string, unknown>
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, name)) continue
    // TypeBox lists a field with a default as required.
    const isOptional = !required.includes(name) || (field as { default?: unknown }).default !== undefined
    if (fields[name] === null && isOptional && !allowsNull(field)) delete fields[name]
    else dropNulls(field, fields[name])
  }
  const others = Object.values(rest.patternProperties ?? {})
  if (typeof rest.additionalProperties === 'object') others.push(rest.additionalProperties)
  // A schema without keywords accepts every value.
  for (const other of others.filter((each) => Object.keys(each).length > 0))
    for (const [name, field] of Object.entries(fields)) if (!Object.hasOwn(properties, name)) dropNulls(other, field)
}

/** A schema without a type allows every value. */
function allowsNull(schema: TSchema): boolean {
  const { type, anyOf, oneOf, enum: values } = schema as { type?: unknown; enum?: unknown[] } & ObjectSchema
  const options = anyOf ?? oneOf
  if (options) return options.some(allowsNull)
  if (values) return values.includes(null)
  if ('const' in schema) return schema.const === null
  return type === undefined || [type].flat().includes('null')
}
