/**
 * The API of remove.bg, https://www.remove.bg/api. Other services have the same API: the base URL selects the service. remove.bg has
 * announced its end for 1 December 2026.
 */
import type { ProviderResponse } from '../../net/provider-http.ts'
import { defineProvider, type ProviderContext, ProviderProblem, type Started } from '../define.ts'
import {
  type ErrorReport,
  fieldsOf,
  headerNumber,
  idOf,
  isSuccess,
  problem,
  submitProblem,
  textOf,
  unknownOutcome,
} from './shared/responses.ts'

const title = 'remove.bg (compatible)'

export const removebg = defineProvider({
  id: 'removebg',
  title,
  summary: 'Removes backgrounds with remove.bg, or with a compatible server at the base URL.',
  docsUrl: 'https://www.remove.bg/api',
  settings: {
    apiKey: {
      names: ['REMOVE_BG_API_KEY', 'REMOVEBG_API_KEY'],
      summary: 'API key of remove.bg, or of the compatible service.',
      isSecret: true,
      isRequired: true,
    },
  },
  baseUrl: { names: ['REMOVEBG_BASE_URL', 'REMOVE_BG_BASE_URL'], default: 'https://api.remove.bg/v1.0' },
  // A credit costs from 0.2 to 2 US dollars, depending on the plan, so only the operator can set a price.
  models: [{ name: 'compatible', can: { 'remove-background': {} } }],
  concurrency: 4,

  async start(call, context): Promise<Started> {
    const [input] = call.request.images
    if (input === undefined) throw new ProviderProblem('unsupported', `${title} requires an image.`)
    const form = new FormData()
    const type = input.mediaType
    form.set('image_file', new Blob([new Uint8Array(input.bytes)], { type }), `image.${type.split('/')[1]}`)
    form.set('size', 'full')
    form.set('format', 'png')
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/removebg`,
      headers: { 'x-api-key': context.settings.apiKey ?? '' },
      form,
      signal: context.signal,
    })
    const report = reportOf(response, context)
    // "Could not identify the foreground": the request is valid, and another model may find it.
    if (report.code === 'unknown_foreground')
      throw problem('no_output', response, report, 'found no foreground in the image')
    if (!isSuccess(response)) throw submitProblem(response, report)
    const image = imageOf(response)
    if (image === undefined) throw unknownOutcome(response, report)
    const units = headerNumber(response.headers, 'x-credits-charged')
    const { requestId } = report
    return {
      done: {
        images: [image],
        ...(units !== undefined && { used: { units } }),
        ...(requestId !== undefined && { requestId }),
      },
    }
  },
})

/** Image bytes, or the JSON of some compatible services. They are decoded later. */
function imageOf(response: ProviderResponse): Buffer | undefined {
  const { bytes, headers } = response
  const base64 = textOf(fieldsOf(fieldsOf(response.json())?.data)?.result_b64)
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  const type = headers.get('content-type')?.toLowerCase() ?? ''
  const isImage = type === '' || type.startsWith('image/') || type.startsWith('application/octet-stream')
  return bytes.length > 0 && isImage ? bytes : undefined
}

function reportOf(response: ProviderResponse, { settings }: ProviderContext): ErrorReport {
  const first = fieldsOf([fieldsOf(response.json())?.errors].flat()[0])
  const code = textOf(first?.code)
  return {
    title,
    secret: settings.apiKey,
    ...(code !== undefined && { code }),
    requestId: idOf(response.headers.get('x-request-id')),
  }
}
