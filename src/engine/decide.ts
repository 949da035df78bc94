/** Whether steps run that wait for values of others to be decided: by those values alone, before all else that they need. */
import { findLists } from './lists.ts'
import { decisionNeeds } from './needs.ts'
import type { Plan } from './plan.ts'
import type { PlannedStep } from './planned-step.ts'
import type { StepResult } from './results.ts'
import { isWanted } from './settle.ts'
import type { TemplateBudget } from './template-cost.ts'

export type Decide = (step: PlannedStep) => Promise<PlannedStep>

/** Gives steps as they are where each item of a list is decided by itself, or where it fails: that is told when they are settled. */
export function createDecide(
  plan: Plan,
  budget: TemplateBudget,
  valuesOf: (id: string) => Promise<StepResult>,
): Decide {
  const lists = findLists(plan.workflow.nodes, plan.workflow.order)
  const decided = new Map<string, Promise<PlannedStep>>()

  async function decide(step: PlannedStep): Promise<PlannedStep> {
    try {
      const ids = decisionNeeds(step.node)
      const known = new Map(
        await Promise.all(ids.map(async (id): Promise<[string, StepResult]> => [id, await valuesOf(id)])),
      )
      const action = (await isWanted(step, { known, parameters: plan.scope, budget })) ? 'run' : 'skip'
      return { ...step, action }
    } catch {
      return step
    }
  }

  return async (step) => {
    const { id } = step.node
    if (step.action !== 'decide' || lists.has(id)) return step
    const known = decided.get(id) ?? decide(step)
    decided.set(id, known)
    return known
  }
}
