/** The `schema` of a parameter: the supported part of JSON Schema 2020-12, bounded, and with at least one valid value. */
import Type from 'typebox'
import { joined, schemaProblems, type ValueSchema, visitTexts } from '../../../shared/json-schema.ts'
import { parameterNamePattern } from '../../../shared/names.ts'
import { isDataUrl, textFormats } from '../../../shared/parameter-formats.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import { show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { checker } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'

const closed = { additionalProperties: false }
const text = Type.Optional(Type.String({ maxLength: limits.descriptionCharsMax }))
const count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 0, maximum }))
const annotations = { title: text, description: text, default: Type.Optional(Type.Unknown()) }
const choices = Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 200 }))
const numeric = {
  ...annotations,
  enum: choices,
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
}

const checks = {
  object: checker(
    Type.Object(
      {
        type: Type.Literal('object'),
        ...annotations,
        properties: Type.Optional(
          Type.Record(Type.String({ pattern: parameterNamePattern }), Type.Unknown(), { additionalProperties: false }),
        ),
        required: Type.Optional(Type.Array(Type.String(), { maxItems: limits.parameterSchemaValuesMax })),
        additionalProperties: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    'keyword',
  ),
  array: checker(
    Type.Object(
      {
        type: Type.Literal('array'),
        ...annotations,
        items: Type.Unknown(),
        minItems: count(limits.parameterCharsMax),
        maxItems: count(limits.parameterCharsMax),
      },
      closed,
    ),
    'keyword',
  ),
  string: checker(
    Type.Object(
      {
        type: Type.Literal('string'),
        ...annotations,
        enum: choices,
        minLength: count(limits.parameterCharsMax),
        maxLength: count(limits.parameterCharsMax),
        format: Type.Optional(Type.Enum([...textFormats])),
      },
      closed,
    ),
    'keyword',
  ),
  number: checker(Type.Object({ type: Type.Literal('number'), ...numeric }, closed), 'keyword'),
  integer: checker(Type.Object({ type: Type.Literal('integer'), ...numeric }, closed), 'keyword'),
  boolean: checker(Type.Object({ type: Type.Literal('boolean'), ...annotations, enum: choices }, closed), 'keyword'),
}

const typeNames = Object.keys(checks).map(show).join(', ')
const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The issues of the schema of a `json` parameter. */
export function schemaIssues(schema: unknown, path: string): Issue[] {
  if (!isObject(schema)) return [{ path, message: 'must be a JSON Schema: an object with "type": "object" or "array"' }]
  const { $schema = dialect, ...rest } = schema
  if ($schema !== dialect) return [{ path: `${path}.$schema`, message: `must be ${show(dialect)}, or omitted` }]
  if (rest.type !== 'object' && rest.type !== 'array')
    return [
      {
        path: `${path}.type`,
        message: `must be "object" or "array", not ${show(rest.type)}. For one value, use a parameter of its type.`,
      },
    ]
  const issues: Issue[] = []
  collect(rest, path, 1, { schemas: 0 }, issues)
  if (issues.length === 0) issues.push(...extentIssues(rest as unknown as ValueSchema, path))
  return issues.slice(0, limits.issuesMax)
}

function collect(schema: unknown, path: string, depth: number, seen: { schemas: number }, issues: Issue[]): void {
  const report = (message: string, keyword = '') => {
    if (issues.length < limits.issuesMax) issues.push({ path: joined(path, keyword), message })
  }
  seen.schemas += 1
  if (seen.schemas > limits.parameterSchemaValuesMax) {
    if (seen.schemas === limits.parameterSchemaValuesMax + 1)
      report(`is more than the maximum of ${limits.parameterSchemaValuesMax} schemas of fields and items`)
    return
  }
  if (depth > limits.parameterSchemaDepthMax) {
    report(`must have at most ${limits.parameterSchemaDepthMax} nested levels`)
    return
  }
  if (!isObject(schema)) {
    report('must be a JSON Schema: an object with "type"')
    return
  }
  const { type } = schema
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) {
    report(`must be one of ${typeNames}, not ${show(type ?? null)}`, 'type')
    return
  }
  const wrong = checks[type as keyof typeof checks](schema, path)
  issues.push(...wrong)
  const known = schema as unknown as ValueSchema
  // Its children are not known to be schemas.
  if (wrong.length > 0) return
  for (const [name, property] of Object.entries(known.properties ?? {})) {
    // Many validators would find it in every object.
    if (name in Object.prototype)
      report('is a name that every JavaScript object has. Choose another name.', `properties.${name}`)
    collect(property, `${path}.properties.${name}`, depth + 1, seen, issues)
  }
  if (known.items !== undefined) collect(known.items, `${path}.items`, depth + 1, seen, issues)
  if (issues.length > 0) return
  contradictions(known, report)
}

/** Keywords that no value can satisfy together. */
function contradictions(schema: ValueSchema, report: (message: string, keyword: string) => void): void {
  const { properties = {}, required = [], enum: allowed, default: preset } = schema
  const { minItems = 0, maxItems = Infinity, minLength = 0, maxLength = Infinity, format } = schema
  const { minimum = -Infinity, maximum = Infinity } = schema
  repeated(required, (i) =>
    report(`is ${show(required[i])}, which is already in required. Remove it.`, `required.${i}`),
  )
  repeated(allowed ?? [], (i) => report(`is ${show(allowed?.[i])}, which is already in enum. Remove it.`, `enum.${i}`))
  const unknown = [...required.entries()].filter(([, name]) => !Object.hasOwn(properties, name))
  for (const [i, name] of unknown.slice(0, limits.issuesMax)) {
    report(
      `is ${show(name)}, which is not in properties. ${didYouMean(name, Object.keys(properties)) || 'Add it there.'}`,
      `required.${i}`,
    )
  }
  if (minItems > maxItems) report(`must be at most maxItems (${maxItems}), not ${minItems}`, 'minItems')
  if (minLength > maxLength) report(`must be at most maxLength (${maxLength}), not ${minLength}`, 'minLength')
  if (minimum > maximum) report(`must be at most the maximum (${maximum}), not ${minimum}`, 'minimum')
  else if (schema.type === 'integer' && Math.ceil(minimum) > Math.floor(maximum))
    report(`must leave a whole number up to the maximum (${maximum}), not start at ${minimum}`, 'minimum')
  if (format !== undefined && format !== 'multiline' && (schema.minLength ?? schema.maxLength) !== undefined)
    report(
      `can't be combined with a length: ${show(format)} has its own form`,
      schema.minLength === undefined ? 'maxLength' : 'minLength',
    )
  const { enum: _, default: __, ...others } = schema
  for (const [i, value] of (allowed ?? []).entries()) {
    const [problem] = schemaProblems(others, value)
    if (problem) report(problem.message, `enum.${i}`)
    else if (format === 'image' && isDataUrl(String(value))) report(dataUrlInDocument, `enum.${i}`)
  }
  if (preset === undefined) return
  for (const { path, message } of schemaProblems(schema, preset)) report(message, joined('default', path))
  visitTexts(schema, 'image', preset, (source, at) => {
    if (isDataUrl(source)) report(dataUrlInDocument, joined('default', at))
  })
}

export const dataUrlInDocument = 'is a data: URL, which only a request can pass. Upload the image, and write its id.'

function repeated(values: readonly unknown[], report: (index: number) => void): void {
  const seen = new Set<unknown>()
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) report(i)
    seen.add(value)
  }
}

/** A request limits the characters and the images of a value. */
function extentIssues(schema: ValueSchema, path: string): Issue[] {
  const { chars, images } = smallest(schema)
  const report = (required: string, most: string): Issue[] => [
    { path, message: `requires ${required} in every value, and the maximum is ${most}. Lower minItems or minLength.` },
  ]
  if (chars > limits.parameterCharsMax) return report(`${chars} characters of JSON`, `${limits.parameterCharsMax}`)
  return images > limits.parameterImagesMax ? report(`${images} images`, `${limits.parameterImagesMax}`) : []
}

/** The fewest characters of JSON and images that a value can have. A `data:` URL counts as no characters. */
function smallest({ type, enum: allowed, ...schema }: ValueSchema): { chars: number; images: number } {
  const image = schema.format === 'image' ? 1 : 0
  if (allowed !== undefined) {
    const lengths = allowed.map((value) => JSON.stringify(value).length)
    return { chars: Math.min(...lengths), images: image }
  }
  if (type === 'string') return { chars: 2 + (schema.minLength ?? 0), images: image }
  if (type === 'array') {
    const { items, minItems = 0 } = schema
    const item = items && minItems > 0 ? smallest(items) : { chars: 1, images: 0 }
    return { chars: 2 + minItems * item.chars + Math.max(0, minItems - 1), images: minItems * item.images }
  }
  if (type !== 'object') return { chars: type === 'boolean' ? 4 : 1, images: 0 }
  const { properties = {}, required = [] } = schema
  const fields = required.flatMap((name) => {
    const field = properties[name]
    return field ? [{ name, ...smallest(field) }] : []
  })
  return {
    chars: fields.reduce((sum, { name, chars }) => sum + name.length + 4 + chars, 2) - (fields.length > 0 ? 1 : 0),
    images: fields.reduce((sum, { images }) => sum + images, 0),
  }
}
