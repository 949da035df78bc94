/** Values of parameters against their declarations. */
import { withDefaults, withNulls, withoutNulls } from './absent-fields.ts'
import {
  kindOf,
  schemaProblems,
  structureProblem,
  type ValueProblem,
  type ValueSchema,
  type ValuesLeft,
  visitTexts,
} from './json-schema.ts'
import { parameterCharsMax, parameterValuesMax } from './limits.ts'
import {
  charsOf,
  formatProblem,
  hasAtMost,
  isDataUrl,
  type ParameterFormat,
  type TextFormat,
} from './parameter-formats.ts'
import { list, show } from './text.ts'

export interface ParameterType {
  type: 'string' | 'number'
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  format?: ParameterFormat
  /** Schema of a parameter of format `json`. */
  schema?: ValueSchema
}

/** A value as templates see it: of format `boolean` true or false, of format `json` the parsed value. */
export type ParameterValue = string | number | boolean | { [name: string]: unknown } | unknown[]

export type ReadValue =
  | { value: ParameterValue; problems?: undefined }
  | { value?: undefined; problems: ValueProblem[] }

/**
 * The value that templates see, or every problem of the passed value. Apart from the two formats, nothing is converted.
 * `left`: shared by the values of a request.
 */
export function readValue(
  declaration: ParameterType,
  passed: unknown,
  left: ValuesLeft = { values: parameterValuesMax },
): ReadValue {
  const { type, format } = declaration
  if (type === 'number') return orProblem(passed as number, numberProblem(declaration, passed))
  if (format === 'json') return readJson(declaration, passed, left)
  if (format === 'boolean') {
    const value = passed === 'true' ? true : passed === 'false' ? false : passed
    return orProblem(
      value as boolean,
      typeof value === 'boolean' ? undefined : `must be true or false, not ${kindOf(passed)}`,
    )
  }
  return orProblem(passed as string, textProblem(declaration, passed))
}

/** The value in the scope of templates: declared fields that a JSON value doesn't have are null. */
export function scopeValue({ format, schema }: ParameterType, value: ParameterValue): unknown {
  return format === 'json' && schema !== undefined ? withNulls(schema, value) : value
}

/** The opposite of `scopeValue`: a value that a template passes to a parameter of another workflow. */
export function passedValue({ format, schema }: ParameterType, value: unknown): unknown {
  return format === 'json' && schema !== undefined ? withoutNulls(schema, value) : value
}

/** The images of a value that `readValue` returned. */
export function visitImages(
  declaration: ParameterType,
  value: ParameterValue,
  visit: (source: string, path: string, replace: (source: string) => void) => void,
  replaceAll: (value: ParameterValue) => void,
): void {
  const { format, schema } = declaration
  if (format === 'image') visit(String(value), '', replaceAll)
  if (format === 'json' && schema !== undefined) visitTexts(schema, 'image', value, visit)
}

/** The documented type of a default is that of the parameter: a boolean or JSON is text. */
export function defaultText<Value>(value: Value): Value | string {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null) ? JSON.stringify(value) : value
}

function orProblem(value: ParameterValue, message: string | undefined): ReadValue {
  return message === undefined ? { value } : { problems: [{ path: '', message }] }
}

function numberProblem({ minimum, maximum }: ParameterType, value: unknown): string | undefined {
  if (typeof value !== 'number') return `must be a number, not ${typed(value)}`
  if (!Number.isFinite(value)) return 'must be a finite number'
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, not ${value}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, not ${value}`
  return undefined
}

function textProblem({ enum: allowed, format }: ParameterType, value: unknown): string | undefined {
  if (typeof value !== 'string') return `must be a string, not ${typed(value)}`
  if (format === 'image' && isDataUrl(value)) {
    const problem = formatProblem(format, value)
    return problem && `${problem}, not ${show(value)}`
  }
  if (!hasAtMost(value, parameterCharsMax))
    return `must have at most ${parameterCharsMax} characters, not ${charsOf(value)}`
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${list(allowed)}, not ${show(value)}`
  const problem = isTextFormat(format) ? formatProblem(format, value) : undefined
  return problem === undefined ? undefined : `${problem}, not ${show(value)}`
}

export function isTextFormat(format: ParameterFormat | undefined): format is TextFormat {
  return format !== undefined && format !== 'boolean' && format !== 'enum' && format !== 'json'
}

function readJson({ schema }: ParameterType, passed: unknown, left: ValuesLeft): ReadValue {
  const rejected = (message: string): ReadValue => ({ problems: [{ path: '', message }] })
  let value = passed
  if (typeof passed === 'string') {
    try {
      value = JSON.parse(passed) as unknown
    } catch (error) {
      return rejected(`must be JSON, or JSON as text. ${error instanceof Error ? error.message : ''}`)
    }
  }
  if (typeof value !== 'object' || value === null)
    return rejected(`must be ${schema?.type === 'array' ? 'an array' : 'an object'}, not ${kindOf(value)}`)
  // Before the schema is applied, so that the work has a bound.
  const problem = structureProblem(value, left)
  if (problem !== undefined) return rejected(problem)
  if (left.values < 0) return rejected(tooManyValues)
  if (schema === undefined) return { value: value as ParameterValue }
  let chars = JSON.stringify(value).length
  // They become image ids.
  visitTexts(schema, 'image', value, (text) => (chars -= isDataUrl(text) ? text.length : 0))
  if (chars > parameterCharsMax)
    return rejected(`must have at most ${parameterCharsMax} characters as JSON, not ${chars}`)
  const problems = schemaProblems(schema, value)
  if (problems.length > 0) return { problems }
  const completed = withDefaults(schema, value, parameterCharsMax - chars, left)
  if (left.values < 0) return rejected(tooManyValues)
  if (completed === undefined)
    return rejected(`must have at most ${parameterCharsMax} characters as JSON, with the defaults of its fields`)
  return { value: completed as ParameterValue }
}

const tooManyValues = `has too many fields and items. The JSON parameters of a request can have at most ${parameterValuesMax} together, with declared fields that are not passed.`

function typed(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
  return `${show(value)} (${kind})`
}
