/** One question to a model: answered by an earlier call, or by the first model of the chain that returns a usable result. */

import { createHash } from 'node:crypto'
import { orAbort } from '../../domain/abortable.ts'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { isTerminal } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing } from '../../domain/images/image.ts'
import type {
  CallOwner,
  CallSite,
  InvocationOptions,
  Micros,
  ModelInvocation,
  ModelRequest,
  ModelResponse,
} from '../../domain/models/model.ts'
import type { ProviderCall } from '../../domain/models/provider-call.ts'
import { orUnavailable, persist } from '../../domain/persist.ts'
import { DependencyUnavailable, Fault, failure, issueSentence } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { TableModel } from '../catalog/table.ts'
import type { ModelRow } from '../define.ts'
import { CallRecord, hasEnded } from './call-record.ts'
import { type ActiveCall, type CallContext, type CallOutcome, missingConfig } from './context.ts'
import { budgetRefusal, reserve } from './costs.ts'
import { exhausted, failureOf, kindOf, modelOf, type Refusal, refusalOf } from './failures.ts'
import { CallHistory, decideRetry } from './history.ts'
import { ModelCall } from './model-call.ts'
import { backOffMs, sleep } from './retry.ts'
import type { StopReason } from './stop.ts'

/** Who asks, at which place of the execution, what, and how the step runs. */
export interface InvocationArgs {
  owner: CallOwner
  site: CallSite
  invocation: ModelInvocation
  options: InvocationOptions
}

interface State extends InvocationArgs {
  context: CallContext
  history: CallHistory
  /** Created once, when first needed. */
  request(): Promise<ModelRequest>
  requestHash(): Promise<string>
}

export async function invokeModel(context: CallContext, question: InvocationArgs): Promise<ModelResponse> {
  const { owner, invocation, options } = question
  options.signal.throwIfAborted()
  const request = memoized(async () => ({ capability: invocation.capability, ...(await invocation.request()) }))
  const requestHash = memoized(async () => hashOf(await request()))
  const { chain, issues } = context.models.choose(invocation)
  const state: State = { ...question, context, history: new CallHistory(options.onCalls), request, requestHash }
  // Local models leave no records, and most chains have only local models.
  const isFirst = owner.attempt === 1 && owner.resumeChain.length === 0
  if (!isFirst || !chain.every((model) => isLocal(context, model))) {
    const earlier = await earlierResponse(state, chain)
    if (earlier) return earlier
  }
  if (issues.length > 0)
    throw failure('input_invalid', `No model can be called: ${issues[0] && issueSentence(issues[0])}`, { issues })
  if (chain.length === 0) throw failure('provider_not_configured', context.models.howToEnable(invocation.capability))
  return callChain(state, chain)
}

/** The response from the calls of this execution, then of the executions that it resumes. */
async function earlierResponse(state: State, chain: readonly string[]): Promise<ModelResponse | undefined> {
  const { context, owner, site, history } = state
  const all = await orUnavailable(context.calls.at([owner.executionId, ...owner.resumeChain], site))
  history.load(all.filter(({ executionId }) => executionId === owner.executionId))
  const current = await responseOfExecution(state)
  if (current) return current
  for (const executionId of owner.resumeChain) {
    for (const row of all.filter((call) => call.executionId === executionId).reverse()) {
      const response = await resumedResponse(state, row, chain)
      if (response) return response
    }
  }
  return undefined
}

/** Undefined if no call of this execution is open or done. */
async function responseOfExecution(state: State): Promise<ModelResponse | undefined> {
  const { context, history } = state
  for (const row of history.rows) {
    if (hasEnded(row)) {
      history.add(row)
      if (row.state === 'done') return storedResponse(context, row)
      continue
    }
    const outcome = await outcomeOf(state, await resumeCall(state, row))
    const response = await responseOf(state, outcome)
    if (response) return response
    if (outcome.is === 'open') return earlierResponse(state, [])
  }
  return undefined
}

/** Only for an identical request, to a model that may be used now. Failed calls of a resumed execution don't count. */
async function resumedResponse(
  state: State,
  row: ProviderCall,
  chain: readonly string[],
): Promise<ModelResponse | undefined> {
  const { context, history } = state
  const provider = context.providers.get(row.provider)
  const isUsable = provider !== undefined && missingConfig(context, provider) === undefined
  const mayEnd = row.state === 'accepted' || (row.state === 'submitting' && provider?.find !== undefined)
  if (!(row.state === 'done' || (isUsable && mayEnd)) || !chain.includes(modelOf(row))) return undefined
  if (row.requestHash !== (await state.requestHash())) return undefined
  if (row.state === 'done') {
    const response = await storedResponse(context, row).catch((error) => {
      if (error instanceof Fault) return undefined
      throw error
    })
    if (response) history.addResumed(row)
    return response
  }
  // The execution of the call has ended. This write keeps the sweep of any process from cancelling it as orphaned.
  if (row.handle) await context.calls.update(row.id, row.handle, context.clock.now()).catch(() => false)
  const outcome = await outcomeOf(state, await resumeCall(state, row))
  if (outcome.is !== 'ended' || !outcome.response) return undefined
  history.addResumed(outcome.row)
  return outcome.response
}

async function callChain(state: State, chain: readonly string[]): Promise<ModelResponse> {
  const refusals: Refusal[] = []
  for (const model of chain) {
    const response = isLocal(state.context, model)
      ? await callLocalModel(state, model, chain.length === 1)
      : await callModel(state, model, refusals)
    if ('images' in response) return response
    refusals.push(response)
  }
  throw exhausted(refusals)
}

/** Calls one model until it answers or may not be retried. Throws if no other model may be called. */
async function callModel(state: State, name: string, before: readonly Refusal[]): Promise<ModelResponse | Refusal> {
  const { context, owner, invocation, options, history } = state
  const model = context.models.find(name)
  const provider = model && context.providers.get(model.provider)
  if (!model || !provider) return refuse(history, name, 'unsupported', 'the model no longer exists')
  const msLeft = deadlineOf(state)
  for (let afterMs: number | undefined; ; ) {
    options.signal.throwIfAborted()
    const decision = decideRetry(history.failedCallsOf(name), invocation.onUnknownOutcome)
    if (decision.is === 'fall_back') return refusalOf(decision.last)
    if (decision.is === 'fail') throw failureOf(finalRefusal(state, decision.last), before)
    if (model.unavailableReason !== undefined) return refuse(history, name, 'not_configured', model.unavailableReason)
    const last = history.failedCallsOf(name).at(-1)
    const mismatch = last && kindOf(last) === 'mismatch' ? last.problem?.message : undefined
    if (decision.tries > 0 && mismatch === undefined) {
      const waitMs = afterMs ?? backOffMs(decision.tries)
      if (waitMs >= msLeft() && last) return refusalOf(last)
      const wait = () => sleep(waitMs, options.signal)
      await (options.waiting?.(wait) ?? wait())
    }
    const request = requestFor(model.row, await state.request(), mismatch)
    const budgets = await orUnavailable(context.budgets(owner))
    const reservedMicros = reserve(model, request, budgets)
    if (reservedMicros === undefined) throw failureOf(budgetRefusal(name, 'no price'), before)
    const requestHash = await state.requestHash()
    const call = ModelCall.start(context, {
      provider,
      model,
      request,
      budgets,
      msLeft,
      accept: invocation.accept,
      waiting: options.waiting,
      stepSignal: options.signal,
      attempt: owner.attempt,
      newRow: () => newRow(state, model, { requestHash, reservedMicros }),
    })
    const outcome = await outcomeOf(state, call)
    if (outcome.is === 'not_sent') return refuse(history, name, outcome.kind, outcome.message)
    if (outcome.is === 'not_recorded' && typeof outcome.because === 'object') {
      throw failureOf(budgetRefusal(name, { ...outcome.because, requestedMicros: reservedMicros }), before)
    }
    const response = await responseOf(state, outcome)
    if (response) return response
    if (outcome.is === 'ended') afterMs = outcome.afterMs
    else {
      // Another attempt, or an earlier question of this process, has a call at this place.
      const earlier = await earlierResponse(state, [])
      if (earlier) return earlier
    }
  }
}

async function callLocalModel(
  { invocation, history }: State,
  model: string,
  isOnly: boolean,
): Promise<ModelResponse | Refusal> {
  if (!invocation.local) return refuse(history, model, 'unsupported', 'no local model supports it')
  try {
    await invocation.local(model)
    history.addLocal(model)
    return { model, images: [] }
  } catch (error) {
    if (isOnly || !(error instanceof Fault) || error.details.reason !== 'provider_not_configured') throw error
    return refuse(history, model, 'not_configured', error.message)
  }
}

function refuse(history: CallHistory, model: string, kind: Refusal['kind'], message: string): Refusal {
  const refusal: Refusal = { model, kind, message, billed: 'no' }
  history.addRefusal(refusal)
  return refusal
}

function finalRefusal({ history, invocation }: State, last: ProviderCall): Refusal {
  const refusal = refusalOf(last)
  if (refusal.kind !== 'outcome_unknown' || invocation.onUnknownOutcome !== 'retry') return refusal
  const unknownTimes = history.failedCallsOf(refusal.model).filter(({ state }) => state === 'unknown').length
  return { ...refusal, unknownTimes }
}

/** Undefined if the call ended without an answer. */
async function responseOf(
  { owner, options, history }: State,
  outcome: CallOutcome,
): Promise<ModelResponse | undefined> {
  if (outcome.is === 'ended') {
    history.add(outcome.row)
    return outcome.response
  }
  options.signal.throwIfAborted()
  if (outcome.is !== 'not_recorded' || outcome.because !== 'lease_lost') return undefined
  // Another attempt has the execution: the worker aborts this one in a moment.
  await sleep(10_000, options.signal)
  throw new DependencyUnavailable(new Error(`attempt ${owner.attempt} of ${owner.executionId} may not write any more`))
}

/** Waits for the call. If the step is aborted first, stops the call as needed and throws the reason of the abort. */
async function outcomeOf(state: State, call: ActiveCall): Promise<CallOutcome> {
  const { options, history } = state
  try {
    return await orAbort(call.done, options.signal)
  } catch (error) {
    if (!options.signal.aborted) throw error
    const reason = await stopReasonOf(state)
    call.stop(reason)
    if (reason === 'cancel') {
      const outcome = await call.done.catch(() => undefined)
      if (outcome?.is === 'ended') history.add(outcome.row)
    }
    throw options.signal.reason
  }
}

async function stopReasonOf({ context, owner, options }: State): Promise<StopReason> {
  const abortReason = options.abortReason()
  if (abortReason !== 'lease_lost') return abortReason === 'cancelled' ? 'cancel' : 'detach'
  try {
    const execution = await persist(() => context.executions.find(owner.accountId, owner.executionId))
    return execution === undefined || isTerminal(execution.status) ? 'cancel' : 'detach'
  } catch {
    return 'detach'
  }
}

/** The deadline of a resumed call starts again. */
async function resumeCall(state: State, row: ProviderCall): Promise<ActiveCall> {
  const { context, invocation, options } = state
  const active = context.activeCall(row.id)
  if (active) return active
  const provider = context.providers.get(row.provider)
  const missing = provider ? missingConfig(context, provider) : 'the provider no longer exists'
  if (!provider || missing !== undefined) {
    throw failureOf({ ...refusalOf(row), kind: 'not_configured', message: missing ?? '', billed: 'unknown' })
  }
  const model = context.modelOf(row)
  const request = await state.request()
  const { accept } = invocation
  return ModelCall.resume(context, row, {
    provider,
    model,
    request,
    accept,
    waiting: options.waiting,
    msLeft: deadlineOf(state),
  })
}

function newRow(
  { context, owner, site, invocation, history }: State,
  { provider, row: { name } }: TableModel,
  { requestHash, reservedMicros }: { requestHash: string; reservedMicros: Micros },
): ProviderCall {
  const now = context.clock.now()
  return {
    id: newId('call', now),
    accountId: owner.accountId,
    executionId: owner.executionId,
    workflowId: owner.workflowId,
    keyId: owner.keyId,
    node: site.node,
    item: site.item,
    ordinal: site.ordinal,
    sequence: history.nextSequence(),
    capability: invocation.capability,
    provider,
    model: name,
    requestHash,
    state: 'submitting',
    handle: null,
    response: null,
    problem: null,
    reservedMicros,
    costMicros: null,
    costSource: null,
    requestId: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Throws if the images were removed: they were paid for, and the model isn't called again. */
async function storedResponse(context: CallContext, row: ProviderCall): Promise<ModelResponse> {
  try {
    return await new CallRecord(context, row).response()
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw new DependencyUnavailable(error)
    const message = 'its result is no longer stored'
    throw failureOf({ ...refusalOf(row), kind: 'expired', message, billed: 'yes' })
  }
}

/** Milliseconds until the deadline of the capability, counted from now, or of the execution. */
function deadlineOf({ invocation, options }: State): () => number {
  const startMs = monotonicMs()
  const ms = Math.min(secondsOf[invocation.capability], options.secondsLeft()) * 1000
  return () => ms - elapsedSince(startMs)
}

/** Seconds that a call may take. */
const secondsOf: Record<ModelInvocation['capability'], number> = {
  describe: limits.providerTextSeconds,
  write: limits.providerTextSeconds,
  judge: limits.providerTextSeconds,
  generate: limits.providerImageSeconds,
  edit: limits.providerImageSeconds,
  inpaint: limits.providerImageSeconds,
  'remove-background': limits.providerBackgroundSeconds,
  upscale: limits.providerUpscaleSeconds,
}

/** Whether the step runs the model itself. With test keys, a fake takes the place of local models, too: they need not be installed. */
function isLocal({ providers }: CallContext, model: string): boolean {
  return model.startsWith('local/') && !providers.has('local')
}

/** Identifies a request: calls of a resumed execution count only for an identical one. */
async function hashOf({ images, mask, ...words }: ModelRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(words).sort()))
  for (const { bytes } of images) hash.update(createHash('sha256').update(bytes).digest())
  if (mask) hash.update('mask').update(await mask.white())
  return hash.digest('hex')
}

function memoized<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | undefined
  return () => {
    promise ??= make()
    return promise
  }
}

/** `mismatch`: the difference between the previous response and the schema. The hash of a request doesn't depend on it. */
function requestFor(row: ModelRow, request: ModelRequest, mismatch?: string): ModelRequest {
  const { schema, prompt = '', ...rest } = request
  if (schema === undefined) return request
  const correction = mismatch === undefined ? '' : `\n\n${correctionOf(mismatch)}`
  if (row.can[request.capability]?.structuredOutput) return { ...request, prompt: `${prompt}${correction}` }
  return { ...rest, prompt: `${prompt}\n\n${instructionFor(schema)}${correction}` }
}

function instructionFor(schema: object): string {
  return `Respond with nothing but JSON that matches this JSON Schema, without Markdown:\n${JSON.stringify(schema)}`
}

function correctionOf(mismatch: string): string {
  return `Your previous response did not match the schema: ${mismatch}\nCorrect that.`
}
