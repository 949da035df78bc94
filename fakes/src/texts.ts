/** What fakes write: sentences that say that no model wrote them, or values of the shape that was asked for. */
import { brightness } from './pictures.ts'

export interface TextAsk {
  provider: string
  model: string
  prompt: string
  images: Buffer[]
  /** JSON Schema of the answer. */
  schema?: unknown
  /** Whether it is to be JSON, of whatever shape. */
  isJson?: boolean
  tokensMax?: number | undefined
}

export async function writtenText(ask: TextAsk): Promise<string> {
  const asked = ask.schema === undefined && ask.images.length > 1 ? await chosen(ask) : undefined
  if (asked !== undefined) return asked
  if (ask.schema !== undefined) return JSON.stringify(await valueFor(ask.schema, ask, ''))
  const seen =
    ask.images.length === 0
      ? ''
      : ` It was shown ${ask.images.length === 1 ? 'a picture' : `${ask.images.length} pictures`}.`
  const start = ask.prompt.replace(/\s+/g, ' ').trim().slice(0, 100)
  const text = `FAKE ${ask.provider} ${ask.model}: a stand-in wrote this, not a model.${seen} It was asked: ${start}`
  if (ask.isJson) return JSON.stringify({ text })
  // Four characters to a token, as a rule of thumb.
  return ask.tokensMax === undefined ? text : text.slice(0, ask.tokensMax * 4)
}

/** Asked in words for the best of several: by the form of the answer that the words show, or by its number alone. */
async function chosen({ prompt, images, provider, model }: TextAsk): Promise<string | undefined> {
  if (!/\bnumber\b/i.test(prompt)) return undefined
  const best = String(1 + (await brightest(images)))
  const [, form] = /JSON of this form: (\{.*\})/.exec(prompt) ?? []
  const sentence = `"FAKE ${provider} ${model}: a stand-in took the brightest one."`
  return form?.replaceAll(/"<[^>]*>"/g, sentence).replaceAll(/<number[^>]*>/g, best) ?? best
}

/** Which of them is the brightest: what a fake takes for the best. From 0. */
async function brightest(images: Buffer[]): Promise<number> {
  const values = await Promise.all(images.map(brightness))
  return values.indexOf(Math.max(...values))
}

async function valueFor(schema: unknown, ask: TextAsk, name: string): Promise<unknown> {
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
  const best = minimum + (ask.images.length > 1 ? await brightest(ask.images) : 0)
  if (values) return values[Math.min(best, values.length - 1)]
  if (properties) {
    const entries = Object.entries(properties).map(async ([key, inner]) => [key, await valueFor(inner, ask, key)])
    return Object.fromEntries(await Promise.all(entries))
  }
  if (kind === 'array') return [await valueFor(items ?? { type: 'string' }, ask, name)]
  if (kind === 'integer' || kind === 'number') return best
  if (kind === 'boolean') return false
  return `FAKE ${ask.provider} ${ask.model}: a stand-in wrote this, not a model.`
}
