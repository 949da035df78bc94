/** The asks of one run: at which place each of them is made, what is told of them, and that none outlives the run. */
import { withGrace } from '../../domain/abortable.ts'
import type { AttemptActivity } from '../../domain/attempt-activity.ts'
import type {
  CallSite,
  InvocationOptions,
  ModelCallRecord,
  ModelInvocation,
  ModelResponse,
} from '../../domain/model.ts'
import { callsBesides } from '../../domain/provider-call.ts'
import { Fault, failure } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'

/** As `Asker`, for one execution; what is to become of calls under way, the reason of the signal says. */
export type InvokeModel = (
  place: CallSite,
  ask: ModelInvocation,
  run: Omit<InvocationOptions, 'abortReason'>,
) => Promise<ModelResponse>

export interface ModelCalls {
  /** Of one node. */
  of(node: string): StepModelCalls
  /** When none is under way any more, or some seconds after; what comes later is not told. */
  ended(): Promise<void>
  /** Those that were under way when the run was stopped, the oldest first. Complete once they have ended. */
  interrupted(): InterruptedCall[]
}

/** An ask that was not answered in time. */
export interface InterruptedCall {
  node: string
  /** `provider/model`; undefined where it cannot be told which of several it was. */
  model: string | undefined
  /** What its last call came to; undefined where none has ended since. */
  call: ModelCallRecord | undefined
}

export interface StepModelCalls {
  /** For one run of the operation. `item`: its place in a list; undefined where it runs once. */
  of(item: number | undefined): OperationContext['invokeModel']
  /** Whether another model has answered than the one that results are known by. */
  hasFallenBack(): boolean
}

interface Options {
  invokeModel: InvokeModel
  /** The model that results of this ask are known by; undefined where nothing is told apart. */
  expectedModel(invocation: ModelInvocation): string | undefined
  signal: AbortSignal
  secondsLeft(): number
  /** What earlier attempts have told, by node. */
  callsBefore?: ReadonlyMap<string, readonly ModelCallRecord[]> | undefined
  waiting: AttemptActivity['waiting']
  /** All calls of a node, in the order of items and asks. */
  onCalls(node: string, calls: ModelCallRecord[]): void
}

/** Longer than it takes to cancel a call at its provider and to write that down. */
const cancelGraceSeconds = 10

export function createModelCalls(options: Options): ModelCalls {
  const { invokeModel: askFor, expectedModel, signal, secondsLeft, callsBefore, waiting, onCalls } = options
  const underWay = new Map<Promise<unknown>, Invocation>()
  let stopped: { one: Invocation; toldBefore: number }[] = []
  let isOver = false

  const onStop = () => {
    stopped = [...underWay.values()].map((one) => ({ one, toldBefore: one.calls.length }))
  }
  signal.addEventListener('abort', onStop, { once: true })

  function stepAsks(node: string): StepModelCalls {
    const told: Invocation[] = []
    let hasFallenBack = false

    function note(one: Invocation, calls: readonly ModelCallRecord[]): void {
      if (isOver) return
      one.calls = calls
      if (!told.includes(one)) told.push(one)
      told.sort((a, b) => a.place.item - b.place.item || a.place.ordinal - b.place.ordinal)
      const all = told.flatMap((each) => each.calls)
      // This attempt may fail before it comes to the places of all of them.
      onCalls(node, [...all, ...callsBesides(callsBefore?.get(node) ?? [], all)])
    }

    return {
      of(item = -1) {
        let ordinal = 0
        return async (ask) => {
          const place: CallSite = { node, item, ordinal }
          ordinal += 1
          signal.throwIfAborted()
          const first = expectedModel(ask)
          const one: Invocation = { place, first, calls: [] }
          const run = { signal, secondsLeft, waiting, onCalls: (calls: readonly ModelCallRecord[]) => note(one, calls) }
          const work = askFor(place, blamed(ask), run)
          underWay.set(work, one)
          try {
            const answer = await work
            hasFallenBack ||= first !== undefined && answer.model !== first
            return answer
          } finally {
            underWay.delete(work)
          }
        }
      },
      hasFallenBack: () => hasFallenBack,
    }
  }

  return {
    of: stepAsks,
    async ended() {
      await withGrace(Promise.allSettled(underWay.keys()), cancelGraceSeconds)
      isOver = true
    },
    interrupted: () => stopped.map(({ one, toldBefore }) => interruptedCall(one, toldBefore)),
  }
}

interface Invocation {
  place: CallSite
  first: string | undefined
  calls: readonly ModelCallRecord[]
}

/** With nothing told of it, it waited for the first; after others it may be any of the rest. */
function interruptedCall({ place: { node }, first, calls }: Invocation, toldBefore: number): InterruptedCall {
  const call = calls.length > toldBefore ? calls.at(-1) : undefined
  return { node, model: call?.model ?? (calls.length === 0 ? first : undefined), call }
}

/** What goes wrong in the operation's own part is no fault of whoever asks for it. */
function blamed({ request, local, ...ask }: ModelInvocation): ModelInvocation {
  return {
    ...ask,
    request: () => ownFaults(request),
    ...(local ? { local: (model: string) => ownFaults(() => local(model)) } : {}),
  }
}

async function ownFaults<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw error
    throw failure('internal', 'The operation failed unexpectedly.', { cause: error })
  }
}
