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
}

export async function writtenText(request: TextRequest): Promise<string> {
  const choice = request.schema === undefined && request.images.length > 1 ? await chosen(request) : undefined
  if (choice !== undefined) return choice
  if (request.schema !== undefined) return JSON.stringify(await valueFor(request.schema, request, ''))
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

async function valueFor(schema: unknown, request: TextRequest, name: string): Promise<unknown> {
  const {
    type,
    properties,
    items,
    minimum = 0,
    enum: values,
  } = schema as {
    type?: string | string[]
    properties?: Record<string, unknown>
    items?: unknown
    minimum?: number
    enum?: unknown[]
  }
  const kind = [type].flat()[0]?.toLowerCase()
  const best = minimum + (request.images.length > 1 ? await brightest(request.images) : 0)
  if (values) return values[Math.min(best, values.length - 1)]
  if (properties) {
    const entries = Object.entries(properties).map(async ([key, inner]) => [key, await valueFor(inner, request, key)])
    return Object.fromEntries(await Promise.all(entries))
  }
  if (kind === 'array') return [await valueFor(items ?? { type: 'string' }, request, name)]
  if (kind === 'integer' || kind === 'number') return best
  if (kind === 'boolean') return false
  return `FAKE ${request.provider} ${request.model}: a stand-in wrote this, not a model.`
}
