/**
 * Values against the part of JSON Schema 2020-12 that a parameter can declare: objects and lists of text, numbers and booleans.
 * It interprets the schema. Validators that compile one create code from it, and the schema is a caller's.
 */
import { issuesMax, jsonDepthMax } from './limits.ts'
import { charsOf, formatProblem, hasAtMost, type TextFormat } from './parameter-formats.ts'
import { list, show } from './text.ts'
import { isObject } from './values.ts'

export interface ValueSchema {
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, ValueSchema>
  required?: string[]
  /** Default: true, as in JSON Schema. */
  additionalProperties?: boolean
  items?: ValueSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: TextFormat
}

/** `path`: with dots, below the value; empty for the value itself. */
export interface ValueProblem {
  path: string
  message: string
}

/** The first problems of a value. Reads each part of the value once. */
export function schemaProblems(schema: ValueSchema, value: unknown): ValueProblem[] {
  const problems: ValueProblem[] = []
  collect(schema, value, '', problems)
  return problems
}

function collect(schema: ValueSchema, value: unknown, path: string, problems: ValueProblem[]): void {
  if (problems.length >= issuesMax) return
  const report = (message: string, name = '') => problems.push({ path: joined(path, name), message })
  if (!hasType(schema.type, value)) {
    report(`must be ${typeText[schema.type]}, not ${kindOf(value)}`)
    return
  }
  if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Infinity } = schema
    if (value.length < minItems)
      report(`must have at least ${minItems} ${plural(minItems, 'item')}, not ${value.length}`)
    if (value.length > maxItems)
      report(`must have at most ${maxItems} ${plural(maxItems, 'item')}, not ${value.length}`)
    if (items === undefined) return
    for (const [i, item] of value.entries()) {
      if (problems.length >= issuesMax) return
      collect(items, item, joined(path, String(i)), problems)
    }
    return
  }
  if (isObject(value)) {
    const { properties = {}, required = [], additionalProperties = true } = schema
    for (const name of required) if (!Object.hasOwn(value, name)) report('is required', name)
    for (const [name, each] of Object.entries(value)) {
      if (problems.length >= issuesMax) return
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property !== undefined) collect(property, each, joined(path, name), problems)
      else if (!additionalProperties) report(`is not a known field. Allowed: ${list(Object.keys(properties))}.`, name)
    }
    return
  }
  const problem = scalarProblem(schema, value as string | number | boolean)
  if (problem !== undefined) report(problem)
}

function scalarProblem(schema: ValueSchema, value: string | number | boolean): string | undefined {
  const { enum: allowed, minLength = 0, maxLength = Infinity, minimum, maximum, format } = schema
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${list(allowed)}, not ${show(value)}`
  if (typeof value === 'string') {
    if (!hasAtMost(value, maxLength)) return `must have at most ${maxLength} characters, not ${charsOf(value)}`
    if (minLength > 0 && hasAtMost(value, minLength - 1))
      return `must have at least ${minLength} ${plural(minLength, 'character')}, not ${charsOf(value)}`
    const problem = format === undefined ? undefined : formatProblem(format, value)
    return problem === undefined ? undefined : `${problem}, not ${show(value)}`
  }
  if (typeof value !== 'number') return undefined
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, not ${value}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, not ${value}`
  return undefined
}

function hasType(type: ValueSchema['type'], value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

/** A value in a message about its type. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `${show(value)} (a ${typeof value})`
}

/** What no parsed JSON may have: too many levels, or a name that an assignment would treat as the prototype. */
export function structureProblem(value: unknown): string | undefined {
  const stack: [unknown, number][] = [[value, 0]]
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [at, depth] = entry
    if (typeof at !== 'object' || at === null) continue
    if (depth >= jsonDepthMax) return `must have at most ${jsonDepthMax} nested levels`
    if (Object.hasOwn(at, '__proto__')) return 'has the name "__proto__", which is not allowed'
    for (const each of Object.values(at)) stack.push([each, depth + 1])
  }
  return undefined
}

/** Calls `visit` for each text at a place of this format, with its path; `replace` puts another text there. */
export function visitTexts(
  schema: ValueSchema,
  format: TextFormat,
  value: unknown,
  visit: (text: string, path: string, replace: (text: string) => void) => void,
): void {
  const holder = { value }
  visitIn(schema, format, holder, 'value', '', visit)
}

function visitIn(
  schema: ValueSchema,
  format: TextFormat,
  holder: object,
  key: string,
  path: string,
  visit: (text: string, path: string, replace: (text: string) => void) => void,
): void {
  const value: unknown = Reflect.get(holder, key)
  if (typeof value === 'string') {
    if (schema.format === format) visit(value, path, (text) => void Reflect.set(holder, key, text))
  } else if (Array.isArray(value)) {
    const { items } = schema
    if (items !== undefined)
      for (const i of value.keys()) visitIn(items, format, value, String(i), joined(path, String(i)), visit)
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const property = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined
      if (property !== undefined) visitIn(property, format, value, name, joined(path, name), visit)
    }
  }
}

export function joined(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}.${name}`
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`
}

const typeText: Record<ValueSchema['type'], string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}
