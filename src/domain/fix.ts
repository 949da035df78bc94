/** Likely corrections of names and values, for people and programs that read the issues of a document. */
import type { TSchema } from 'typebox'
import { colorNames } from '../../shared/color-names.ts'
import { similarNames } from '../../shared/suggest.ts'
import type { Fix } from '../errors.ts'

/** The correction of a field that its holder doesn't have: the closest name that isn't set, or the only one. `present`: the fields of the holder. */
export function fixOfField(name: string, known: readonly string[], present: object = {}): Fix {
  const missing = known.filter((each) => !Object.hasOwn(present, each))
  const likely = similarNames(name, missing)[0] ?? (known.length === 1 ? missing[0] : undefined)
  return likely === undefined ? { remove: true } : { rename: likely }
}

/** The correction of a name as a value, such as the id of a node. */
export function fixOfName(name: string, known: readonly string[]): { fix?: Fix } {
  const [likely] = similarNames(name, known)
  return likely === undefined ? {} : { fix: { value: likely } }
}

/** The correction of a value that doesn't fit its schema. `fits` checks the candidates. */
export function fixOfValue(value: unknown, schema: TSchema, fits: (value: unknown) => boolean): Fix | undefined {
  const found = candidates(value, schema as ValueSchema).find((each) => each !== undefined && fits(each))
  return found === undefined ? undefined : { value: found }
}

interface ValueSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: ValueSchema[]
  oneOf?: ValueSchema[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  maxItems?: number
  default?: unknown
}

/** The most likely first. */
function candidates(value: unknown, schema: ValueSchema): unknown[] {
  const { anyOf = [], oneOf = [], minimum, maximum, exclusiveMinimum, maxItems } = schema
  const literals = [...(schema.enum ?? []), ...[schema, ...anyOf, ...oneOf].map((each) => each.const)]
  const names = [...literals, ...(schema.format === 'color' ? colorNames : [])].filter(isText)
  const number = numberOf(value)
  const numbers =
    number === undefined ? [] : [number, Math.max(minimum ?? -Infinity, Math.min(maximum ?? Infinity, number))]
  return [
    ...numbers,
    ...numbers.map(Math.round),
    ...(isText(value) ? [/^(true|yes|on)$/i.test(value), ...similarNames(value, names)] : []),
    ...(typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []),
    ...(Array.isArray(value) ? [value.slice(0, maxItems), value[0]] : [[value]]),
    schema.default,
    literals.length === 1 ? literals[0] : undefined,
    exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1,
  ]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The number, or the one at the start of a text such as "20px". */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [text] = (isText(value) && /^\s*-?\d+(\.\d+)?/.exec(value)) || []
  return text === undefined ? undefined : Number(text)
}
