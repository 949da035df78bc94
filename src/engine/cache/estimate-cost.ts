/** Estimates the cost of the model calls of a plan, without running anything. */

import type { TemplateBudget } from '../../../shared/template/cost.ts'
import type { CostRange, ModelRequirements, Models } from '../../domain/models/model.ts'
import { checkEachHolder } from '../check/each.ts'
import { type Lists, listOf, listsOf, wiresOfOne } from '../check/lists.ts'
import { imagesOf, partialRequirements, requirementsOfParams } from '../check/model-requirements.ts'
import { newTemplateBudget } from '../check/template-work.ts'
import { resolve } from '../check/values.ts'
import { readByOutputs } from '../check/wires.ts'
import { firstNeedsOf } from '../plan/dependencies.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { isStatic, type KnownStep, type ResolvedStep, resolveStep } from '../plan/resolve-step.ts'
import { staticScope } from '../plan/template-scopes.ts'

export interface CostEstimate {
  /** Cost by node, for steps that call models; null if the cost is unknown. */
  steps: ReadonlyMap<string, CostRange | null>
  total: CostRange | null
}

const free: CostRange = { minMicros: 0, maxMicros: 0 }

/** `served`: nodes that will not run. The minimum counts only the calls that are certain. */
export async function estimateCost(
  plan: Plan,
  cached: ReadonlySet<string>,
  models: Models | undefined,
): Promise<CostEstimate> {
  const budget = newTemplateBudget()
  const lists = listsOf(plan.workflow.nodes, plan.workflow.order)
  const items = itemsByNode(plan, lists, budget)
  const certain = certainSteps(plan, cached)
  const steps = new Map<string, CostRange | null>()
  /** Prices by requirements: the items of a list mostly have the same. */
  const prices = new Map<string, CostRange | null>()
  for (const step of plan.steps) {
    const { id, operation } = step.node
    if (operation.usesModel === undefined) continue
    const runs = (step.action === 'run' || step.action === 'decide') && !cached.has(id)
    const use = runs ? callsModel(step.node) : 'never'
    const cost = use === 'never' ? free : await costOf(step)
    steps.set(id, cost && (use === 'perhaps' || !certain.has(id)) ? { ...cost, minMicros: 0 } : cost)
  }
  return { steps, total: [...steps.values()].reduce(sum, free) }

  async function costOf(step: PlannedStep): Promise<CostRange | null> {
    const { node } = step
    const images = imagesOf(node, lists)
    const resolved = await resolveStatic(step)
    if (resolved) {
      return resolved.decisions
        .map((params) => {
          const required = params && requirementsOfParams(node.operation, params, images)
          return required ? priceOf(required) : free
        })
        .reduce(sum, free)
    }
    const required = partialRequirements(node, images, { scope: staticScope(node.place, plan.scope), budget })
    const price = required ? priceOf(required) : null
    const count = lists.has(node.id) ? items.get(node.id)?.length : 1
    if (price === null || count === undefined) return null
    const least = step.action === 'decide' ? 0 : price.minMicros * count
    return { minMicros: least, maxMicros: price.maxMicros * count }
  }

  /** Depends on the number of images at its inputs. */
  function callsModel({ operation: { usesModel }, inputs }: PlannedStep['node']): 'always' | 'perhaps' | 'never' {
    const counts = (inputs[usesModel?.requirements.images ?? ''] ?? []).map((id) =>
      lists.has(id) ? items.get(id)?.length : 1,
    )
    const least = counts.reduce<number>((all, count = 0) => all + count, 0)
    if (least >= (usesModel?.imagesMin ?? 0)) return 'always'
    return counts.includes(undefined) ? 'perhaps' : 'never'
  }

  /** Undefined if it depends on values of nodes. */
  async function resolveStatic(step: PlannedStep): Promise<ResolvedStep | undefined> {
    const wired = wiresOfOne(step.node).filter((id) => lists.has(id))
    if (!isStatic(step) || wired.some((id) => !items.has(id))) return undefined
    const known = new Map<string, KnownStep>()
    for (const id of wired)
      known.set(id, { values: {}, list: { items: items.get(id) ?? [], origins: lists.get(id) ?? new Set() } })
    return resolveStep(step, { known, parameters: plan.scope, budget }).catch(() => undefined)
  }

  function priceOf(required: ModelRequirements): CostRange | null {
    const key = JSON.stringify(required)
    let price = prices.get(key)
    if (price === undefined) {
      price = findPrice(required)
      prices.set(key, price)
    }
    return price
  }

  function findPrice(required: ModelRequirements): CostRange | null {
    const chain = models?.ready(models.choose(required).chain).map(({ model }) => model) ?? []
    const cost = chain.length > 0 ? models?.costOf(chain, required) : undefined
    if (cost === undefined) return null
    return required.isStructured ? { ...cost, maxMicros: cost.maxMicros * 2 } : cost
  }
}

/** The items of lists, if they are known. A list that is made from another one has the same length. */
function itemsByNode({ workflow, scope }: Plan, lists: Lists, budget: TemplateBudget): Map<string, unknown[]> {
  const items = new Map<string, unknown[]>()
  for (const id of lists.keys()) {
    const node = workflow.nodes.get(id)
    const ownItems = node?.each
    const wired = node && wiresOfOne(node).find((source) => lists.has(source))
    if (ownItems === undefined) {
      const known = items.get(wired ?? '')
      if (known) items.set(id, known)
    } else if (ownItems.references.every(({ kind }) => kind === 'parameter')) {
      const nodeScope = staticScope(node?.place, scope)
      const { resolved, issues } = resolve(ownItems, checkEachHolder, { scope: nodeScope, budget }, '')
      if (issues.length === 0) items.set(id, listOf(resolved.each))
    }
  }
  return items
}

/** The steps that run whatever `when` gives during the execution. */
function certainSteps(plan: Plan, cached: ReadonlySet<string>): Set<string> {
  const byNode = new Map(plan.steps.map((step) => [step.node.id, step]))
  const certain = new Set<string>()
  const visit = (id: string): void => {
    const step = byNode.get(id)
    if (step === undefined || cached.has(id) || certain.has(id)) return
    certain.add(id)
    for (const need of firstNeedsOf(step)) visit(need)
  }
  for (const id of readByOutputs(plan.workflow)) visit(id)
  return certain
}

function sum(a: CostRange | null, b: CostRange | null): CostRange | null {
  return a && b && { minMicros: a.minMicros + b.minMicros, maxMicros: a.maxMicros + b.maxMicros }
}
