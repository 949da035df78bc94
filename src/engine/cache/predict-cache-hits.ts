/** Predicts which steps of a plan come from the cache, with the same look-ups as an execution but without running or reading anything. */
import type { EncodeSettings } from '../../domain/output.ts'
import { newTemplateBudget } from '../check/template-turns.ts'
import { isSource, needsOf, outputValues } from '../plan/dependencies.ts'
import type { Plan } from '../plan/plan.ts'
import { outputKeyOf } from './key.ts'
import type { StepReuse } from './ports.ts'
import { createStepKeys } from './step-keys.ts'

/** The ids of their nodes. Not the steps whose keys depend on values of other nodes, or on bytes from the web. */
export async function predictCacheHits(plan: Plan, { keyContext, cache }: StepReuse): Promise<Set<string>> {
  const needed = plan.steps.filter(({ action }) => action !== 'unneeded')
  if (cache === undefined) return new Set()
  const stepKeys = createStepKeys(plan, newTemplateBudget(), keyContext)
  const keys = new Map<string, string>()
  for (const step of needed) {
    const { node, action } = step
    const stepKey = await stepKeys.staticKey(node.id)
    const key = action === 'skip' || isSource(step) ? undefined : stepKey?.identity.key
    if (key !== undefined && stepKey?.resolved?.decisions.some(Boolean)) keys.set(node.id, key)
  }
  const { node: output } = plan.workflow.output
  const whole = await stepKeys.staticKey(output)
  if (whole && plan.outputSettings && outputValues(plan).length === 0) {
    const { name: _, ...settings } = plan.outputSettings as EncodeSettings & { name?: string }
    const key = outputKeyOf(whole.identity, settings, keyContext.fingerprint)
    if (key !== undefined && (await cache.findOutput(key))) return new Set(needed.map(({ node }) => node.id))
  }
  const found = await cache.find([...keys.values()])
  const isThere = (id: string) => found.has(keys.get(id) ?? '')
  const runs = new Set<string>()
  const byNode = new Map(needed.map((step) => [step.node.id, step]))
  const demand = (id: string): void => {
    const step = byNode.get(id)
    if (step === undefined || runs.has(id) || isThere(id)) return
    runs.add(id)
    for (const need of needsOf(step)) demand(need)
  }
  for (const id of [output, ...outputValues(plan)]) demand(id)
  return new Set(needed.flatMap(({ node }) => (runs.has(node.id) ? [] : [node.id])))
}
