/** Likely corrections of names and values, for people and programs that read the issues of a document. */
import type { TSchema } from 'typebox'
import { colorNames } from '../../shared/color-names.ts'
import { similarNames } from '../../shared/suggest.ts'
import type { Fix } from '../errors.ts'

/** The correction of a field that its holder doesn't have: the closest name that isn't set, or the only one. `present`: the fields of the holder. */
export function fixOfField(name: string, known: readonly string[], present: object = {}): Fix {
  const missing = known.filter((each) => !Object.hasOwn(present, each))
  return renamed(similarNames(name, missing)[0] ?? (known.length === 1 ? missing[0] : undefined))
}

/** The correction of a field by the schemas of the others, of which one can be meant. `fits`: whether a field accepts the value. */
export function fixOfMeaning(
  name: string,
  fields: Record<string, FieldSchema>,
  { present, required, fits }: { present: object; required: readonly string[]; fits: (field: FieldSchema) => boolean },
): Fix {
  const missing = Object.keys(fields).filter((each) => !Object.hasOwn(present, each))
  const accepts = (field: string) => fits(fields[field] ?? {})
  const similar = similarNames(name, missing)
  const likely = similar.find(accepts) ?? similar[0] ?? (Object.keys(fields).length === 1 ? missing[0] : undefined)
  return renamed(likely ?? fieldMeantBy(name, missing, { fields, required, accepts }))
}

/** The only field that accepts the value and has the name in its description, is required, or accepts only colours or some words. */
function fieldMeantBy(
  name: string,
  missing: string[],
  options: { fields: Record<string, FieldSchema>; required: readonly string[]; accepts: (field: string) => boolean },
): string | undefined {
  const { fields, required, accepts } = options
  const word = name.toLowerCase()
  const wordsOf = ({ description = '' }: FieldSchema) => description.toLowerCase().split(/[^a-z0-9]+/)
  const reasons: ((schema: FieldSchema, field: string) => boolean)[] = [
    (schema) => wordsOf(schema)[0] === word,
    (schema) => wordsOf(schema).includes(word),
    (schema, field) => required.includes(field) && schema.default === undefined,
    (schema) => schema.enum !== undefined || schema.format === 'color',
  ]
  return reasons
    .map((isLikely) => missing.filter((field) => isLikely(fields[field] ?? {}, field) && accepts(field)))
    .find(({ length }) => length === 1)?.[0]
}

export interface FieldSchema {
  description?: string
  default?: unknown
  enum?: unknown[]
  format?: string
}

function renamed(name: string | undefined): Fix {
  return name === undefined ? { remove: true } : { rename: name }
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
    ...(isText(value) ? [/^(true|yes|on)$/i.test(value), ...synonymsOf(value), ...similarNames(value, names)] : []),
    ...(typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []),
    ...(Array.isArray(value) ? [value.slice(0, maxItems), value[0]] : [[value]]),
    schema.default,
    literals.length === 1 ? literals[0] : undefined,
    exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1,
  ]
}

const sides: Record<string, string> = { top: 'north', bottom: 'south', left: 'west', right: 'east' }

/** Names of positions in CSS, and those of params: `top-left` is `north-west`. */
function synonymsOf(value: string): string[] {
  const words = value
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => !/^(middle|cent(er|re))$/.test(word))
  if (words.length === 0) return ['center', 'middle']
  const compass = words.flatMap((word) => sides[word] ?? [])
  return compass.length === words.length ? [compass.sort((a) => (/north|south/.test(a) ? -1 : 1)).join('-')] : []
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
