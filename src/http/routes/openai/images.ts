/** The shared part of both requests for images: start the executions, and wait for them. */
import type { OpenAiImagesRequest } from '../../../services/executions/openai-images.ts'
import type { RouteRequest, RouteResponse } from '../../define-route.ts'
import { shouldRetryHeader } from '../../response/openai-problem.ts'
import type { Services } from '../../services.ts'
import { imagesResponse } from './present.ts'
import { OpenAiImagesResponse, type responseFormats } from './schema.ts'

type Body = Omit<OpenAiImagesRequest, 'image'> & { response_format?: (typeof responseFormats)[number] }

export const imagesRoute = {
  method: 'POST',
  root: 'only',
  tag: 'OpenAI-compatible API',
  permission: ['workflows:execute'],
  // The response can be large. A retry finds the executions.
  showsSecret: 'again',
  reply: { status: 200, description: 'All executions completed.', schema: OpenAiImagesResponse },
  errors: ['not_found', 'workflow_failed'],
} as const

export const notOpenAi = `Errors have the form \`{ error: { message, type, param, code } }\`. An execution that takes longer than the service waits is \`unavailable\` and continues: with an \`Idempotency-Key\`, the same request waits for it again. The header \`${shouldRetryHeader}\` says whether to repeat a request after a 5xx.`

export async function images(
  { body, caller, once, signal }: Pick<RouteRequest<unknown, unknown, Body>, 'body' | 'caller' | 'once' | 'signal'>,
  image: OpenAiImagesRequest['image'],
  services: Services,
): Promise<RouteResponse> {
  const { response_format: format = 'url', ...request } = body
  const by = { accountId: caller.account.id, keyId: caller.key.id }
  const started = await services.openAiImages.start(by, { ...request, image }, once)
  const { executions, syncWaitSeconds } = services
  // With an Idempotency-Key, a retry needs the response even if this client disconnects.
  const until = once ? undefined : signal
  const ended = await Promise.all(started.map((execution) => executions.wait(execution, syncWaitSeconds, until)))
  return imagesResponse(ended, format, once !== undefined, caller.account, services)
}
