/** Compiles JSON Schema (TypeBox) to a check that lists every problem: the validator of requests, documents and params. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import colorString from 'color-string'
import type { TSchema } from 'typebox'
import { didYouMean, similarNames } from '../../shared/suggest.ts'
import { list, show } from '../../shared/text.ts'
import type { Fix, Issue } from '../errors.ts'
import { limits } from '../limits.ts'
import { type FieldSchema, fixOfMeaning, fixOfName, fixOfValue } from './fix.ts'

/** Annotations for forms and the reference that JSON Schema doesn't define. */
const vocabulary = [
  'x-formats',
  'x-widget',
  'x-local-models',
  'x-unit',
  'x-group',
  'x-advanced',
  'x-reference',
  'x-expected',
  'x-template',
]

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    strict: false,
    verbose: true,
    discriminator: true,
    ownProperties: true,
    // All schemas are ours. To compile the schema of schemas would be a twentieth of the CPU time of a start.
    validateSchema: false,
  })
  for (const word of vocabulary) ajv.addKeyword(word)
  ajv.addFormat('color', (text: string) => isColor(text))
  return ajv
}

let shared: Ajv2020 | undefined

/** One problem can have several errors, and each is compared with all others. */
const errorsMax = 5 * limits.issuesMax

/** Returns the problems of a value; empty if it is valid. Fills in defaults. */
export type Check = (value: unknown, pathPrefix?: string) => Issue[]

/** The check of a schema, compiled at its first use. It converts nothing: "1" is not a number. `noun`: for unknown names in messages. */
export function checker(schema: TSchema, noun = 'field'): Check {
  let validate: ValidateFunction | undefined
  return (value, pathPrefix = '') => {
    if (validate === undefined) {
      shared ??= createAjv()
      validate = shared.compile(schema)
    }
    if (validate(value)) return []
    return issuesOf((validate.errors ?? []).slice(0, errorsMax), pathPrefix, noun)
  }
}

/** `a/b/0` to `a.b.0`, under a prefix. */
export function joinPath(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('.')
}

/** Longer than any useful colour. The patterns of `color-string` take quadratic time. */
const colorCharsMax = 100

export function isColor(text: string): boolean {
  return text.length <= colorCharsMax && (text === 'transparent' || colorString.get(text) !== null)
}

function issuesOf(errors: ErrorObject[], prefix: string, noun: string): Issue[] {
  const issues = new Map<string, Issue>()
  for (const error of errors) {
    const issue = issueOf(error, errors, prefix, noun)
    if (issue === undefined) continue
    const fix = fixOf(error)
    if (fix) issue.fix = fix
    const key = `${issue.path}\n${issue.message}`
    if (!issues.has(key)) issues.set(key, issue)
    if (issues.size === limits.issuesMax) break
  }
  // The name of a required field can be misspelt: its correction comes before the field that is missing.
  const isRename = ({ fix }: Issue) => fix !== undefined && 'rename' in fix
  const found = [...issues.values()]
  return [...found.filter(isRename), ...found.filter((issue) => !isRename(issue))]
}

const valueKeywords = [
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'maxItems',
]

interface ObjectSchema {
  properties?: Record<string, FieldSchema>
  patternProperties?: object
  required?: string[]
}

function fixOf({ keyword, params, parentSchema, data }: ErrorObject): Fix | undefined {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const { properties = {}, patternProperties, required = [] } = (parentSchema ?? {}) as ObjectSchema
    const name = String(params.additionalProperty ?? params.unevaluatedProperty)
    const defaultOf = (field: string) => properties[field]?.default
    const isDefault = ([field, value]: [string, unknown]) => JSON.stringify(defaultOf(field)) === JSON.stringify(value)
    // The check fills in defaults, so a field with its default may not have been passed.
    const present = Object.fromEntries(Object.entries(data as object).filter((entry) => !isDefault(entry)))
    if (patternProperties !== undefined) return undefined
    const value = (data as Record<string, unknown>)[name]
    // An object is left out: a check would fill in its defaults.
    const fits = (field: FieldSchema) => typeof value !== 'object' && shared?.validate(field, value) === true
    return fixOfMeaning(name, properties, { present, required, fits })
  }
  if (keyword === 'discriminator') {
    const tag = String(params.tag)
    if (params.tagValue !== undefined) return fixOfName(String(params.tagValue), tagsOf(parentSchema, tag)).fix
    return misspelt(tag, data as object) === undefined ? undefined : { rename: tag }
  }
  if (keyword === 'required') {
    const { properties = {} } = (parentSchema ?? {}) as { properties?: Record<string, TSchema> }
    const schema = properties[String(params.missingProperty)] as { default?: unknown; const?: unknown } | undefined
    const value = schema?.default ?? schema?.const
    return value === undefined ? undefined : { value }
  }
  if (!valueKeywords.includes(keyword) || parentSchema === undefined) return undefined
  return fixOfValue(data, parentSchema as TSchema, (value) => shared?.validate(parentSchema as TSchema, value) === true)
}

function issueOf(error: ErrorObject, all: ErrorObject[], prefix: string, noun: string): Issue | undefined {
  const at = joinPath(prefix, pathOf(error.instancePath))
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      // `anyOf` of required names is one sentence.
      return all.some((other) => alternativesOf(other.schema) && error.schemaPath.startsWith(`${other.schemaPath}/`))
        ? undefined
        : { path: joinPath(at, String(params.missingProperty)), message: 'is required' }
    case 'dependentRequired':
      return {
        path: joinPath(at, String(params.missingProperty)),
        message: `is required if "${String(params.property)}" is set`,
      }
    case 'not': {
      const [first, second] = alternativesOf([error.schema]) ?? []
      const message = first && second ? `accepts "${first}" or "${second}", not both` : error.message
      return { path: at, message: message ?? 'is invalid' }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty)
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const patterns = Object.keys(
        (error.parentSchema as { patternProperties?: object } | undefined)?.patternProperties ?? {},
      )
      return { path: joinPath(at, name), message: unknownField(noun, name, known, patterns) }
    }
    case 'type':
      return {
        path: at,
        message: `must be ${[typeText(params.type) + fieldsText(error), ...wordsNextTo(error, all)].join(' or ')}, not ${typeName(error.data)}`,
      }
    case 'enum':
      return { path: at, message: notAllowed(params.allowedValues as unknown[], error.data) }
    case 'const':
      // Each literal of a union has an error; the union itself makes one sentence.
      return insideUnion(error, all) ? undefined : { path: at, message: `must be ${show(params.allowedValue)}` }
    case 'anyOf':
    case 'oneOf': {
      const alternatives = alternativesOf(error.schema)
      if (alternatives) return { path: at, message: `requires at least one of ${list(alternatives)}` }
      const literals = literalsOf(error.schema)
      const choices = requiredChoices(error.schema)
      if (choices) return { path: at, message: `requires ${choices}` }
      if (literals) return { path: at, message: notAllowed(literals, error.data) }
      return all.some(
        (other) => other !== error && insideUnion(other, all) && other.instancePath.startsWith(error.instancePath),
      )
        ? undefined
        : { path: at, message: `must match one of the allowed forms, not ${show(error.data)}` }
    }
    case 'discriminator': {
      const tag = String(params.tag)
      const wrong = params.tagValue === undefined ? misspelt(tag, error.data as object) : undefined
      if (wrong !== undefined) return { path: joinPath(at, wrong), message: unknownName(noun, wrong, [tag]) }
      return {
        path: joinPath(at, tag),
        message:
          params.tagValue === undefined ? 'is required' : notAllowed(tagsOf(error.parentSchema, tag), params.tagValue),
      }
    }
    case 'format':
      return {
        path: at,
        message:
          params.format === 'color'
            ? `must be a CSS colour such as "#1a2b3c", "rgb(10 20 30 / 50%)" or "white", not ${show(error.data)}`
            : `must be a ${String(params.format)}, not ${show(error.data)}`,
      }
    case 'pattern': {
      const expected = (error.parentSchema as { 'x-expected'?: string } | undefined)?.['x-expected']
      return {
        path: at,
        message: `must ${expected ? `be ${expected}` : `match ${String(params.pattern)}`}, not ${show(error.data)}`,
      }
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        path: at,
        message: `must be ${comparison[error.keyword]} ${String(params.limit)}, not ${show(error.data)}`,
      }
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties': {
      const [bound, unit] = counts[error.keyword] ?? ['', '']
      return {
        path: at,
        message: `must have ${bound} ${String(params.limit)} ${params.limit === 1 ? unit : `${unit}s`}, not ${sizeOf(error.data)}`,
      }
    }
    case 'propertyNames':
      return { path: joinPath(at, String(params.propertyName)), message: 'is not a valid name' }
    default:
      return { path: at, message: error.message ?? 'is invalid' }
  }
}

/** A field that the schema doesn't have. `patterns`: of the names of fields, if they are not listed. */
function unknownField(noun: string, name: string, known: string[], patterns: string[]): string {
  if (known.length > 0) return unknownName(noun, name, known)
  return patterns.length > 0
    ? `is not an allowed name. Names match ${patterns.join(', ')}.`
    : `is not a known ${noun}. Remove it: none is allowed here.`
}

/** Help for the name at the end of a path: a suggestion if a known name is close, otherwise the known names. */
export function unknownName(noun: string, name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) || `Allowed: ${list(known)}.`
  return `is not a known ${noun}. ${hint}`
}

function notAllowed(allowed: readonly unknown[], value: unknown): string {
  const names = allowed.filter((value) => typeof value === 'string')
  const hint = typeof value === 'string' ? didYouMean(value, names) : ''
  return `must be one of ${list(allowed)}, not ${show(value)}${hint && `. ${hint}`}`
}

/** The fields that an object needs, if the value isn't one. */
function fieldsText({ params, parentSchema }: ErrorObject): string {
  const { required = [], properties = {} } = (parentSchema ?? {}) as ObjectSchema
  const needed = required.filter((name) => properties[name]?.default === undefined)
  return params.type === 'object' && needed.length > 0 ? ` with ${list(needed)}` : ''
}

/** The field that is meant to be the missing tag. */
function misspelt(tag: string, value: object): string | undefined {
  return Object.keys(value).find((name) => similarNames(name, [tag]).length > 0)
}

/** The values of the tag in the alternatives of a discriminated union. */
function tagsOf(schema: unknown, tag: string): string[] {
  const { oneOf = [] } = (schema ?? {}) as { oneOf?: { properties?: Record<string, { const?: string }> }[] }
  return oneOf.flatMap(({ properties }) => properties?.[tag]?.const ?? [])
}

/** Characters, items or fields. Ajv counts characters as code points. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : Object.keys(value ?? {}).length
}

const counts: Record<string, [string, string]> = {
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minProperties: ['at least', 'field'],
  maxProperties: ['at most', 'field'],
}

const comparison: Record<string, string> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
}

function insideUnion(error: ErrorObject, all: ErrorObject[]): boolean {
  return all.some(
    (other) =>
      (other.keyword === 'anyOf' || other.keyword === 'oneOf') &&
      other !== error &&
      error.schemaPath.startsWith(other.schemaPath),
  )
}

/** The literals that are allowed instead of this type, as in `a whole number or "auto"`. */
function wordsNextTo(error: ErrorObject, all: ErrorObject[]): string[] {
  const union = all.find(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === error.instancePath)
  const alternatives = (union?.schema ?? []) as { const?: unknown }[]
  return alternatives.flatMap(({ const: word }) => (word === undefined ? [] : [show(word)]))
}

/** The names in `[{ required: [a] }, { required: [b] }]`: at least one is required. */
function alternativesOf(schema: unknown): string[] | undefined {
  if (!Array.isArray(schema)) return undefined
  const names = schema.map((alternative) => (alternative as { required?: string[] } | null)?.required)
  const plain = schema.every(
    (alternative) => alternative !== null && typeof alternative === 'object' && Object.keys(alternative).length === 1,
  )
  return plain && names.every((name) => name !== undefined) ? names.flat() : undefined
}

function literalsOf(schema: unknown): unknown[] | undefined {
  if (!Array.isArray(schema)) return undefined
  const values = schema.map((alternative) => (alternative as { const?: unknown }).const)
  return values.every((value) => value !== undefined) ? values : undefined
}

/** `anyOf` of only required names, in words: `"width" or "height"`. */
function requiredChoices(schema: unknown): string | undefined {
  if (!Array.isArray(schema)) return undefined
  const names = schema.map((alternative: { required?: string[] }) =>
    Object.keys(alternative).length === 1 ? alternative.required?.map(show).join(' and ') : undefined,
  )
  return names.every((name) => name !== undefined) ? names.join(' or ') : undefined
}

function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function typeText(type: unknown): string {
  const names = Array.isArray(type) ? type.map(String) : [String(type)]
  return names
    .map((name) =>
      name === 'integer' ? 'a whole number' : name === 'object' || name === 'array' ? `an ${name}` : `a ${name}`,
    )
    .join(' or ')
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `${show(value)} (a ${typeof value})`
}
