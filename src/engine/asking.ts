/** The asks of one run: at which place each of them is made, what is told of them, and that none outlives the run. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask, AskPlace, AskRun, ModelAnswer, ModelCallRecord } from '../domain/model.ts'
import { Fault, failure } from '../errors.ts'
import type { OperationContext } from '../operations/define.ts'

/** As `Asker`, for one execution; what is to become of calls under way, the reason of the signal says. */
export type AskFor = (place: AskPlace, ask: Ask, run: Omit<AskRun, 'ending'>) => Promise<ModelAnswer>

export interface Asking {
  /** Of one node. */
  of(node: string): StepAsks
  /** When none is under way any more, or some seconds after; what comes later is not told. */
  ended(): Promise<void>
}

export interface StepAsks {
  /** For one run of the operation. `item`: its place in a list; undefined where it runs once. */
  of(item: number | undefined): OperationContext['ask']
  /** Whether another model has answered than the one that results are known by. */
  hasFallenBack(): boolean
}

interface Options {
  ask: AskFor
  /** The model that results of this ask are known by; undefined where nothing is told apart. */
  firstOf(ask: Ask): string | undefined
  signal: AbortSignal
  secondsLeft(): number
  /** All calls of a node, in the order of items and asks. */
  onCalls(node: string, calls: ModelCallRecord[]): void
}

/** Longer than it takes to cancel a call at its provider and to write that down. */
const endingSeconds = 10

export function createAsking({ ask: askFor, firstOf, signal, secondsLeft, onCalls }: Options): Asking {
  const underWay = new Set<Promise<unknown>>()
  let isOver = false

  function stepAsks(node: string): StepAsks {
    const told: { place: AskPlace; calls: readonly ModelCallRecord[] }[] = []
    let hasFallenBack = false

    function note(place: AskPlace, calls: readonly ModelCallRecord[]): void {
      if (isOver) return
      const before = told.find((each) => each.place === place)
      if (before) before.calls = calls
      else told.push({ place, calls })
      told.sort((a, b) => a.place.item - b.place.item || a.place.ordinal - b.place.ordinal)
      onCalls(
        node,
        told.flatMap((each) => each.calls),
      )
    }

    return {
      of(item = -1) {
        let ordinal = 0
        return async (ask) => {
          const place: AskPlace = { node, item, ordinal }
          ordinal += 1
          signal.throwIfAborted()
          const run = { signal, secondsLeft, note: (calls: readonly ModelCallRecord[]) => note(place, calls) }
          const first = firstOf(ask)
          const work = askFor(place, blamed(ask), run)
          underWay.add(work)
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
      const timer = new AbortController()
      const late = pause(endingSeconds * 1_000, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)
      await Promise.race([Promise.allSettled(underWay), late])
      timer.abort()
      isOver = true
    },
  }
}

/** What goes wrong in the operation's own part is no fault of whoever asks for it. */
function blamed({ request, local, ...ask }: Ask): Ask {
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
