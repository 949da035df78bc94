/** The dependencies of model calls, and the state that all calls of a process share: limiters, and calls in progress. */
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/executions/execution.ts'
import type { BlobStore, ImageFacts } from '../../domain/images/image.ts'
import type { CallOwner, ModelResponse } from '../../domain/models/model.ts'
import type { BeginResult, Budgets, ProviderCall, ProviderCallStore } from '../../domain/models/provider-call.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'
import type { ModelTable, TableModel } from '../catalog/table.ts'
import type { ProblemKind, Provider } from '../define.ts'
import { missingConfigOf, type ProviderConfigs } from '../settings.ts'
import { modelOf } from './failures.ts'
import { createLimiter, type ProviderLimiter } from './limiter.ts'
import type { StopReason } from './stop.ts'

export interface CallDependencies {
  models: ModelTable
  providers: ReadonlyMap<string, Provider>
  configs: ProviderConfigs
  calls: ProviderCallStore
  blobs: BlobStore
  executions: Pick<ExecutionStore, 'find' | 'whichRun'>
  /** Decodes an entire image file. Throws a Fault if it isn't an image, is damaged or too large. */
  inspect(file: string, signal: AbortSignal): Promise<ImageFacts>
  http(provider: string): ProviderHttp
  clock: Clock
  /** The calls are those of test keys: metrics and traces name no provider that was not called. */
  isOfTests?: boolean
  budgets(owner: Pick<CallOwner, 'accountId' | 'keyId' | 'batchId'>): Promise<Budgets>
  /** Reports errors that no caller sees, such as a failed cancellation. They have no secrets. */
  onError(error: Error): void
  /**
   * How long another process that is shutting down, or that lost the execution, may still be about to record a call. A call in
   * `submitting` becomes `unknown` only after that time. 0 if no other process runs executions.
   */
  othersFinishMs: number
}

/** How the work of this process on a call ended. */
export type CallOutcome =
  /** The row has its final state. `response` if it is `done`. `afterMs`: when the provider accepts the next request. */
  | { is: 'ended'; row: ProviderCall; response?: ModelResponse; afterMs?: number | undefined }
  /** Nothing was recorded or sent. */
  | { is: 'not_sent'; kind: ProblemKind; message: string }
  /** The store refused to record it. */
  | { is: 'not_recorded'; because: Exclude<BeginResult, 'started'> }
  /** The row stays open: the next attempt resumes the call. */
  | { is: 'open' }

/** A call that this process works on. */
export interface ActiveCall {
  /** Undefined until it is recorded. */
  readonly id: string | undefined
  readonly done: Promise<CallOutcome>
  stop(reason: StopReason): void
}

export interface CallContext extends CallDependencies {
  active: Set<ActiveCall>
  activeCall(id: string): ActiveCall | undefined
  limiterOf(provider: Provider): ProviderLimiter
  /** The model of a recorded call, as the table has it now, or with no more than its name. */
  modelOf(row: ProviderCall): TableModel
  closeLimiters(): void
}

export function createCallContext(dependencies: CallDependencies): CallContext {
  const active = new Set<ActiveCall>()
  const limiters = new Map<string, ProviderLimiter>()
  return {
    ...dependencies,
    active,
    activeCall: (id) => [...active].find((call) => call.id === id),
    limiterOf({ id, concurrency }) {
      const limiter = limiters.get(id) ?? createLimiter(concurrency)
      limiters.set(id, limiter)
      return limiter
    },
    modelOf(call) {
      const row = dependencies.models.find(modelOf(call))?.row ?? { name: call.model, can: {} }
      return { provider: call.provider, row, unavailableReason: undefined }
    },
    closeLimiters() {
      for (const limiter of limiters.values()) limiter.close()
    },
  }
}

/** Why a provider can't be used; undefined if it can. */
export function missingConfig({ configs }: CallDependencies, provider: Provider): string | undefined {
  return missingConfigOf(provider, configs[provider.id] ?? { settings: {}, baseUrl: undefined })?.text
}
