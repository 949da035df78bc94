/** Random parameter declarations with schemas, and values of which some fit. For the tests of the input schema. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'

export interface Schema {
  type: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  enum?: unknown[]
}

export interface Declaration {
  name: string
  type: 'string' | 'number'
  format?: string
  enum?: string[]
  schema?: Schema
}

/** The check of a client: strict, and it reads JSON in text where the input schema says what the text contains. */
export function clientCheck(inputSchema: Record<string, unknown>): (parameters: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  const { $defs = {} } = inputSchema
  ajv.removeKeyword('contentSchema')
  ajv.addKeyword({
    keyword: 'contentSchema',
    type: 'string',
    validate: (schema: object, text: string) => {
      try {
        return ajv.validate({ ...schema, $defs }, JSON.parse(text))
      } catch (error) {
        if (error instanceof SyntaxError) return false
        throw error
      }
    },
  })
  return ajv.compile<unknown>(inputSchema)
}

/** Id of an image that exists. */
export const anImageId = 'img_0123456789abcdefghjkmnpqrstv'
export const aDataUrl = 'data:image/png;base64,iVBORw0KGgo='

/** Valid and invalid texts of each format. */
const formatted = {
  image: [
    anImageId,
    aDataUrl,
    'https://example.com/a.jpg?b=1#c',
    'http://[::1]:80/ä',
    'data:image/png;base64,iVBORw0KGg',
    'data:text/html;base64,AAAA',
    'img_1',
  ],
  color: ['#fff', '#ffff', '#fffff', 'white', 'White', 'rgb(1 2 3 / 50%)', 'rgb(1,2,3)', 'rgb(1,2)', 'hsl(1 2% 3%/.5)'],
  url: ['https://example.com', 'HTTP://example.com/a b', 'ftp://example.com', 'https://', 'https:///a'],
  date: ['2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '2026-1-1', '2026-12-31'],
  font: ['Inter', ' Inter', 'a'.repeat(100), 'a'.repeat(101)],
  model: ['openai/gpt-image-1', 'birefnet', 'a/b/c', 'a b', ''],
  multiline: ['a\nb'],
}
type Format = keyof typeof formatted

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).filter((each) => each.isWellFormed() && !each.includes('\0')),
  fc.constantFrom('a', 'b', '', 'true', 'false', '1', 'null', '{}', '[]', '😀', '😀😀'),
  fc.constantFrom(...Object.values(formatted).flat()),
)
const number = fc.oneof(
  fc.integer({ min: -3, max: 6 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -3, max: 6 }),
)
const name = fc.constantFrom('a', 'b', 'c', 'name', 'photo', 'constructor')
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
  ),
})).any

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const count = optional(fc.integer({ min: 0, max: 3 }))

/** A schema as fast-check makes it: with keywords that are undefined. */
type Loose = { type: string; [keyword: string]: unknown }
const schema = fc.letrec<{ any: Loose; object: Loose; array: Loose }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      type: fc.constant('string'),
      minLength: count,
      maxLength: count,
      enum: optional(fc.array(text, { minLength: 1, maxLength: 3 })),
      default: optional(text),
    }),
    fc.record({ type: fc.constant('string'), format: optional(fc.constantFrom(...Object.keys(formatted))) }),
    fc.record({
      type: fc.constantFrom('number', 'integer'),
      minimum: optional(number),
      maximum: optional(number),
      enum: optional(fc.array(number, { minLength: 1, maxLength: 3 })),
      default: optional(number),
    }),
    fc.record({ type: fc.constant('boolean'), default: optional(fc.boolean()) }),
    tie('object'),
    tie('array'),
  ),
  object: fc.record({
    type: fc.constant('object'),
    title: optional(text),
    properties: optional(fc.dictionary(name, tie('any'), { maxKeys: 4 })),
    required: optional(fc.array(name, { maxLength: 2 })),
    additionalProperties: optional(fc.boolean()),
    default: optional(fc.constant({})),
  }),
  array: fc.record({ type: fc.constant('array'), items: tie('any'), minItems: count, maxItems: count }),
}))

const plainFormats = [...Object.keys(formatted), 'boolean']

/** Many of them are invalid: the caller filters them. */
export const declarations: fc.Arbitrary<Declaration> = fc
  .oneof(
    { weight: 3, arbitrary: jsonDeclaration() },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('string'),
        format: optional(fc.constantFrom(...plainFormats)),
        required: optional(fc.boolean()),
        default: optional(fc.oneof(text, fc.boolean())),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('string'),
        format: optional(fc.constant('enum')),
        enum: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
        labels: fc.constantFrom(undefined, { a: 'A' }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('number'),
        minimum: optional(number),
        maximum: optional(number),
        required: optional(fc.boolean()),
      }),
    },
  )
  .map((each) => JSON.parse(JSON.stringify({ ...each, name: 'value' })) as Declaration)

function jsonDeclaration() {
  return fc.record({
    type: fc.constant('string'),
    format: fc.constant('json'),
    schema: fc.oneof(schema.object, schema.array),
    required: optional(fc.boolean()),
  })
}

/** Values for a valid declaration. Most are likely to fit: a random value seldom has the fields of a schema. */
export function valuesFor({ type, format, enum: allowed, schema: of }: Declaration): fc.Arbitrary<unknown> {
  if (of !== undefined) {
    const likely = fitting(of)
    return fc.oneof(
      likely,
      likely.map((fit) => JSON.stringify(fit)),
      value,
    )
  }
  if (allowed !== undefined) return fc.oneof(fc.constantFrom(...allowed), value)
  if (format !== undefined && Object.hasOwn(formatted, format))
    return fc.oneof(fc.constantFrom(...formatted[format as Format]), value)
  return type === 'number' ? fc.oneof(number, value) : fc.oneof(text, value)
}

function fitting(of: Schema): fc.Arbitrary<unknown> {
  const { type, properties = {}, required = [], items, minItems = 0, maxItems = 3, enum: allowed, format } = of
  if (allowed !== undefined) return fc.constantFrom(...allowed)
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, fitting(property)])),
      {
        requiredKeys: required.filter((key) => Object.hasOwn(properties, key)),
      },
    )
  if (type === 'array')
    return fc.array(items ? fitting(items) : value, { minLength: minItems, maxLength: Math.max(minItems, maxItems) })
  if (type === 'string') return format === undefined ? text : fc.constantFrom(...formatted[format as Format])
  return type === 'boolean' ? fc.boolean() : number
}
