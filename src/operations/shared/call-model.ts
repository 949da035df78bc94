/** Calls AI models for operations: the configured providers, or local models alone if there are none. */

import type { ModelInvocation, ModelResponse } from '../../domain/models/model.ts'
import { requirementsOf } from '../../domain/models/requirements.ts'
import { Fault, failure } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import type { LocalModel } from '../../local-models/define-model.ts'
import { unknownModel } from '../../local-models/store.ts'
import type { ModelUse, OperationContext } from '../define.ts'
import type { ModelChoice } from './model-params.ts'

export interface ModelTask<T> {
  use: ModelUse
  params: ModelChoice & Record<string, unknown>
  /** Number of images in the request, without the mask. Default: 0. */
  images?: number
  request: ModelInvocation['request']
  /** Converts the response. Throws an Error that describes an unusable response. */
  read(response: ModelResponse): Promise<T>
  local?: LocalFallback<T>
}

export interface LocalFallback<T> {
  /** Models with the capability; the first is the default. */
  names: readonly string[]
  run(name: string): Promise<T>
}

/** Runs one of these local models, by its name. */
export function localTask<Way extends { model: LocalModel }, T>(
  ways: readonly Way[],
  run: (way: Way) => Promise<T>,
): LocalFallback<T> {
  const byName = new Map(ways.map((way) => [way.model.name, way]))
  return {
    names: [...byName.keys()],
    run(name) {
      const way = byName.get(name)
      if (way === undefined) throw unknownModel(name, [...byName.keys()])
      return run(way)
    },
  }
}

export interface ModelResult<T> {
  result: T
  /** `provider/model` */
  model: string
}

export async function callModel<T>(context: OperationContext, task: ModelTask<T>): Promise<ModelResult<T>> {
  const { use, params, images = 0, request, local } = task
  if (images > limits.modelInputImagesMax) {
    throw failure(
      'limit_exceeded',
      `The node has ${images} images; the maximum for a model call is ${limits.modelInputImagesMax}. Connect fewer images.`,
    )
  }
  if (context.invokeModel === undefined) return runLocally(task)
  const results = new Map<ModelResponse, T>()
  let localResult: ModelResult<T> | undefined
  const response = await context.invokeModel({
    capability: use.capability,
    model: params.model,
    fallback: params.fallback,
    requirements: requirementsOf(use.requirements, params, images),
    onUnknownOutcome: params.onUnknownOutcome,
    request,
    async accept(response) {
      results.set(response, await read(task, response, context))
    },
    ...(local && {
      async local(model) {
        localResult = await runLocal(local, model)
      },
    }),
  })
  if (localResult !== undefined && response.images.length === 0 && response.text === undefined) return localResult
  const result = results.get(response) ?? (await readStored(task, response, context))
  return { result, model: response.model }
}

/** An image that a generative model made. The engine adds what the inputs have. */
export function madeByModel(image: ImageValue, model: string): ImageValue {
  return { ...image, origin: 'generated', madeFrom: { models: [model], sources: [] } }
}

/** The name of a local model without its provider; undefined for other providers. */
export function localNameOf(model: string): string | undefined {
  const slash = model.indexOf('/')
  if (slash < 0) return model
  return model.startsWith(localPrefix) ? model.slice(localPrefix.length) : undefined
}

const localPrefix = 'local/'

/** Unusable responses become an Error, even if a Fault reports them; the error of an aborted run is passed on. */
async function read<T>(task: ModelTask<T>, response: ModelResponse, context: OperationContext): Promise<T> {
  try {
    return await task.read(response)
  } catch (error) {
    if (error instanceof Fault && !context.signal.aborted) throw new Error(error.message, { cause: error })
    throw error
  }
}

/** A response from an earlier attempt, which was accepted then. */
async function readStored<T>(task: ModelTask<T>, response: ModelResponse, context: OperationContext): Promise<T> {
  try {
    return await read(task, response, context)
  } catch (error) {
    if (error instanceof Fault) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw failure('provider_unavailable', `The response of ${response.model} is unusable. ${message} Execute again.`, {
      cause: error,
    })
  }
}

/** The local models of the chain in order, without models of providers. */
async function runLocally<T>({ use, params, local }: ModelTask<T>): Promise<ModelResult<T>> {
  const chain = [params.model ?? local?.names[0], ...(params.fallback ?? [])].filter((model) => model !== undefined)
  let missing: unknown
  for (const model of chain) {
    if (local === undefined || localNameOf(model) === undefined) continue
    try {
      return await runLocal(local, model)
    } catch (error) {
      if (!(error instanceof Fault) || error.details.reason !== 'provider_not_configured') throw error
      missing ??= error
    }
  }
  throw missing ?? noProvider(use, local !== undefined)
}

async function runLocal<T>({ run }: LocalFallback<T>, model: string): Promise<ModelResult<T>> {
  const name = localNameOf(model) ?? model
  return { result: await run(name), model: `${localPrefix}${name}` }
}

function noProvider({ capability }: ModelUse, hasLocal: boolean): Fault {
  const local = hasLocal ? ' except local ones' : ''
  return failure(
    'provider_not_configured',
    `This command can't call AI models${local}, but the node requires one for ${capability}. Execute the workflow on a service that has a provider for it.`,
  )
}
