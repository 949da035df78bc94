/** Predicts which steps of a plan come from the cache, with the same look-ups as an execution but without running or reading anything. */
import type { NamedOutputSettings } from '../../domain/workflows/outputs.ts'
import { newTemplateBudget } from '../check/template-work.ts'
import { outputValues } from '../check/wires.ts'
import { isSource, needsOf, valueNeeds } from '../plan/dependencies.ts'
import type { Plan, PlannedOutput } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import type { KnownStep } from '../plan/resolve-step.ts'
import { fileKeysOf } from './file-keys.ts'
import { unpackValues } from './packed.ts'
import type { StepCache, StepReuse, StoredResult } from './ports.ts'
import { createStepKeys, type KeyContext, type StepKey, type StepKeys, storedKeysOf, wiresOf } from './step-keys.ts'

/** The ids of their nodes. Not the steps whose keys depend on values that are not cached, or on bytes from the web. */
export async function predictCacheHits(plan: Plan, { keyContext, cache }: StepReuse): Promise<Set<string>> {
  const needed = plan.steps.filter(({ action }) => action !== 'unneeded')
  if (cache === undefined) return new Set()
  const stepKeys = createStepKeys(plan, newTemplateBudget(), keyContext)
  const { keys, found } = await lookUp(needed, stepKeys, cache)
  const waiting: string[] = []
  for (const planned of plan.outputs)
    if (!(await isStored(planned, keys, keyContext, cache))) waiting.push(...planned.output.nodes)
  const byNode = new Map(needed.map((step) => [step.node.id, step]))
  const isThere = (step: PlannedStep, withImages: boolean): boolean => {
    if (step.action === 'skip' || (withImages && isSource(step))) return false
    const stepKey = keys.get(step.node.id)
    return stepKey !== undefined && storedIn(found, stepKey, withImages) !== undefined
  }
  const runs = new Set<string>()
  const demand = (id: string, withImages: boolean): void => {
    const step = byNode.get(id)
    if (step === undefined || runs.has(id) || isThere(step, withImages)) return
    runs.add(id)
    const wired = new Set(wiresOf(step))
    for (const need of needsOf(step)) demand(need, wired.has(need))
  }
  for (const id of waiting) demand(id, true)
  if (waiting.length > 0) for (const id of outputValues(plan.workflow)) demand(id, false)
  return new Set(needed.flatMap(({ node }) => (runs.has(node.id) ? [] : [node.id])))
}

/** Whether all its files are cached. Not if its settings depend on values of nodes. */
async function isStored(
  { output, settings }: PlannedOutput,
  keys: ReadonlyMap<string, StepKey>,
  keyContext: KeyContext,
  cache: StepCache,
): Promise<boolean> {
  const identities = output.nodes.flatMap((node) => keys.get(node)?.identity ?? [])
  if (settings === undefined || identities.length < output.nodes.length) return false
  const files = fileKeysOf(output.kind, settings as NamedOutputSettings, identities, keyContext)
  if (files.includes(undefined)) return false
  const found = await cache.findOutputs(files as string[])
  return files.every((key) => found.has(key ?? ''))
}

/** The keys that are known before anything runs, also from cached values that templates read, and what is stored under them. */
async function lookUp(needed: readonly PlannedStep[], stepKeys: StepKeys, cache: StepCache) {
  const keys = new Map<string, StepKey>()
  for (const { node } of needed) {
    const stepKey = await stepKeys.staticKey(node.id)
    if (stepKey) keys.set(node.id, stepKey)
  }
  const found = new Map(await cache.find([...keys.values()].flatMap((stepKey) => storedKeysOf(stepKey, false))))
  for (const step of needed) {
    const { id } = step.node
    if (keys.has(id) || step.action !== 'run') continue
    const stepKey = await dynamicKey(step, keys, found, stepKeys)
    if (stepKey === undefined || stepKey.isContentUnknown) continue
    keys.set(id, stepKey)
    for (const [key, stored] of await cache.find(storedKeysOf(stepKey, false))) found.set(key, stored)
  }
  return { keys, found }
}

/** Undefined if it depends on a step without a key, or on values that are not cached. */
async function dynamicKey(
  step: PlannedStep,
  keys: ReadonlyMap<string, StepKey>,
  found: ReadonlyMap<string, StoredResult>,
  stepKeys: StepKeys,
): Promise<StepKey | undefined> {
  const known = new Map<string, KnownStep>()
  for (const id of valueNeeds(step)) {
    const stepKey = keys.get(id)
    const stored = stepKey?.resolved && storedIn(found, stepKey, false)
    if (stored === undefined) return undefined
    known.set(id, unpackValues(stored.facts, stepKey?.identity.list))
  }
  const wired = new Map<string, StepKey['identity']>()
  for (const id of wiresOf(step)) {
    const stepKey = keys.get(id)
    if (stepKey === undefined) return undefined
    wired.set(id, stepKey.identity)
  }
  // The step fails with this error when it runs.
  return stepKeys.dynamicKey(step, known, wired).catch(() => undefined)
}

function storedIn(found: ReadonlyMap<string, StoredResult>, stepKey: StepKey, withImages: boolean) {
  if (!stepKey.resolved?.decisions.some(Boolean)) return undefined
  const stored = storedKeysOf(stepKey, withImages)
    .map((key) => found.get(key))
    .find((hit) => hit !== undefined)
  return stored?.facts.variation === stepKey.variation?.id ? stored : undefined
}
