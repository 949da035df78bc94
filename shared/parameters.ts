/** Values of parameters against their declarations. */
import {
  kindOf,
  schemaProblems,
  structureProblem,
  type ValueProblem,
  type ValueSchema,
  visitTexts,
} from './json-schema.ts'
import { parameterCharsMax } from './limits.ts'
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
  /** Of a parameter of format `json`. */
  schema?: ValueSchema
}

/** A value as templates see it: of format `boolean` true or false, of format `json` the parsed value. */
export type ParameterValue = string | number | boolean | { [name: string]: unknown } | unknown[]

export type ReadValue =
  | { value: ParameterValue; problems?: undefined }
  | { value?: undefined; problems: ValueProblem[] }

/** The value that templates see, or every problem of the passed value. Apart from the two formats, nothing is converted. */
export function readValue(declaration: ParameterType, passed: unknown): ReadValue {
  const { type, format } = declaration
  if (type === 'number') return orProblem(passed as number, numberProblem(declaration, passed))
  if (format === 'json') return readJson(declaration, passed)
  if (format === 'boolean') {
    const value = passed === 'true' ? true : passed === 'false' ? false : passed
    return orProblem(
      value as boolean,
      typeof value === 'boolean' ? undefined : `must be true or false, not ${kindOf(passed)}`,
    )
  }
  return orProblem(passed as string, textProblem(declaration, passed))
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
    return formatProblem(format, value) && `must be ${dataUrlExpected}, not ${show(value)}`
  }
  if (!hasAtMost(value, parameterCharsMax))
    return `must have at most ${parameterCharsMax} characters, not ${charsOf(value)}`
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${list(allowed)}, not ${show(value)}`
  const problem = isTextFormat(format) ? formatProblem(format, value) : undefined
  return problem === undefined ? undefined : `${problem}, not ${show(value)}`
}

const dataUrlExpected = 'a data: URL of an image, as data:image/png;base64,... of at most 512 KiB'

export function isTextFormat(format: ParameterFormat | undefined): format is TextFormat {
  return format !== undefined && format !== 'boolean' && format !== 'enum' && format !== 'json'
}

function readJson({ schema }: ParameterType, passed: unknown): ReadValue {
  const one = (message: string): ReadValue => ({ problems: [{ path: '', message }] })
  let value = passed
  if (typeof passed === 'string') {
    try {
      value = JSON.parse(passed) as unknown
    } catch (error) {
      return one(`must be JSON, or JSON as text. ${error instanceof Error ? error.message : ''}`)
    }
    const problem = structureProblem(value)
    if (problem !== undefined) return one(problem)
  }
  if (typeof value !== 'object' || value === null)
    return one(`must be ${schema?.type === 'array' ? 'an array' : 'an object'}, not ${kindOf(value)}`)
  const problems = schema === undefined ? [] : schemaProblems(schema, value)
  if (problems.length > 0) return { problems }
  let chars = JSON.stringify(value).length
  // They become image ids.
  if (schema !== undefined) visitTexts(schema, 'image', value, (text) => (chars -= isDataUrl(text) ? text.length : 0))
  if (chars > parameterCharsMax) return one(`must have at most ${parameterCharsMax} characters as JSON, not ${chars}`)
  return { value: value as ParameterValue }
}

function typed(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
  return `${show(value)} (${kind})`
}
