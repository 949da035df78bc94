/** The JSON Schema of an operation's params as rows of a table and rules between them. */
import type { TObject } from 'typebox'
import { code, either, grouped } from './markdown.ts'

interface Schema {
  type?: string
  format?: string
  title?: string
  description?: string
  default?: unknown
  enum?: (string | number)[]
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  allOf?: { not?: Schema }[]
  dependentRequired?: Record<string, string[]>
  'x-unit'?: string
}

/** Name, type, default, bounds, unit, description; properties of objects follow with dotted names. */
export function paramRows(params: TObject): string[][] {
  return rowsOf(params as Schema, '')
}

/** Rules between params, a sentence each. */
export function paramRules(params: TObject): string[] {
  const { anyOf = [], allOf = [], dependentRequired = {} } = params as Schema
  const needed = anyOf.flatMap(({ required = [] }) => required)
  const rules = needed.length > 0 ? [`Requires at least one of ${either(needed.map(code))}.`] : []
  for (const { not } of allOf) {
    if (not?.required) rules.push(`Set ${either(not.required.map(code))}, not both.`)
  }
  for (const [name, others] of Object.entries(dependentRequired)) {
    rules.push(`${code(name)} requires ${others.map(code).join(' and ')}.`)
  }
  return rules
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const row = [
      code(path),
      typeOf(schema),
      defaultOf(schema, required.includes(name)),
      boundsOf(schema),
      schema['x-unit'] ?? '',
      schema.description ?? '',
    ]
    return [row, ...rowsOf(schema, `${path}.`)]
  })
}

function typeOf({ type, format, enum: options, items }: Schema): string {
  if (options !== undefined) return 'choice'
  if (format === 'color') return 'colour'
  if (type === 'integer') return 'whole number'
  if (type === 'array') return `list of ${items ? typeOf(items) : 'values'}`
  if (type === undefined) throw new Error('a param of an unknown type')
  return type
}

function defaultOf({ default: value }: Schema, isRequired: boolean): string {
  if (value !== undefined) return code(typeof value === 'string' ? value : JSON.stringify(value))
  return isRequired ? 'required' : ''
}

function boundsOf(schema: Schema): string {
  const { enum: options, minimum, maximum, multipleOf, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  if (options !== undefined) return options.map(code).join(' ')
  if (schema.format === 'color') return ''
  if (maxLength !== undefined) return `${minLength} to ${grouped(maxLength)} characters`
  if (maxItems !== undefined) return `${minItems} to ${maxItems} items`
  if (minimum === undefined && maximum === undefined) return ''
  const range = `${minimum ?? 'any'} to ${maximum ?? 'any'}`
  return multipleOf === undefined ? range : `${range}, in steps of ${multipleOf}`
}
