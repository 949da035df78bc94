/** The texts of fakes: sentences that say that no model wrote them, or JSON values for a schema. */
import { brightness } from './images.ts'

export interface TextRequest {
  provider: string
  model: string
  prompt: string
  images: Buffer[]
  /** JSON Schema of the response. */
  schema?: unknown
  /** Requires JSON of any shape. */
  isJson?: boolean
  tokensMax?: number | undefined
  /** `mismatch`: valid JSON that doesn't match the schema. */
  fault?: string | undefined
}

export async function writtenText(request: TextRequest): Promise<string> {
  const choice = request.schema === undefined && request.images.length > 1 ? await chosen(request) : undefined
  if (choice !== undefined) return choice
  const schema = request.schema ?? schemaIn(request.prompt)
  if (schema !== undefined && request.fault === 'mismatch') return JSON.stringify({ unexpected: 1 })
  if (schema !== undefined) return JSON.stringify(await valueFor(schema as Schema, request))
  const seen =
    request.images.length === 0
      ? ''
      : ` It was shown ${request.images.length === 1 ? 'a picture' : `${request.images.length} pictures`}.`
  const start = request.prompt.replace(/\s+/g, ' ').trim().slice(0, 100)
  const text = `FAKE ${request.provider} ${request.model}: a stand-in wrote this, not a model.${seen} It was asked: ${start}`
  if (request.isJson) return JSON.stringify({ text })
  // Four characters to a token, as a rule of thumb.
  return request.tokensMax === undefined ? text : text.slice(0, request.tokensMax * 4)
}

/** The choice of the best image, if the prompt requests it: in the JSON form of the prompt, or as a number only. */
async function chosen({ prompt, images, provider, model }: TextRequest): Promise<string | undefined> {
  if (!/\bnumber\b/i.test(prompt)) return undefined
  const best = String(1 + (await brightest(images)))
  const [, form] = /JSON of this form: (\{.*\})/.exec(prompt) ?? []
  const sentence = `"FAKE ${provider} ${model}: a stand-in took the brightest one."`
  return form?.replaceAll(/"<[^>]*>"/g, sentence).replaceAll(/<number[^>]*>/g, best) ?? best
}

/** The index of the brightest image, which a fake chooses as the best. */
async function brightest(images: Buffer[]): Promise<number> {
  const values = await Promise.all(images.map(brightness))
  return values.indexOf(Math.max(...values))
}

/** The schema in the prompt of a request without one. */
function schemaIn(prompt: string): unknown {
  const [, text] = /JSON Schema[^\n]*:\n(\{.*\})$/m.exec(prompt) ?? []
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  description?: string
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  minimum?: number
  maxLength?: number
  enum?: unknown[]
}

async function valueFor(schema: Schema, request: TextRequest): Promise<unknown> {
  const { type, anyOf, properties, items, minItems = 1, minimum = 0, enum: values } = schema
  if (anyOf?.[0]) return valueFor(anyOf[0], request)
  const kind = [type].flat()[0]?.toLowerCase()
  const best = minimum + (request.images.length > 1 ? await brightest(request.images) : 0)
  if (values) return values[Math.min(best, values.length - 1)]
  if (properties) {
    const entries = Object.entries(properties).map(async ([key, inner]) => [key, await valueFor(inner, request)])
    return Object.fromEntries(await Promise.all(entries))
  }
  if (kind === 'object') return {}
  if (kind === 'array')
    return Promise.all(
      Array.from({ length: Math.max(1, minItems) }, () => valueFor(items ?? { type: 'string' }, request)),
    )
  if (kind === 'integer' || kind === 'number') return best
  if (kind === 'boolean') return false
  return wordsFor(schema, request)
}

/** A text that follows the format and the length, also if only the description states them. */
function wordsFor({ format, description = '', maxLength }: Schema, { provider, model }: TextRequest): string {
  if (format === 'color' || description.includes('CSS colour')) return '#123456'
  if (format === 'date' || /\bA date\b/.test(description)) return '2026-03-31'
  if (format === 'url' || description.includes('http(s) URL')) return 'https://example.com'
  const most = maxLength ?? Number(/At most (\d+) characters/.exec(description)?.[1] ?? 1_000)
  return `FAKE ${provider} ${model}: a stand-in wrote this, not a model.`.slice(0, most)
}
