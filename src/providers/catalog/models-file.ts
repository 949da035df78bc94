/** MODELS_FILE: models that the operator adds to the table or changes. */
import { Type } from 'typebox'
import { show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { capabilities } from '../../domain/models/model.ts'
import { type Check, checker } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import type { ModelRow, Price } from '../define.ts'

/** Rows by `provider/model`: a new row, or the fields that replace those of an existing one. */
export type ModelsFile = ReadonlyMap<string, Partial<Omit<ModelRow, 'name'>>>

/** Reads YAML or JSON. Throws an Error with every problem and the path of the file. */
export async function readModelsFile(text: string, path: string): Promise<ModelsFile> {
  const { parse } = await import('yaml')
  let parsed: unknown
  try {
    parsed = parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new Error(`MODELS_FILE: ${path} is not valid YAML: ${error instanceof Error ? error.message : error}`)
  }
  const issues = modelIssues(parsed)
  if (issues.length > 0) {
    const all = issues.map((issue) => `${issue.path || 'the file'}: ${issue.message}`).join('\n  ')
    throw new Error(`MODELS_FILE: ${path} is invalid:\n  ${all}`)
  }
  const { models } = parsed as { models: Record<string, Partial<Omit<ModelRow, 'name'>>> }
  return new Map(Object.entries(models))
}

/** Checks `{ models: { "provider/model": { can, price } } }`, also in other files. Returns the problems. */
export function modelIssues(parsed: unknown): Issue[] {
  return [...check(parsed), ...checkPrices(parsed)]
}

const usd = Type.Number({ minimum: 0, maximum: 1_000_000 })
const most = Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })
const side = Type.Integer({ minimum: 1, maximum: 100_000 })
const asOf = Type.String({ pattern: '^\\d{4}-\\d{2}$', 'x-expected': 'a month such as 2026-11' })
const closed = { additionalProperties: false }

/** One schema for each `per`, because the errors of a union say nothing useful. */
const priceChecks: Record<Price['per'], Check> = {
  call: checker(Type.Object({ per: Type.Literal('call'), usd, asOf }, closed)),
  image: checker(Type.Object({ per: Type.Literal('image'), usd, asOf }, closed)),
  megapixel: checker(Type.Object({ per: Type.Literal('megapixel'), usd, asOf }, closed)),
  unit: checker(Type.Object({ per: Type.Literal('unit'), usd, unitsMax: most, asOf }, closed)),
  second: checker(Type.Object({ per: Type.Literal('second'), usd, secondsMax: most, asOf }, closed)),
  tokens: checker(
    Type.Object(
      { per: Type.Literal('tokens'), inputUsd: usd, outputUsd: usd, inputMax: most, outputMax: most, asOf },
      closed,
    ),
  ),
}

/** Skips values that `check` has reported as not being objects. */
function checkPrices(parsed: unknown): Issue[] {
  return entriesOf(entriesOf(parsed).find(([name]) => name === 'models')?.[1]).flatMap(([model, row]) => {
    const price = entriesOf(row).find(([name]) => name === 'price')?.[1]
    if (price === undefined) return []
    const path = `models.${model}.price`
    const parts = entriesOf(price)
    if (parts.length === 0 || parts.some(([name]) => name === 'per')) return checkPrice(price, path)
    return parts.flatMap(([capability, feature]) =>
      (capabilities as readonly string[]).includes(capability)
        ? checkPrice(feature, `${path}.${capability}`)
        : [{ path: `${path}.${capability}`, message: `must be per, or one of ${capabilities.join(', ')}` }],
    )
  })
}

function checkPrice(price: unknown, path: string): Issue[] {
  const per = entriesOf(price).find(([name]) => name === 'per')?.[1]
  if (typeof per === 'string' && Object.hasOwn(priceChecks, per)) return priceChecks[per as Price['per']](price, path)
  return [{ path: `${path}.per`, message: `must be one of ${Object.keys(priceChecks).join(', ')}, not ${show(per)}` }]
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

const sizes = Type.Union([
  Type.Object(
    {
      listed: Type.Array(Type.String({ pattern: '^[1-9]\\d*x[1-9]\\d*$', 'x-expected': 'a size such as 1024x1024' }), {
        minItems: 1,
      }),
    },
    closed,
  ),
  Type.Object(
    {
      free: Type.Object(
        { sideMin: side, sideMax: side, step: Type.Optional(side), pixelsMax: Type.Optional(most) },
        closed,
      ),
    },
    closed,
  ),
])

const traits = Type.Object(
  {
    sizes: Type.Optional(sizes),
    aspectRatios: Type.Optional(Type.Array(Type.String({ maxLength: 40 }))),
    seed: Type.Optional(Type.Boolean()),
    transparency: Type.Optional(Type.Boolean()),
    imagesMax: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    scales: Type.Optional(Type.Array(most)),
    prompt: Type.Optional(Type.Boolean()),
    structuredOutput: Type.Optional(Type.Boolean()),
  },
  closed,
)

const can = Type.Object(Object.fromEntries(capabilities.map((name) => [name, Type.Optional(traits)])), closed)

const check = checker(
  Type.Object(
    {
      models: Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9-]*/.+$', 'x-expected': 'provider/model' }),
        Type.Object(
          { can: Type.Optional(can), price: Type.Optional(Type.Unknown()) },
          // Fields for the adapter only.
          { patternProperties: { '^x-': {} }, additionalProperties: false },
        ),
        closed,
      ),
    },
    closed,
  ),
)
