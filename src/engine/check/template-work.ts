/** Work on documents and templates, in pieces: between expensive pieces every other request runs. */
import { setImmediate } from 'node:timers/promises'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { elapsedSince, monotonicMs, processorMs } from '../../domain/clock.ts'
import { limits } from '../../limits.ts'

/**
 * A budget for the renderings that happen without a pause for the event loop between them: those of a plan, or of a
 * step for one item.
 */
export function newTemplateBudget(): TemplateBudget {
  return newBudget(limits.templatesUnitsMax)
}

/** A budget for all renderings of an execution, which have pauses between them. */
export function newExecutionBudget(): TemplateBudget {
  return newBudget(limits.executionTemplateUnitsMax)
}

export function newBudget(unitsLeft: number): TemplateBudget {
  return { unitsLeft, processorMs }
}

/** Some 5 ms. */
const unitsPerPause = 50_000

let unitsSincePause = 0
let lastPause: Promise<unknown> = Promise.resolve()

/** Does a piece of work that nothing interrupts, with the budget of one piece, which is taken from `total`. */
export async function inPiece<Result>(
  total: TemplateBudget,
  work: (budget: TemplateBudget) => Result,
): Promise<Result> {
  await pauseIfDue()
  const unitsMax = Math.max(0, Math.min(limits.templatesUnitsMax, total.unitsLeft))
  const budget = newBudget(unitsMax)
  try {
    return work(budget)
  } finally {
    const spent = unitsMax - Math.max(0, budget.unitsLeft)
    total.unitsLeft -= spent
    unitsSincePause += spent
  }
}

async function pauseIfDue(): Promise<void> {
  if (unitsSincePause > unitsPerPause) await nextPause()
}

/** How long work whose units aren't counted may keep the event loop. */
const pieceMs = 10

/**
 * Returns a function to call between parts of such work. It waits for other work if the part, which starts now, has
 * lasted too long.
 */
export function createPauses(): () => Promise<void> {
  let startMs = monotonicMs()
  return async () => {
    if (elapsedSince(startMs) < pieceMs) return
    await nextPause()
    startMs = monotonicMs()
  }
}

/** One round of the event loop for each caller: several pieces that wait don't run in the same round. */
export function nextPause(): Promise<void> {
  const pause = lastPause.then(async () => {
    await setImmediate()
    unitsSincePause = 0
  })
  lastPause = pause
  return pause
}
