/** Converts models and executions to the responses of the OpenAI-compatible API. */
import type { Account } from '../../../domain/accounts/account.ts'
import type { Execution } from '../../../domain/executions/execution.ts'
import type { Image } from '../../../domain/images/image.ts'
import { Fault } from '../../../errors.ts'
import type { OpenAiModel } from '../../../services/workflows/openai-models.ts'
import type { RouteResponse } from '../../define-route.ts'
import { inPieces } from '../../response/pieces.ts'
import type { Services } from '../../services.ts'
import { executionCost } from '../executions/present.ts'
import type { responseFormats } from './schema.ts'

const seconds = (ms: number): number => Math.floor(ms / 1_000)

export function modelRecord({ id, createdAt }: OpenAiModel) {
  return { id, object: 'model', created: seconds(createdAt), owned_by: 'tintype' }
}

/** The images of ended executions. Throws the error of the first one that failed or continues. `isOnce`: a retry finds the executions. */
export async function imagesResponse(
  executions: readonly Execution[],
  format: (typeof responseFormats)[number],
  isOnce: boolean,
  account: Account,
  { images, syncWaitSeconds }: Pick<Services, 'images' | 'syncWaitSeconds'>,
): Promise<RouteResponse> {
  const failed = executions.find(({ error }) => error !== null)
  if (failed?.error) throw failure(failed, failed.error, executions)
  const unfinished = executions.find(({ output }) => output === null)
  if (unfinished) throw continues(unfinished.id, isOnce, syncWaitSeconds)
  const created = seconds(executions[0]?.createdAt ?? 0)
  if (format === 'b64_json') {
    const outputs = await Promise.all(
      executions.map(async (execution) => ({
        facts: factsOf(execution),
        image: await images.find(account.id, execution.output?.imageId ?? ''),
      })),
    )
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return { headers, body: inPieces(base64Json(created, outputs, images)) }
  }
  const urls = images.urlsOf(account)
  const data = executions.map((execution) => {
    const { output } = execution
    return { ...(output && { url: urls.url({ id: output.imageId, format: output.format }) }), ...factsOf(execution) }
  })
  return { body: { created, data } }
}

function factsOf(execution: Execution) {
  const cost = executionCost(execution)
  return { executionId: execution.id, ...(cost ? { cost } : {}) }
}

function failure(failed: Execution, error: NonNullable<Execution['error']>, all: readonly Execution[]): Fault {
  const others = all.filter(({ id }) => id !== failed.id).map(({ id }) => id)
  const rest = others.length === 0 ? '' : ` The other executions of the request: ${others.join(', ')}.`
  return new Fault(error.code, `${error.message} (execution ${failed.id}).${rest}`, error.details)
}

function continues(executionId: string, isOnce: boolean, waitedSeconds: number): Fault {
  const fix = isOnce
    ? 'Send the same request with the same Idempotency-Key to wait for it.'
    : `Poll GET /v1/workflows/executions/${executionId}. With an Idempotency-Key, a repeated request waits for the same execution.`
  const message = `The execution ${executionId} takes longer than ${waitedSeconds} s, and continues. ${fix}`
  return new Fault('unavailable', message, { reason: 'timeout', shouldRetry: isOnce, retryAfterSeconds: 1 })
}

/** The response as text. Files are read while it is sent, one after the other. */
async function* base64Json(
  created: number,
  outputs: readonly { facts: object; image: Image }[],
  images: Pick<Services['images'], 'open'>,
): AsyncGenerator<string, void> {
  yield `{"created":${created},"data":[`
  for (const [i, { facts, image }] of outputs.entries()) {
    yield `${i === 0 ? '' : ','}${JSON.stringify(facts).slice(0, -1)},"b64_json":"`
    let rest: Uint8Array = new Uint8Array()
    for await (const chunk of await images.open(image)) {
      const bytes = Buffer.concat([rest, chunk])
      const whole = bytes.length - (bytes.length % 3)
      yield bytes.toString('base64', 0, whole)
      rest = bytes.subarray(whole)
    }
    yield `${Buffer.from(rest).toString('base64')}"}`
  }
  yield ']}'
}
