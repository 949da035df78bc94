/** Rendering of templates, in pieces with a budget each. */
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { processorMs } from '../../domain/clock.ts'
import { nextPause } from '../../domain/pauses.ts'
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
  if (unitsSincePause <= unitsPerPause) return
  await nextPause()
  unitsSincePause = 0
}
