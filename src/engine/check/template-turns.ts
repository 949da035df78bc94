/** Work on documents and templates, in pieces: between expensive pieces every other request gets a turn. */
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
const unitsPerTurn = 50_000

let unitsSinceTurn = 0
let lastTurn: Promise<unknown> = Promise.resolve()

/** Does a piece of work that no turn interrupts, with the budget of one piece, which is taken from `total`. */
export async function inTurn<Result>(total: TemplateBudget, work: (budget: TemplateBudget) => Result): Promise<Result> {
  await turnIfDue()
  const unitsMax = Math.max(0, Math.min(limits.templatesUnitsMax, total.unitsLeft))
  const budget = newBudget(unitsMax)
  try {
    return work(budget)
  } finally {
    const spent = unitsMax - Math.max(0, budget.unitsLeft)
    total.unitsLeft -= spent
    unitsSinceTurn += spent
  }
}

async function turnIfDue(): Promise<void> {
  if (unitsSinceTurn > unitsPerTurn) await nextTurn()
}

/** How long work whose units aren't counted may keep the event loop. */
const turnMs = 10

/**
 * Returns a function to call between parts of such work. It waits for the next turn if this one, which starts now, has
 * lasted too long.
 */
export function limitTurns(): () => Promise<void> {
  let startMs = monotonicMs()
  return async () => {
    if (elapsedSince(startMs) < turnMs) return
    await nextTurn()
    startMs = monotonicMs()
  }
}

/** One round of the event loop for each caller: several pieces that wait don't run in the same round. */
export function nextTurn(): Promise<void> {
  const turn = lastTurn.then(async () => {
    await setImmediate()
    unitsSinceTurn = 0
  })
  lastTurn = turn
  return turn
}
