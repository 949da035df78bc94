/** Tracks the model invocations of one run, reports their calls, and waits for them at the end of the run. */
import { withGrace } from '../../domain/abortable.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type {
  CallSite,
  InvocationOptions,
  ModelCallRecord,
  ModelInvocation,
  ModelResponse,
} from '../../domain/models/model.ts'
import { callsNotIn } from '../../domain/models/provider-call.ts'
import { Fault, failure } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'

/**
 * Calls a model like `ModelClient.invoke`, for one execution. The reason of the signal decides what happens to open
 * calls.
 */
export type InvokeModel = (
  site: CallSite,
  invocation: ModelInvocation,
  run: Omit<InvocationOptions, 'abortReason'>,
) => Promise<ModelResponse>

export interface ModelCalls {
  /** The invocations of one node. */
  of(node: string): StepModelCalls
  /** Resolves when no invocation is in progress, or after some seconds. Later reports are dropped. */
  ended(): Promise<void>
  /** The invocations that were in progress when the run was stopped, the oldest first. Complete after `ended`. */
  interrupted(): InterruptedCall[]
}

/** An invocation without a response in time. */
export interface InterruptedCall {
  node: string
  /** `provider/model`; undefined if it may be one of several. */
  model: string | undefined
  /** Its last call; undefined if none has ended since the stop. */
  call: ModelCallRecord | undefined
}

export interface StepModelCalls {
  /** The function for one run of the operation. `item`: its index in a list; undefined if it runs once. */
  of(item: number | undefined): OperationContext['invokeModel']
  /** Whether another model has responded than the one in the cache key. */
  hasUsedFallback(): boolean
}

interface Options {
  invokeModel: InvokeModel
  /** The model in the cache key of the result; undefined without keys. */
  expectedModel(invocation: ModelInvocation): string | undefined
  signal: AbortSignal
  secondsLeft(): number
  /** The calls of earlier attempts, by node. */
  callsBefore?: ReadonlyMap<string, readonly ModelCallRecord[]> | undefined
  waiting: AttemptActivity['waiting']
  /** Receives all calls of a node, in the order of items and invocations. */
  onCalls(node: string, calls: ModelCallRecord[]): void
}

/** Longer than cancelling a call at its provider and recording that. */
const cancelGraceSeconds = 10

export function createModelCalls(options: Options): ModelCalls {
  const { invokeModel: invoke, expectedModel, signal, secondsLeft, callsBefore, waiting, onCalls } = options
  const underWay = new Map<Promise<unknown>, Invocation>()
  let stopped: { invocation: Invocation; reportedBefore: number }[] = []
  let isOver = false

  const onStop = () => {
    stopped = [...underWay.values()].map((invocation) => ({ invocation, reportedBefore: invocation.calls.length }))
  }
  signal.addEventListener('abort', onStop, { once: true })

  function stepAsks(node: string): StepModelCalls {
    const reported: Invocation[] = []
    let hasUsedFallback = false

    function note(invocation: Invocation, calls: readonly ModelCallRecord[]): void {
      if (isOver) return
      invocation.calls = calls
      if (!reported.includes(invocation)) reported.push(invocation)
      reported.sort((a, b) => a.site.item - b.site.item || a.site.ordinal - b.site.ordinal)
      const all = reported.flatMap((report) => report.calls)
      // This attempt may fail before it reaches all call sites.
      onCalls(node, [...all, ...callsNotIn(callsBefore?.get(node) ?? [], all)])
    }

    return {
      of(item = -1) {
        let ordinal = 0
        return async (invocation) => {
          const site: CallSite = { node, item, ordinal }
          ordinal += 1
          signal.throwIfAborted()
          const first = expectedModel(invocation)
          const recorded: Invocation = { site, first, calls: [] }
          const run = {
            signal,
            secondsLeft,
            waiting,
            onCalls: (calls: readonly ModelCallRecord[]) => note(recorded, calls),
          }
          const work = invoke(site, withOwnFaults(invocation), run)
          underWay.set(work, recorded)
          try {
            const response = await work
            hasUsedFallback ||= first !== undefined && response.model !== first
            return response
          } finally {
            underWay.delete(work)
          }
        }
      },
      hasUsedFallback: () => hasUsedFallback,
    }
  }

  return {
    of: stepAsks,
    async ended() {
      await withGrace(Promise.allSettled(underWay.keys()), cancelGraceSeconds)
      isOver = true
    },
    interrupted: () => stopped.map(({ invocation, reportedBefore }) => interruptedCall(invocation, reportedBefore)),
  }
}

interface Invocation {
  site: CallSite
  first: string | undefined
  calls: readonly ModelCallRecord[]
}

/**
 * The interrupted call: without a reported call it waited for the first model. After others it may be any remaining
 * model.
 */
function interruptedCall({ site: { node }, first, calls }: Invocation, reportedBefore: number): InterruptedCall {
  const call = calls.length > reportedBefore ? calls.at(-1) : undefined
  return { node, model: call?.model ?? (calls.length === 0 ? first : undefined), call }
}

/** Errors in the functions of the operation are faults of the operation, not of the provider. */
function withOwnFaults({ request, local, ...invocation }: ModelInvocation): ModelInvocation {
  return {
    ...invocation,
    request: () => withModelFaults(request),
    ...(local ? { local: (model: string) => withModelFaults(() => local(model)) } : {}),
  }
}

async function withModelFaults<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw error
    throw failure(
      'internal',
      'The operation failed because of an internal error. Retry, or send the request id to the operator.',
      { cause: error },
    )
  }
}
