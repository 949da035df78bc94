/** The record of one model call. Its state changes only here, and only as the table in states.ts says. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { ModelResponse } from '../../domain/models/model.ts'
import type { BeginResult, Budgets, CallEnd, Handle, ProviderCall } from '../../domain/models/provider-call.ts'
import { orUnavailable, persist } from '../../domain/persist.ts'
import type { CallDependencies } from './context.ts'
import { modelOf } from './failures.ts'
import { checkTransition, type Transition } from './states.ts'

type Dependencies = Pick<CallDependencies, 'calls' | 'blobs' | 'executions' | 'clock'>

/** An attempt checks again that it is the current one if it last did so longer ago than this. */
const attemptCheckMs = 2_000

export class CallRecord {
  readonly #dependencies: Dependencies
  #id: string | undefined
  /** Undefined while the call is new. */
  #row: ProviderCall | undefined

  constructor(dependencies: Dependencies, row?: ProviderCall) {
    this.#dependencies = dependencies
    this.#row = row
    this.#id = row?.id
  }

  /** Id of the call, also while the row is about to be written. */
  get id(): string | undefined {
    return this.#id
  }

  get row(): ProviderCall {
    if (!this.#row) throw new Error('this call is not recorded yet')
    return this.#row
  }

  get #state(): Transition['from'] {
    return this.#row?.state ?? 'new'
  }

  get hasEnded(): boolean {
    return hasEnded(this.row)
  }

  /** new -> submitting, and reserves the cost. Rejects with the reason of the signal. */
  async create(row: ProviderCall, attempt: number, budgets: Budgets, signal: AbortSignal): Promise<BeginResult> {
    checkTransition(this.#state, 'submitting')
    this.#id = row.id
    const result = await persist(() => this.#dependencies.calls.begin(row, attempt, budgets), signal)
    if (result === 'started') this.#row = row
    return result
  }

  /** Whether the attempt may still write; `knownMs`: when it last could. Throws `DependencyUnavailable`. */
  async isCurrentAttempt(attempt: number, knownMs: number): Promise<boolean> {
    const { executionId } = this.row
    let checkedMs = knownMs
    while (elapsedSince(checkedMs) > attemptCheckMs) {
      checkedMs = monotonicMs()
      const running = await orUnavailable(this.#dependencies.executions.whichRun([{ executionId, attempt }]))
      if (!running.includes(executionId)) return false
    }
    return true
  }

  /** submitting -> accepted. False if another process has ended the call. */
  async accept(handle: Handle, requestId: string | null): Promise<boolean> {
    checkTransition(this.#state, 'accepted')
    const { row } = this
    const now = this.#dependencies.clock.now()
    if (!(await persist(() => this.#dependencies.calls.accept(row.id, handle, requestId, now)))) {
      await this.refresh()
      // Else an earlier try of this write succeeded, and only its response was lost.
      if (this.hasEnded) return false
    }
    this.#row = { ...row, state: 'accepted', handle, requestId }
    return true
  }

  /** If another process has ended the call, that shows when this one ends it. */
  async updateHandle(handle: Handle, signal: AbortSignal): Promise<void> {
    const { id } = this.row
    this.#row = { ...this.row, handle }
    const now = this.#dependencies.clock.now()
    await persist(() => this.#dependencies.calls.update(id, handle, now), signal)
  }

  /** submitting or accepted -> the final state. False if another process has ended the call: then the row is as it says. */
  async end(end: CallEnd): Promise<boolean> {
    checkTransition(this.#state, end.state)
    const { row } = this
    const now = this.#dependencies.clock.now()
    if (!(await persist(() => this.#dependencies.calls.end(row.id, end, now)))) {
      await this.refresh()
      return false
    }
    const { response = null, problem = null, requestId, ...rest } = end
    this.#row = { ...row, ...rest, response, problem, requestId: requestId ?? row.requestId }
    return true
  }

  /** Reads the row again. */
  async refresh(): Promise<ProviderCall> {
    const { row } = this
    const all = await persist(() => this.#dependencies.calls.at([row.executionId], row))
    // A missing row was removed long after its end.
    this.#row = all.find(({ id }) => id === row.id) ?? { ...row, state: 'cancelled' }
    return this.#row
  }

  /** The response of a call that is `done`. Throws `BlobMissing` if its images were removed. */
  async response(): Promise<ModelResponse> {
    const { blobKeys = [], ...rest } = this.row.response ?? {}
    const images = await Promise.all(blobKeys.map((key) => this.#dependencies.blobs.read(key)))
    return { ...rest, model: modelOf(this.row), images }
  }
}

export function hasEnded({ state }: ProviderCall): boolean {
  return state !== 'submitting' && state !== 'accepted'
}
