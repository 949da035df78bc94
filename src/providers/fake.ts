/**
 * The providers of test keys: one in the place of each provider, and of local models. It draws an image or writes a text that says so, in this process and
 * without a network, in any size and for any model of the table.
 */
import { writtenText } from '../../fakes/src/texts.ts'
import { type Act, renderImage, sizeOfRatio } from '../../fakes/src/work.ts'
import type { Capability } from '../domain/models/model.ts'
import type { ProviderHttp } from '../net/provider-http.ts'
import { type Call, type Provider, ProviderProblem, type ProviderResult } from './define.ts'

const acts: Partial<Record<Capability, Act>> = {
  generate: 'generate',
  edit: 'edit',
  inpaint: 'inpaint',
  'remove-background': 'cut',
  upscale: 'enlarge',
}

export function fakeOf({ id, title, summary, docsUrl, concurrency }: Omit<Provider, 'models' | 'start'>): Provider {
  return {
    id,
    title,
    summary,
    docsUrl,
    settings: {},
    baseUrl: { names: ['TEST'] },
    models: [],
    concurrency,
    async start(call) {
      const { prompt = '', instructions = '' } = call.request
      if (/#moderated\b/.test(`${instructions} ${prompt}`))
        throw new ProviderProblem('refused', 'the prompt contains #moderated, which a test key rejects')
      const act = acts[call.capability]
      return { done: act ? { images: [await imageOf(id, call, act)] } : { text: await textOf(id, call) } }
    },
  }
}

async function imageOf(provider: string, { model, request }: Call, act: Act): Promise<Buffer> {
  const { prompt, seed, images, mask, size, aspectRatio, scale, transparency } = request
  return renderImage({
    act,
    label: { provider, model: model.name, prompt: prompt && plain(prompt), seed },
    images: images.map(({ bytes }) => ({ bytes })),
    mask: await mask?.white(),
    size: size ?? (aspectRatio === undefined ? undefined : sizeOfRatio(aspectRatio)),
    scale,
    ...(transparency && { isTransparent: true }),
  })
}

function textOf(provider: string, { model, request }: Call): Promise<NonNullable<ProviderResult['text']>> {
  const { prompt, instructions, images, schema } = request
  return writtenText({
    provider,
    model: model.name,
    prompt: [instructions, prompt].filter(Boolean).join('\n'),
    images: images.map(({ bytes }) => bytes),
    schema,
  })
}

/** The text without characters that can't be drawn. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').toWellFormed()
}

/** The HTTP client of fakes, which nothing uses. */
export const noHttp: ProviderHttp = { fetch: refuse, request: refuse, download: refuse }

function refuse(): never {
  throw new Error('a test key calls no provider')
}
