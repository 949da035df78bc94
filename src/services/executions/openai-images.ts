/** The executions of a request of the OpenAI-compatible API: one for each image. */
import { show } from '../../../shared/text.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { StagedBlob } from '../../domain/images/image.ts'
import { type OpenAi, openAiParameterFields } from '../../domain/workflows/openai.ts'
import { Fault, type Issue, invalidRequest } from '../../errors.ts'
import type { Idempotency } from '../idempotency.ts'
import type { Images } from '../images/images.ts'
import type { OpenAiModels } from '../workflows/openai-models.ts'
import type { Actor, Executions } from './executions.ts'

export interface OpenAiImagesRequest {
  model: string
  prompt: string
  n?: number | undefined
  size?: string | undefined
  image?: (StagedBlob & { fileName: string }) | undefined
}

export interface OpenAiImages {
  /**
   * Starts `n` executions with the same parameters: all, or none. With `once`, it returns the executions that the same request started before, and
   * starts those that are missing. Throws as `Executions.start` does, with the fields of the request as paths.
   */
  start(by: Actor, request: OpenAiImagesRequest, once: IdempotentCreate | undefined): Promise<Execution[]>
}

interface Dependencies {
  models: Pick<OpenAiModels, 'find'>
  executions: Pick<Executions, 'start' | 'cancel'>
  idempotency: Idempotency
  images: Pick<Images, 'storeOnce'>
}

export function createOpenAiImages({ models, executions, idempotency, images }: Dependencies): OpenAiImages {
  async function startFirst(by: Actor, request: OpenAiImagesRequest, once: IdempotentCreate | undefined) {
    const { model, image } = request
    // Of a request that was accepted before: the workflow can have changed since then.
    if (once?.createdId !== undefined) return executions.start(by, model, {}, once)
    const { workflowId, version, openai } = await models.find(by.accountId, model)
    const issues = requestIssues(request, openai)
    if (issues.length > 0) throw invalidRequest(issues)
    try {
      const source = image && (await images.storeOnce(by.accountId, image, image.fileName, { isPassing: true })).id
      const parameters = parametersOf(request, openai, source)
      return await executions.start(by, workflowId, parameters, once, { version })
    } catch (error) {
      throw withFields(error, openai)
    }
  }

  /** Another execution like the first one. Its id is the key of a retry. */
  async function startNext(by: Actor, first: Execution, index: number, isOnce: boolean): Promise<Execution> {
    const { accountId } = by
    const { workflowId, workflowVersion: version, parameters } = first
    if (!isOnce) return executions.start(by, workflowId, parameters, undefined, { version })
    const key = { accountId, key: `openai:${first.id}:${index}`, method: 'POST', path: '/openai/v1/images' }
    let started = first
    const start = async (once: IdempotentCreate) => {
      started = await executions.start(by, workflowId, parameters, once, { version })
      return { status: 200, headers: {}, body: '' }
    }
    // The record in the transaction of the execution is enough: a retry needs the execution, not a response.
    await idempotency.once({ ...key, content: index }, start, () => false)
    return started
  }

  return {
    async start(by, request, once) {
      const first = await startFirst(by, request, once)
      const started = [first]
      try {
        for (let index = 1; index < (request.n ?? 1); index++)
          started.push(await startNext(by, first, index, once !== undefined))
      } catch (error) {
        // A retry with the key continues with them. Without a key, no one gets their images.
        if (once === undefined) for (const { id } of started) await executions.cancel(by.accountId, id)
        throw error
      }
      return started
    },
  }
}

/** The problems of a request that its model decides. */
function requestIssues({ model, n = 1, size, image }: OpenAiImagesRequest, openai: OpenAi): Issue[] {
  const issues: Issue[] = []
  const issue = (path: string, message: string) => issues.push({ path, message })
  const most = openai.n ?? 1
  if (n > most) issue('n', `must be at most ${most} for the model ${show(model)}, not ${n}`)
  if (image && openai.image === undefined)
    issue('image', `is not supported by the model ${show(model)}. Use /openai/v1/images/generations.`)
  if (size === undefined || size === 'auto') return issues
  if (openai.size === undefined && openai.width === undefined)
    issue('size', `is not supported by the model ${show(model)}. Remove it.`)
  else if (openai.width !== undefined && !sizeForm.test(size))
    issue('size', `must be <width>x<height> in pixels, such as 1024x1024, or auto, not ${show(size)}`)
  return issues
}

const sizeForm = /^(\d{1,6})x(\d{1,6})$/

function parametersOf({ prompt, size }: OpenAiImagesRequest, openai: OpenAi, image: string | undefined) {
  const parameters: Record<string, unknown> = { [openai.prompt]: prompt }
  if (openai.image !== undefined && image !== undefined) parameters[openai.image] = image
  if (size === undefined || size === 'auto') return parameters
  const [, width, height] = sizeForm.exec(size) ?? []
  if (openai.size !== undefined) parameters[openai.size] = size
  if (openai.width !== undefined) parameters[openai.width] = Number(width)
  if (openai.height !== undefined) parameters[openai.height] = Number(height)
  return parameters
}

/** The same error, whose paths are fields of the request. */
function withFields(error: unknown, openai: OpenAi): unknown {
  if (!(error instanceof Fault) || error.code !== 'invalid_request') return error
  return invalidRequest((error.details.issues ?? []).map((issue) => ({ ...issue, path: fieldOf(issue.path, openai) })))
}

function fieldOf(path: string, openai: OpenAi): string {
  if (path === '' || path === 'file') return 'image'
  const field = openAiParameterFields.find((name) => path === `parameters.${openai[name]}`)
  return field === 'width' || field === 'height' ? 'size' : (field ?? path)
}
