/**
 * Values against the part of JSON Schema 2020-12 that a parameter can declare: objects and lists of text, numbers and booleans.
 * It interprets the schema. Validators that compile one create code from it, and the schema is a caller's.
 */
import { issuesMax, jsonDepthMax } from './limits.ts'
import { charsOf, formatProblem, hasAtMost, type TextFormat } from './parameter-formats.ts'
import { counted, list, show } from './text.ts'
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

/** Problem of a field that an object must have. */
export const isRequiredText = 'is required'

/** The first problems of a value. Reads each part of the value once. */
export function schemaProblems(schema: ValueSchema, value: unknown): ValueProblem[] {
  const problems: ValueProblem[] = []
  collect(schema, value, [], problems)
  return problems
}

type Path = (string | number)[]

/** `path` is the same array at every level: most values have no problem, and a path would be a text for each. */
function collect(schema: ValueSchema, value: unknown, path: Path, problems: ValueProblem[]): void {
  if (!hasType(schema.type, value)) {
    report(problems, path, `must be ${typeText[schema.type]}, not ${kindOf(value)}`)
  } else if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Infinity } = schema
    if (value.length < minItems)
      report(problems, path, `must have at least ${counted(minItems, 'item')}, not ${value.length}`)
    if (value.length > maxItems)
      report(problems, path, `must have at most ${counted(maxItems, 'item')}, not ${value.length}`)
    if (items === undefined) return
    for (let i = 0; i < value.length && problems.length < issuesMax; i += 1) {
      path.push(i)
      collect(items, value[i], path, problems)
      path.pop()
    }
  } else if (isObject(value)) collectFields(schema, value, path, problems)
  else {
    const problem = scalarProblem(schema, value as string | number | boolean)
    if (problem !== undefined) report(problems, path, problem)
  }
}

function collectFields(
  { properties = {}, required = [], additionalProperties = true }: ValueSchema,
  value: Record<string, unknown>,
  path: Path,
  problems: ValueProblem[],
): void {
  for (const name of required) if (!Object.hasOwn(value, name)) report(problems, [...path, name], isRequiredText)
  for (const [name, keyword] of Object.entries(value)) {
    if (problems.length >= issuesMax) return
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    path.push(name)
    if (property !== undefined) collect(property, keyword, path, problems)
    else if (!additionalProperties)
      report(problems, path, `is not a known field. Allowed: ${list(Object.keys(properties))}.`)
    path.pop()
  }
}

function report(problems: ValueProblem[], path: Path, message: string): void {
  if (problems.length < issuesMax) problems.push({ path: path.join('.'), message })
}

function scalarProblem(schema: ValueSchema, value: string | number | boolean): string | undefined {
  const { enum: allowed, minLength = 0, maxLength = Infinity, minimum, maximum, format } = schema
  if (allowed !== undefined && !isOption(allowed, value)) return `must be one of ${list(allowed)}, not ${show(value)}`
  if (typeof value === 'string') {
    if (!hasAtMost(value, maxLength))
      return `must have at most ${counted(maxLength, 'character')}, not ${charsOf(value)}`
    if (minLength > 0 && hasAtMost(value, minLength - 1))
      return `must have at least ${counted(minLength, 'character')}, not ${charsOf(value)}`
    const problem = format === undefined ? undefined : formatProblem(format, value)
    return problem === undefined ? undefined : `${problem}, not ${show(value)}`
  }
  if (typeof value !== 'number') return undefined
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, not ${value}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, not ${value}`
  return undefined
}

/** Sets of the `enum` values of schemas with many items, so that a long list of values takes no product of both. */
const optionSets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

function isOption(allowed: readonly unknown[], value: unknown): boolean {
  if (allowed.length <= 8) return allowed.includes(value)
  const known = optionSets.get(allowed) ?? new Set(allowed)
  optionSets.set(allowed, known)
  return known.has(value)
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

/**
 * A problem that no JSON value may have: too many levels, or a name that an assignment would treat as the prototype. Counts the
 * fields and items, and stops when none is left.
 */
export function structureProblem(value: unknown, left: ValuesLeft, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= jsonDepthMax) return `must have at most ${jsonDepthMax} nested levels`
  if (Object.hasOwn(value, '__proto__')) return 'has the name "__proto__", which is not allowed'
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  left.values -= parts.length
  for (const part of parts) {
    if (left.values < 0) return undefined
    const problem = structureProblem(part, left, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The number of fields and items that the values of a request can still have. */
export interface ValuesLeft {
  values: number
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

const typeText: Record<ValueSchema['type'], string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}
