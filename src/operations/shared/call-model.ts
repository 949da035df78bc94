/** How operations ask models: whoever is to be asked for them, or, where nobody is, local models alone. */
import type { ModelInvocation, ModelResponse } from '../../domain/model.ts'
import { requirementsOf } from '../../domain/requirements.ts'
import { Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ModelUse, OperationContext } from '../define.ts'
import type { ModelChoice } from './model-params.ts'

export interface ModelQuestion<T> {
  asks: ModelUse
  params: ModelChoice & Record<string, unknown>
  /** How many images are handed on, the mask not counted. Default: 0. */
  images?: number
  request: ModelInvocation['request']
  /** The result. Throws an Error that says what is wrong with the answer. */
  read(answer: ModelResponse): Promise<T>
  local?: LocalFallback<T>
}

export interface LocalFallback<T> {
  /** The models that can do it; the first is taken where none is named. */
  names: readonly string[]
  run(name: string): Promise<T>
}

export interface ModelResult<T> {
  result: T
  /** `provider/model` */
  model: string
}

export async function callModel<T>(context: OperationContext, question: ModelQuestion<T>): Promise<ModelResult<T>> {
  const { asks, params, images = 0, request, local } = question
  if (images > limits.modelInputImagesMax) {
    throw failure(
      'limit_exceeded',
      `There are ${images} images; a model is handed at most ${limits.modelInputImagesMax}.`,
    )
  }
  if (context.invokeModel === undefined) return askLocally(question)
  const seen = new Map<ModelResponse, T>()
  let made: ModelResult<T> | undefined
  const answer = await context.invokeModel({
    capability: asks.capability,
    model: params.model,
    fallback: params.fallback,
    requirements: requirementsOf(asks.requirements, params, images),
    onUnknownOutcome: params.onUnknownOutcome,
    request,
    async accept(given) {
      seen.set(given, await read(question, given, context))
    },
    ...(local && {
      async local(model) {
        made = await runLocal(local, model, asks)
      },
    }),
  })
  if (made !== undefined && answer.images.length === 0 && answer.text === undefined) return made
  const result = seen.get(answer) ?? (await readKept(question, answer, context))
  return { result, model: answer.model }
}

/** The name of a local model without its provider; undefined for one of another provider. */
export function localNameOf(model: string): string | undefined {
  const slash = model.indexOf('/')
  if (slash < 0) return model
  return model.startsWith(localPrefix) ? model.slice(localPrefix.length) : undefined
}

const localPrefix = 'local/'

/** What is wrong with an answer is an Error, also where a Fault says it; what ended the work stays what it is. */
async function read<T>(question: ModelQuestion<T>, answer: ModelResponse, context: OperationContext): Promise<T> {
  try {
    return await question.read(answer)
  } catch (error) {
    if (error instanceof Fault && !context.signal.aborted) throw new Error(error.message, { cause: error })
    throw error
  }
}

/** An answer of an earlier attempt, which was accepted then. */
async function readKept<T>(question: ModelQuestion<T>, answer: ModelResponse, context: OperationContext): Promise<T> {
  try {
    return await read(question, answer, context)
  } catch (error) {
    if (error instanceof Fault) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw failure('provider_unavailable', `What ${answer.model} gave cannot be used: ${message}`, { cause: error })
  }
}

/** As the chain of models would be tried, without those that would have to be asked elsewhere. */
async function askLocally<T>({ asks, params, local }: ModelQuestion<T>): Promise<ModelResult<T>> {
  const chain = [params.model ?? local?.names[0], ...(params.fallback ?? [])].filter((model) => model !== undefined)
  let missing: unknown
  for (const model of chain) {
    if (local === undefined || localNameOf(model) === undefined) continue
    try {
      return await runLocal(local, model, asks)
    } catch (error) {
      if (!(error instanceof Fault) || error.details.reason !== 'provider_not_configured') throw error
      missing ??= error
    }
  }
  throw missing ?? nobodyToAsk(asks, local !== undefined)
}

async function runLocal<T>({ names, run }: LocalFallback<T>, model: string, { capability }: ModelUse): Promise<ModelResult<T>> {
  const name = localNameOf(model)
  if (name === undefined || !names.includes(name)) {
    throw failure(
      'input_invalid',
      `There is no local model ${name ?? model} for ${capability}. There are: ${names.join(', ')}.`,
    )
  }
  return { result: await run(name), model: `${localPrefix}${name}` }
}

function nobodyToAsk({ capability }: ModelUse, hasLocal: boolean): Fault {
  const local = hasLocal ? ' but local ones' : ''
  return failure(
    'provider_not_configured',
    `No AI models${local} are asked here, and this needs one for ${capability}. Execute the workflow on a service that has a provider for it.`,
  )
}
