/** Values of fields, converted and checked as the API does it. */
import { show } from '../../../../shared/text.ts'
import { isObject, typesOf } from '../../../../shared/values.ts'
import type { JsonSchema } from './schema.ts'

/** The value of an emptied text field: no value, or empty text if a default would replace it. */
export function valueOfEmptyText({ default: value, minLength = 0 }: JsonSchema): '' | undefined {
  return typeof value === 'string' && value !== '' && minLength === 0 ? '' : undefined
}

/** The problem of a simple value, in the words of the API; undefined if it is valid. */
export function problemOf(value: unknown, schema: JsonSchema): string | undefined {
  const types = typesOf(schema)
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return `must be one of ${schema.enum.map(show).join(', ')}, not ${show(value)}`
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `must be ${types.map(typeText).join(' or ')}, not ${show(value)}`
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum)
      return `must be at least ${schema.minimum}, not ${value}`
    if (schema.maximum !== undefined && value > schema.maximum) return `must be at most ${schema.maximum}, not ${value}`
    if (schema.multipleOf !== undefined && value % schema.multipleOf !== 0)
      return `must be a multiple of ${schema.multipleOf}`
  }
  if (typeof value === 'string') {
    if (schema.minLength !== undefined && value.length < schema.minLength)
      return `must have at least ${schema.minLength} ${schema.minLength === 1 ? 'character' : 'characters'}, not ${value.length}`
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      return `must have at most ${schema.maxLength} characters, not ${value.length}`
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      return `must be ${schema['x-expected'] ?? `text that matches ${schema.pattern}`}`
  }
  return undefined
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function typeText(type: string): string {
  return type === 'integer' ? 'a whole number' : type === 'object' || type === 'array' ? `an ${type}` : `a ${type}`
}

/** Parses "12, 18, 7", or one number per line; undefined if a part is not a number. */
export function numbersOf(text: string): number[] | undefined {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const numbers = parts.map(Number)
  return numbers.every((number) => Number.isFinite(number)) ? numbers : undefined
}
