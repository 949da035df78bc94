/**
 * One call of a model, from its record to its end. It may outlive the step that started it: a request can't be taken back, so
 * its result is stored for the next attempt. states.ts has the states, the README the steps.
 */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { InvocationOptions, ModelInvocation, ModelResponse } from '../../domain/models/model.ts'
import {
  type Budgets,
  type CallEnd,
  callRecord,
  type Handle,
  type ProviderCall,
} from '../../domain/models/provider-call.ts'
import { type ObservedWork, observe } from '../../domain/observed.ts'
import { orUnavailable } from '../../domain/persist.ts'
import { limits } from '../../limits.ts'
import { redact } from '../adapters/shared/redact.ts'
import { ProviderProblem, type ProviderResult, type Started } from '../define.ts'
import { CallRecord } from './call-record.ts'
import type { ClassifiedError } from './classify-error.ts'
import type { ActiveCall, CallContext, CallOutcome } from './context.ts'
import { type Cost, costOf, costOfFailure, isPriced } from './costs.ts'
import { kindOf } from './failures.ts'
import { GuardedHttp } from './guarded-http.ts'
import type { BreakerOutcome, ProviderLimiter } from './limiter.ts'
import { findUntilKnown, isSmall, pollUntilDone } from './poll.ts'
import { type CallTarget, ProviderClient } from './provider-client.ts'
import { type StoredImage, storeResult } from './result.ts'
import { backOffMs, sleep } from './retry.ts'
import { isAbort, StopControl, Stopped, type StopReason } from './stop.ts'

export interface CallOptions extends CallTarget {
  /** Throws an Error if a result is unusable. */
  accept: ModelInvocation['accept']
  /** Wraps everything that waits for the provider. */
  waiting?: InvocationOptions['waiting']
  /** Time until the deadline. */
  msLeft(): number
}

export interface NewCallOptions extends CallOptions {
  /** Called when the limiter has let the call in. */
  newRow(): ProviderCall
  /** Attempt of the execution. */
  attempt: number
  budgets: Budgets
  /** Aborts when the step ends: then the images of the request can't be made either. */
  stepSignal: AbortSignal
}

type Problem = Pick<ClassifiedError, 'kind' | 'message' | 'facts'> & { next?: ClassifiedError['next'] }

export class ModelCall implements ActiveCall {
  readonly done: Promise<CallOutcome>
  readonly #context: CallContext
  readonly #options: CallOptions
  readonly #client: ProviderClient
  readonly #limiter: ProviderLimiter
  readonly #record: CallRecord
  readonly #stops: StopControl
  /** The report of a new call to the circuit breaker. */
  #health: BreakerOutcome

  /** Records a new call and sends its request, once. */
  static start(context: CallContext, options: NewCallOptions): ModelCall {
    return new ModelCall(context, options, new CallRecord(context), (call) => call.#start(options))
  }

  /** Continues a recorded call that is still open. Sends no second paid request. */
  static resume(context: CallContext, row: ProviderCall, options: CallOptions): ActiveCall {
    const active = context.activeCall(row.id)
    if (active) return active
    return new ModelCall(context, options, new CallRecord(context, row), (call) => call.#resume())
  }

  private constructor(
    context: CallContext,
    options: CallOptions,
    record: CallRecord,
    work: (call: ModelCall) => Promise<CallOutcome>,
  ) {
    this.#context = context
    this.#options = options
    this.#client = new ProviderClient(context, options)
    this.#limiter = context.limiterOf(options.provider)
    this.#record = record
    // A new call needs its response before it can be cancelled, because that has the job.
    const graceMs = record.id === undefined && options.provider.cancel ? limits.providerCancelSeconds * 1000 : 0
    this.#stops = new StopControl(options.msLeft, graceMs)
    context.active.add(this)
    this.done = this.#observed(work, record.id !== undefined).finally(() => {
      this.#stops.dispose()
      context.active.delete(this)
    })
    // The step that started the call may have ended.
    this.done.catch(() => undefined)
  }

  get id(): string | undefined {
    return this.#record.id
  }

  async #observed(work: (call: ModelCall) => Promise<CallOutcome>, isResumed: boolean): Promise<CallOutcome> {
    const { provider, model, request } = this.#options
    const facts: ObservedWork['modelCall'] = {
      provider: this.#context.isOfTests ? 'test' : provider.id,
      model: model.row.name,
      capability: request.capability,
      isResumed,
    }
    return observe('modelCall', facts, async () => {
      const outcome = await work(this)
      facts.outcome = outcome.is === 'ended' ? callRecord(outcome.row).outcome : outcome.is
      if (outcome.is === 'ended') facts.row = outcome.row
      return outcome
    })
  }

  stop(reason: StopReason): void {
    this.#stops.stop(reason)
  }

  async #start(options: NewCallOptions): Promise<CallOutcome> {
    const model = options.model.row.name
    const pausedMs = this.#limiter.pausedMs(model)
    if (pausedMs > 0 && pausedMs > options.msLeft()) {
      return { is: 'not_sent', kind: 'rate_limited', message: 'the provider requested a pause' }
    }
    let leave: () => void
    try {
      leave = await this.#waiting(() => this.#limiter.enter(this.#stops.signal, model))
    } catch (error) {
      return this.#stoppedBeforeRecord(error)
    }
    try {
      const outcome = await this.#limiter.guard(
        () => this.#recordAndSend(options),
        () => this.#health,
      )
      return outcome === 'open' ? { is: 'not_sent', kind: 'circuit_open', message: '' } : outcome
    } finally {
      leave()
    }
  }

  async #recordAndSend(options: NewCallOptions): Promise<CallOutcome> {
    if (this.#stops.reason !== undefined) return this.#stoppedBeforeRecord()
    const { newRow, attempt, budgets } = options
    const knownMs = monotonicMs()
    try {
      const created = await this.#record.create(newRow(), attempt, budgets, this.#stops.sendSignal)
      if (created !== 'started') return { is: 'not_recorded', because: created }
    } catch (error) {
      return this.#stoppedBeforeRecord(error)
    }
    const guard = new GuardedHttp(() => this.#record.isCurrentAttempt(attempt, knownMs))
    if (this.#stops.reason !== undefined || !(await guard.isAllowed())) return this.#endNotSent(guard.checkError)
    const isCancelled = () => this.#stops.reason === 'cancel'
    const http = guard.wrap(this.#client.http, isCancelled, (send) => this.#waiting(send))
    let started: Started
    try {
      const { sendSignal: signal, secondsLeft } = this.#stops
      started = await this.#client.start(this.#record.row, { signal, secondsLeft, http })
    } catch (error) {
      if (guard.state === 'used') return this.#afterSendError(error)
      const isOver = this.#stops.reason !== undefined || options.stepSignal.aborted || guard.state === 'refused'
      return isOver ? this.#endNotSent(guard.checkError) : this.#failBeforeSend(error)
    }
    return this.#withHealth(this.#proceed(started))
  }

  /** An error of the adapter, or while the images for it were made. */
  #failBeforeSend(error: unknown): Promise<CallOutcome> {
    const problem = this.#client.classify(error, 'submit')
    if (problem.next === 'unknown') {
      return this.#fail({ kind: 'down', message: 'the request could not be made', facts: { billed: 'no' } })
    }
    const { kind, message, facts } = problem
    return this.#fail({ kind, message, facts })
  }

  async #afterSendError(error: unknown): Promise<CallOutcome> {
    const problem = isAbort(error, this.#stops.sendSignal) ? undefined : this.#client.classify(error, 'submit')
    // A definite response counts even if it arrived together with the abort.
    if (problem && problem.next !== 'unknown') {
      if (problem.kind === 'rate_limited') {
        const pauseMs = problem.facts.retryAfterMs ?? backOffMs(1, rateLimitedMs)
        this.#limiter.pause(pauseMs, this.#options.model.row.name)
      }
      this.#health = problem.kind
      return this.#fail(problem)
    }
    if (this.#stops.reason !== undefined && this.#stops.reason !== 'detach') return this.#endStopped(error)
    if (!this.#client.provider.find) {
      const unknown = problem ?? { kind: 'outcome_unknown', message: '', facts: { billed: 'unknown' } }
      this.#health = unknown.kind
      return this.#fail(unknown)
    }
    let found: Started | CallOutcome
    try {
      found = await this.#lookUp()
    } catch (stopped) {
      return this.#endStopped(stopped)
    }
    return 'is' in found ? found : this.#withHealth(this.#proceed(found))
  }

  async #resume(): Promise<CallOutcome> {
    try {
      if (this.#record.row.state === 'submitting') await this.#awaitOtherProcesses()
      if (this.#record.hasEnded) return await this.#endedElsewhere()
      if (this.#record.row.state === 'accepted') return await this.#reportHealth(this.#follow(0))
      if (!this.#client.provider.find) return await this.#endUnknown()
      const found = await this.#lookUp()
      return 'is' in found ? found : await this.#reportHealth(this.#proceed(found))
    } catch (error) {
      if (this.#stops.reason === undefined) throw error
      if (this.#stops.reason !== 'timeout') return { is: 'open' }
      if (this.#record.hasEnded) throw error
      return this.#endUnknown()
    }
  }

  /** Only calls that the provider worked on count: that a process ended is not the fault of the provider. */
  async #reportHealth(work: Promise<CallOutcome>): Promise<CallOutcome> {
    const outcome = await work
    await this.#limiter.report(breakerOutcomeOf(outcome))
    return outcome
  }

  /** The process that sent the request may be about to change the row. */
  async #awaitOtherProcesses(): Promise<void> {
    const startMs = monotonicMs()
    while ((await orUnavailable(this.#record.refresh())).state === 'submitting') {
      if (elapsedSince(startMs) >= this.#context.othersFinishMs) return
      await sleep(othersPollMs, this.#stops.signal)
    }
  }

  /** Looks up a request that may have been sent, if the provider knows calls by our id. */
  async #lookUp(): Promise<Started | CallOutcome> {
    const ageMs = () => this.#context.clock.now() - this.#record.row.updatedAt
    const found = await findUntilKnown(this.#client, this.#record.row, this.#stops, ageMs)
    if (found === 'not_received') {
      this.#health = 'down'
      return this.#endNotSent()
    }
    if (!('kind' in found)) return found
    this.#health = found.kind
    return this.#fail(found)
  }

  /** That a provider accepts a job says little about its health. Only the end of the call counts. */
  async #withHealth(work: Promise<CallOutcome>): Promise<CallOutcome> {
    const outcome = await work
    this.#health = breakerOutcomeOf(outcome)
    return outcome
  }

  /** The request was accepted: there is a result, or a job to follow. */
  async #proceed(started: Started): Promise<CallOutcome> {
    if ('done' in started) return this.#untilStopped(() => this.#endWithResult(started.done, this.#stops.sendSignal))
    if (!this.#client.provider.poll || !isSmall(started.handle)) {
      const message = 'the adapter returned a job that cannot be polled'
      return this.#fail({ kind: 'bad_output', message, facts: { billed: 'unknown' } })
    }
    const { handle, waitMs } = started
    const requestId = this.#requestId(started.requestId)
    const { row } = this.#record
    if (await this.#record.accept(handle, requestId)) return this.#follow(waitMs)
    if (this.#record.row.state !== 'done') await this.#client.cancel({ ...row, handle })
    return this.#endedElsewhere()
  }

  #follow(firstWaitMs: number | undefined): Promise<CallOutcome> {
    const job = {
      client: this.#client,
      stops: this.#stops,
      row: () => this.#record.row,
      onHandle: async (handle: Handle) => {
        if (isSmall(handle)) await this.#record.updateHandle(handle, this.#stops.signal)
      },
    }
    const poll = (waitMs: number | undefined) => this.#waiting(() => pollUntilDone(job, waitMs))
    return this.#untilStopped(async () =>
      this.#endWithResult(await poll(firstWaitMs), this.#stops.signal, () => poll(0)),
    )
  }

  /** Throws `Stopped` if the signal aborts before everything is stored. */
  async #endWithResult(
    result: ProviderResult,
    signal: AbortSignal,
    pollAgain?: () => Promise<ProviderResult>,
  ): Promise<CallOutcome> {
    const { model, request, accept } = this.#options
    const { blobs, inspect } = this.#context
    const { row } = this.#record
    const images: StoredImage[] = []
    const source = {
      blobs,
      inspect,
      row,
      client: this.#client,
      signal,
      images,
      charsMax: request.charsMax,
      accept,
      pollAgain,
    }
    const requestId = this.#requestId(result.requestId)
    try {
      const { response, stored } = await storeResult(result, source)
      return await this.#end(
        { state: 'done', response: stored, ...costOf(row, model, result, images), requestId },
        { response },
      )
    } catch (error) {
      if (error instanceof Stopped || signal.aborted || !(error instanceof ProviderProblem)) throw error
      const problem = this.#client.classify(error, 'download')
      const cost = problem.facts.billed === 'no' ? undefined : costOf(row, model, result, images)
      return this.#fail({ ...problem, facts: { ...problem.facts, ...(requestId !== null && { requestId }) } }, cost)
    }
  }

  /** Decides what happens to a call whose work ends early. */
  async #untilStopped(work: () => Promise<CallOutcome>): Promise<CallOutcome> {
    try {
      return await work()
    } catch (error) {
      if (this.#stops.reason !== undefined || !(error instanceof ProviderProblem)) return this.#endStopped(error)
      return this.#fail(this.#client.classify(error, 'poll'))
    }
  }

  /** Throws the error if nothing stopped the call. */
  async #endStopped(error: unknown): Promise<CallOutcome> {
    const { reason } = this.#stops
    if (reason === 'detach' || reason === 'shutdown') return { is: 'open' }
    if (reason === undefined || this.#record.hasEnded) throw error
    await this.#client.cancel(this.#record.row)
    if (reason === 'timeout') {
      this.#health = 'timeout'
      return this.#fail({ kind: 'timeout', message: 'it reached the time limit', facts: { billed: 'unknown' } })
    }
    // A call without cost may be repeated, even if it was carried out.
    const isFree = isPriced(this.#options.model, this.#record.row.capability) && this.#record.row.reservedMicros === 0
    const again = isFree
      ? ({ facts: { billed: 'no' }, next: 'retry' } as const)
      : { facts: { billed: 'unknown' } as const }
    return this.#fail({ kind: 'cancelled', message: cancelled, ...again })
  }

  /** Nothing is recorded yet, so there is nothing to end. Throws the error if nothing stopped the call. */
  #stoppedBeforeRecord(error?: unknown): CallOutcome {
    const { reason } = this.#stops
    if (reason === undefined) throw error
    if (reason !== 'timeout') return { is: 'open' }
    return { is: 'not_sent', kind: 'timeout', message: 'no request was sent before the time limit' }
  }

  /** Nothing was sent: free, and may be sent by a new call. Throws `checkError`, so that the execution is retried. */
  async #endNotSent(checkError?: unknown): Promise<CallOutcome> {
    const message = 'nothing was sent'
    const outcome = await this.#fail({ kind: 'cancelled', message, facts: { billed: 'no' }, next: 'retry' })
    if (checkError !== undefined) throw checkError
    return outcome
  }

  #endUnknown(): Promise<CallOutcome> {
    const message = 'the service ended before the response'
    return this.#fail({ kind: 'outcome_unknown', message, facts: { billed: 'unknown' } })
  }

  /** Ends the call without a result. `resultCost`: the cost of a result that is unusable. */
  #fail({ kind, message, facts, next }: Problem, resultCost?: Cost): Promise<CallOutcome> {
    const isFree = (facts.billed ?? 'no') === 'no'
    const problem = {
      kind,
      message,
      ...(facts.status !== undefined && { status: facts.status }),
      ...(next === 'retry' && isFree && { isForNow: true as const }),
    }
    const state = kind === 'outcome_unknown' ? 'unknown' : kind === 'cancelled' ? 'cancelled' : 'failed'
    const cost = costOfFailure(this.#record.row, this.#options.model, facts, resultCost)
    const requestId = facts.requestId ?? this.#record.row.requestId
    return this.#end({ state, problem, ...cost, requestId }, { afterMs: facts.retryAfterMs })
  }

  async #end(end: CallEnd, more: { response?: ModelResponse; afterMs?: number | undefined }): Promise<CallOutcome> {
    if (!(await this.#record.end(end))) return this.#endedElsewhere()
    return { is: 'ended', row: this.#record.row, ...more }
  }

  async #endedElsewhere(): Promise<CallOutcome> {
    const { row } = this.#record
    if (row.state !== 'done') return { is: 'ended', row }
    return { is: 'ended', row, response: await this.#record.response() }
  }

  #waiting<Value>(wait: () => Promise<Value>): Promise<Value> {
    return this.#options.waiting ? this.#options.waiting(wait) : wait()
  }

  #requestId(result: string | undefined): string | null {
    return result ? redact(result, this.#client.secrets).slice(0, 200) : this.#record.row.requestId
  }
}

/** The report of a sent call to the circuit breaker: none if it was cancelled or stays open. */
function breakerOutcomeOf(outcome: CallOutcome): BreakerOutcome {
  if (outcome.is !== 'ended' || outcome.row.state === 'cancelled') return undefined
  return outcome.row.state === 'done' ? 'answered' : kindOf(outcome.row)
}

const cancelled =
  'by this service, because an earlier attempt of the execution ended early: another step failed, or the time limit was reached. Its outcome is unknown, so it is not sent again'

/** How long to pause a model after 429 if the provider doesn't say. */
const rateLimitedMs = { firstMs: 1_000, mostMs: 20_000 }

/** How often to read a row that another process may be about to change. */
const othersPollMs = 250
