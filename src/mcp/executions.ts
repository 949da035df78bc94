/** Starts executions, waits for them and shows their result: for tools that run a workflow, and for `get_execution`. */
import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import Type from 'typebox'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import { type ImageFormat, imageFormats } from '../domain/images/image.ts'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Answer, Link } from './answer.ts'
import type { ToolContext } from './tool.ts'

export interface ExecutionBody {
  executionId: string
  workflowId: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  output?: OutputBody
  outputs?: (OutputBody & { name: string })[]
  warnings?: { node: string; message: string }[]
  error?: { code: string; message: string; details: Record<string, unknown> }
  cost?: { usd: number; unknown?: number }
  duration?: number
  workflowVersion?: number
  /** Set if it could not be waited for. */
  isUnwaited?: true
}

interface OutputBody {
  url: string
  width: number
  height: number
  format: ImageFormat
  imageId?: string
  thumbnailUrl?: string
}

interface StepBody {
  node: string
  status: string
}

const image = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    imageId: { type: 'string' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    format: { type: 'string' },
  },
  required: ['url', 'width', 'height', 'format'],
}

/** The output schema of tools that run a workflow. */
export const executionOutput = {
  type: 'object',
  properties: {
    note: { type: 'string', description: 'How to read the other fields.' },
    executionId: { type: 'string' },
    status: { type: 'string', enum: ['pending', 'running', 'completed', 'failed'] },
    output: { ...image, description: 'The image. Present if the status is `completed`.' },
    outputs: { type: 'array', items: { type: 'object' }, description: 'Further outputs, with a name.' },
    costUsd: { type: 'number', description: 'US dollars for calls of AI models. 0 if there were none.' },
    durationMs: { type: 'number' },
    warnings: { type: 'array', items: { type: 'object' } },
    error: { type: 'object' },
  },
  required: ['executionId', 'status'],
}

export const againField = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: `Leave it out at first. A repeated call with equal arguments doesn't execute again and costs nothing: it returns the execution of the first call, for ${limits.idempotencyKeptSeconds / 3_600} hours. To execute and pay again with equal arguments, such as for another variation or after a failure, pass 1, then 2 and so on.`,
})

/** The same for equal calls of a key, so that they start one execution. */
export function callKey(...parts: readonly unknown[]): Record<string, string> {
  return { 'idempotency-key': `mcp-${hash('sha256', stringify(parts) ?? '')}` }
}

/**
 * Waits for the end, at most `seconds`. The execution continues if the client disconnects. Reports progress for the steps that have
 * finished.
 */
export async function waitFor(
  { api, onProgress, signal }: ToolContext,
  executionId: string,
  seconds: number,
): Promise<ExecutionBody> {
  const started = monotonicMs()
  const path = `/workflows/executions/${encodeURIComponent(executionId)}`
  for (;;) {
    const passed = elapsedSince(started) / 1_000
    const left = Math.max(0, Math.round(seconds - passed))
    const wait = onProgress ? Math.min(left, limits.mcpProgressSeconds) : left
    const execution = await api
      .json<ExecutionBody>('GET', path, { query: { wait } })
      .catch((error: unknown) => onWaitRefused(error, () => api.json<ExecutionBody>('GET', path)))
    const isEnded = execution.status === 'completed' || execution.status === 'failed'
    if (isEnded || left === 0 || signal.aborted || execution.isUnwaited) return execution
    if (onProgress === undefined) continue
    const { steps } = await api.json<{ steps: StepBody[] }>('GET', `${path}/steps`)
    const finished = steps.filter(({ status }) => status !== 'pending' && status !== 'running').length
    const message = steps.length === 0 ? 'waiting to start' : `${finished} of ${steps.length} steps finished`
    await onProgress(message)
  }
}

/** Beyond the limit of waiting requests of its account, the answer is the current state. */
async function onWaitRefused<Value>(error: unknown, read: () => Promise<Value>): Promise<Value> {
  if (!(error instanceof Fault) || error.code !== 'rate_limited') throw error
  return { ...(await read()), isUnwaited: true }
}

/** The result with a small image, and a link to the full one. */
export async function executionAnswer(
  { api }: ToolContext,
  execution: ExecutionBody,
  more: { data?: Record<string, unknown>; images?: Buffer[]; say?: string } = {},
): Promise<Answer> {
  const { executionId, status, output, outputs, warnings, error, cost, duration } = execution
  const structured = {
    executionId,
    status,
    ...(output && { output: withoutThumbnail(output) }),
    ...(outputs && { outputs: outputs.map(withoutThumbnail) }),
    ...(warnings && { warnings }),
    ...(error && { error }),
    ...(status === 'completed' && { costUsd: cost?.usd ?? 0 }),
    ...(cost?.unknown && { callsWithUnknownCost: cost.unknown }),
    ...(duration !== undefined && { durationMs: Math.round(duration) }),
  }
  const data = { ...structured, ...more.data }
  const added = more.say ? ` ${more.say}` : ''
  if (status === 'failed') {
    const next =
      error?.details.problem === 'budget'
        ? 'A budget is used up, and other calls of AI models fail, too. Report it: a person can raise it.'
        : 'Correct the cause and call again. A call with equal arguments returns this failure, so pass `again` if you correct nothing in them.'
    return { say: `The execution failed: see \`error\`. ${next}${added}`, data, structured, isError: true }
  }
  if (output === undefined) {
    const say = `The execution continues. Call \`get_execution\` with \`executionId\` to wait for its result. Equal calls don't start another one.${added}`
    return { say, data, structured }
  }
  const thumbnail = await smallImage(api, output)
  const links: Link[] = [output, ...(outputs ?? [])].slice(0, linksMax).map((file) => ({
    url: file.url,
    name: 'name' in file ? `output-${file.imageId ?? file.url}` : 'output',
    mediaType: imageFormats[file.format].mediaType,
  }))
  const shown = thumbnail ? 'The image here is a small copy; the link is the full one. ' : ''
  return {
    say: `${shown}Its cost is in \`costUsd\`.${warnings ? ' Read the warnings.' : ''}${added}`,
    data,
    structured,
    links,
    images: [...(thumbnail ? [thumbnail] : []), ...(more.images ?? [])],
  }
}

const linksMax = 20

function withoutThumbnail({ url, imageId, width, height, format, name }: OutputBody & { name?: string }) {
  return { url, ...(imageId && { imageId }), width, height, format, ...(name && { name }) }
}

/** WebP of at most 512 x 512 pixels. Undefined if the image was deleted since, or can't be shown. */
async function smallImage(
  api: ToolContext['api'],
  { thumbnailUrl, imageId }: Pick<OutputBody, 'thumbnailUrl' | 'imageId'>,
): Promise<Buffer | undefined> {
  if (thumbnailUrl !== undefined) {
    const { pathname, search } = new URL(thumbnailUrl)
    return api.file(`${pathname}${search}`)
  }
  return imageId === undefined ? undefined : api.file(`/images/${imageId}/thumbnail`)
}

/** The previews of some nodes, as far as they exist. */
export async function previewsOf(
  { api }: ToolContext,
  executionId: string,
  nodes: readonly string[],
): Promise<{ nodes: string[]; images: Buffer[] }> {
  const base = `/v1/workflows/executions/${encodeURIComponent(executionId)}/steps`
  const found = await Promise.all(
    nodes.map(async (node) => ({ node, bytes: await api.file(`${base}/${encodeURIComponent(node)}/preview`) })),
  )
  const shown = found.flatMap(({ node, bytes }) => (bytes === undefined ? [] : [{ node, bytes }]))
  return { nodes: shown.map(({ node }) => node), images: shown.map(({ bytes }) => bytes) }
}

/** The answer for an error of a request. The message of an unexpected error is for the log alone. */
export function rejected(error: unknown, { onError, signal }: Pick<ToolContext, 'onError' | 'signal'>): Answer {
  if (!(error instanceof Fault)) {
    if (!signal.aborted) onError(error)
    return { say: 'Internal error. The log of the service has the cause. Try again later.', isError: true }
  }
  const { code, message, details } = error
  const say =
    code === 'invalid_request'
      ? 'The request was rejected. `details.issues` has all problems: correct all of them, then call again. `fix` of an issue is its most likely correction.'
      : 'The request was rejected: see the message.'
  return { say, data: { code, message, details }, isError: true }
}
