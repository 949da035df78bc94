import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { ValueSchema } from '../../shared/json-schema.ts'
import { dataUrlCharsMax, parameterFormats, textForms } from '../../shared/parameter-formats.ts'
import { repetitions } from '../../test/harness/repetitions.ts'
import { bindParameters, checkDeclarations } from '../engine/check/parameters.ts'
import { inputSchemaOf } from './input-schema.ts'
import { isColor } from './validate.ts'
import type { ParameterDeclaration } from './workflow.ts'

/** As a client's: strict, and it reads JSON in text where the schema says what it contains. */
function clientCheck(declarations: readonly ParameterDeclaration[]): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
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
  const schema = inputSchemaOf(declarations)
  const { $defs = {} } = schema
  return ajv.compile<unknown>(schema)
}

const formatted = {
  image: [
    'img_0123456789abcdefghjkmnpqrstv',
    'https://example.com/a.jpg?b=1#c',
    'http://[::1]:80/ä',
    'data:image/png;base64,iVBORw0KGgo=',
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

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
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
const textFormat = optional(fc.constantFrom(...(Object.keys(formatted) as (keyof typeof formatted)[])))

/** As fast-check makes them: with keywords that are undefined. */
type Loose = { type: string; [keyword: string]: unknown }
const schema = fc.letrec<{ any: Loose; object: Loose; array: Loose }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      type: fc.constant('string' as const),
      minLength: count,
      maxLength: count,
      enum: optional(fc.array(text, { minLength: 1, maxLength: 3 })),
    }),
    fc.record({ type: fc.constant('string' as const), format: textFormat }),
    fc.record({
      type: fc.constantFrom('number' as const, 'integer' as const),
      minimum: optional(number),
      maximum: optional(number),
    }),
    fc.record({ type: fc.constant('boolean' as const) }),
    tie('object'),
    tie('array'),
  ),
  object: fc.record({
    type: fc.constant('object' as const),
    properties: optional(fc.dictionary(name, tie('any'), { maxKeys: 4 })),
    required: optional(fc.uniqueArray(name, { maxLength: 2 })),
    additionalProperties: optional(fc.boolean()),
  }),
  array: fc.record({ type: fc.constant('array' as const), items: tie('any'), minItems: count, maxItems: count }),
}))

const declaration = fc.oneof(
  fc.record({
    type: fc.constant('string' as const),
    format: fc.constant('json' as const),
    schema: fc.oneof(schema.object, schema.array),
    required: optional(fc.boolean()),
  }),
  fc.record({
    type: fc.constant('string' as const),
    format: optional(fc.constantFrom(...parameterFormats.filter((each) => each !== 'json' && each !== 'enum'))),
    required: optional(fc.boolean()),
    default: optional(fc.oneof(text, fc.boolean())),
  }),
  fc.record({
    type: fc.constant('string' as const),
    format: optional(fc.constant('enum' as const)),
    enum: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
    labels: fc.constantFrom(undefined, { a: 'A' }),
  }),
  fc.record({
    type: fc.constant('number' as const),
    minimum: optional(number),
    maximum: optional(number),
    required: optional(fc.boolean()),
  }),
)

const defined = (each: unknown) => JSON.parse(JSON.stringify(each)) as ParameterDeclaration

/** Values that are likely to fit: a random one seldom has the fields of a schema. */
function fitting(of: ValueSchema): fc.Arbitrary<unknown> {
  const { type, properties = {}, required = [], items, minItems = 0, maxItems = 3, enum: allowed, format } = of
  if (allowed !== undefined) return fc.constantFrom(...allowed)
  if (type === 'object')
    return fc.record(Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, fitting(each)])), {
      requiredKeys: required.filter((key) => Object.hasOwn(properties, key)),
    })
  if (type === 'array')
    return fc.array(items ? fitting(items) : value, { minLength: minItems, maxLength: Math.max(minItems, maxItems) })
  if (type === 'string') return format === undefined ? text : fc.constantFrom(...formatted[format])
  return type === 'boolean' ? fc.boolean() : number
}

function valuesFor(each: ParameterDeclaration): fc.Arbitrary<unknown> {
  const {
    type,
    format,
    enum: allowed,
    schema: of,
  } = each as ParameterDeclaration & { format?: string; enum?: string[]; schema?: ValueSchema }
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
    return fc.oneof(fc.constantFrom(...formatted[format as keyof typeof formatted]), value)
  return type === 'number' ? fc.oneof(number, value) : fc.oneof(text, value)
}

test('the input schema accepts exactly the parameters that are bound', () => {
  const counts = { accepted: 0, rejected: 0 }
  const numRuns = repetitions(200, 1_000)
  const cases = declaration
    .map((each) => defined({ ...each, name: 'value' }))
    .filter((each) => checkDeclarations([each]).length === 0)
    .chain((each) => {
      const parameters = fc.oneof(
        { weight: 9, arbitrary: valuesFor(each).map((passed) => ({ value: passed })) },
        { weight: 1, arbitrary: fc.constantFrom({}, { other: 1 }) },
      )
      return fc.tuple(fc.constant(each), fc.array(parameters, { minLength: 20, maxLength: 20 }))
    })
  fc.assert(
    fc.property(cases, ([each, requests]) => {
      const accepts = clientCheck([each])
      for (const request of requests) {
        const parameters = JSON.parse(JSON.stringify(request)) as Record<string, unknown>
        const { issues } = bindParameters([each], parameters)
        counts[issues.length === 0 ? 'accepted' : 'rejected'] += 1
        assert.equal(
          accepts(parameters),
          issues.length === 0,
          `${JSON.stringify(parameters)}: ${JSON.stringify(issues)}`,
        )
      }
    }),
    { numRuns },
  )
  assert.ok(counts.accepted > 2 * numRuns && counts.rejected > 2 * numRuns, JSON.stringify(counts))
})

test('every text in the format color is a colour of the renderer', () => {
  for (const { pattern } of textForms.color.forms)
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern)), (color) => isColor(color)),
      { numRuns: 2_000 },
    )
})

test('a data: URL has at most 512 KiB', () => {
  const photo = [{ name: 'photo', type: 'string', format: 'image' }] as const
  const accepts = clientCheck(photo)
  for (const [bytes, isAccepted] of [
    [524_288, true],
    [dataUrlCharsMax, false],
  ] as const) {
    const parameters = { photo: `data:image/jpeg;base64,${Buffer.alloc(bytes).toString('base64')}` }
    assert.equal(bindParameters(photo, parameters).issues.length === 0, isAccepted)
    assert.equal(accepts(parameters), isAccepted)
  }
})
