/** The cache key of each step of a plan: static if it is known before any step runs, otherwise dynamic. */
import { hash } from 'node:crypto'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import type { ModelRequirements, ReadyModel } from '../../domain/models/model.ts'
import { createPauses } from '../../domain/pauses.ts'
import type { Operation, OperationContext } from '../../operations/define.ts'
import { firstWire, takesMany } from '../check/lists.ts'
import { requirementsOfParams } from '../check/model-requirements.ts'
import { passedOn } from '../check/wires.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { type Decision, isStatic, type KnownStep, type ResolvedStep, resolveStep } from '../plan/resolve-step.ts'
import { firstOf, hashOf, type Identity, type Ingredients, keyOf, nothing, taskOf, valuesKeyOf } from './key.ts'

/** The inputs of cache keys that depend on the account and on the machine. */
export interface KeyContext {
  /** Libraries and processor. */
  fingerprint: string
  /** The certificate and the time stamps of signed outputs. Default: outputs are not signed. */
  signing?: string | undefined
  /** The hash of the bytes of a source; undefined if they have to be read for that. */
  identify(source: string): Promise<string | undefined>
  /** All fonts that the account can use. */
  fonts(): Promise<unknown>
  models?(requirements: ModelRequirements): KeyModels
  /** Set if steps with random results reuse them. Otherwise these steps, and all that depend on them, have no key. */
  variations?: VariationKeys | undefined
}

/** Reuse of random results: one stored result for each variation of a node. */
export interface VariationKeys {
  /** The variation of a node. Equal work has one result for each variation. */
  of(node: string): unknown
  /**
   * The id of the result that is stored under this key, or a new id for the result that this run makes. The same for each
   * call of a run.
   */
  resultId(key: string): Promise<string>
}

export interface KeyModels {
  /** The models that are called one after the other, as `provider/model`. */
  chain: readonly string[]
  /** The configured models of the chain. The key is the one of a response of the first. */
  ready: readonly ReadyModel[]
}

export interface StepKey {
  identity: Identity
  /** Undefined if the entire step is skipped. */
  resolved: ResolvedStep | undefined
  /** It has no key yet, only because the content of a source is not known. */
  isContentUnknown: boolean
  /** Set for a random result that is reused. */
  variation?: Variation | undefined
}

/**
 * A random result is stored under a key without its id. The key of its identity contains the id, so that a result that is made
 * again never meets what was made from the one before.
 */
export interface Variation {
  key: string
  id: string
}

/** The keys under which the result may be stored, the best first. `withImages`: with its images, and not only its values. */
export function storedKeysOf({ identity: { key }, variation }: StepKey, withImages: boolean): string[] {
  if (key === undefined) return []
  if (variation) return [variation.key]
  return withImages ? [key] : [valuesKeyOf(key), key]
}

export interface StepKeys {
  /** Undefined if the key depends on the results of other steps, or on a source that has to be read. */
  staticKey(id: string): Promise<StepKey | undefined>
  /** `known`: the steps that its templates read. `wired`: the steps that it is wired to. Throws the errors of `resolveStep`. */
  dynamicKey(
    planned: PlannedStep,
    known: ReadonlyMap<string, KnownStep>,
    wired: ReadonlyMap<string, Identity>,
  ): Promise<StepKey>
  /** The identity of a step that has run. `contents`: the hashes of the sources that it has read. */
  identityAfterReading(
    planned: PlannedStep,
    stepKey: StepKey,
    wired: ReadonlyMap<string, Identity>,
    contents: ReadonlyMap<string, string | undefined>,
  ): Promise<Identity>
}

export function createStepKeys(plan: Plan, budget: TemplateBudget, keyContext: KeyContext): StepKeys {
  const byNode = new Map(plan.steps.map((step) => [step.node.id, step]))
  const staticKeys = new Map<string, Promise<StepKey | undefined>>()
  const pauseIfDue = createPauses()
  let fonts: Promise<unknown> | undefined

  async function findStaticKey(id: string): Promise<StepKey | undefined> {
    const planned = byNode.get(id)
    if (planned === undefined || planned.action === 'unneeded' || !isStatic(planned)) return undefined
    const wired = new Map<string, Identity>()
    for (const source of wiresOf(planned)) {
      const stepKey = await stepKeys.staticKey(source)
      if (stepKey === undefined || stepKey.isContentUnknown) return undefined
      wired.set(source, stepKey.identity)
    }
    await pauseIfDue()
    try {
      const stepKey = await stepKeys.dynamicKey(planned, new Map(), wired)
      return stepKey.isContentUnknown ? undefined : stepKey
    } catch {
      // The step fails with this error when it runs, if it does.
      return undefined
    }
  }

  /** `contentOf`: the hash of the bytes of a source. */
  async function computeKey(
    planned: PlannedStep,
    resolved: ResolvedStep | undefined,
    wired: ReadonlyMap<string, Identity>,
    contentOf: (source: string) => Promise<string | undefined>,
  ): Promise<StepKey> {
    const { node } = planned
    const { operation } = node
    const first = wired.get(firstWire(node) ?? '')
    const isList = resolved?.over !== undefined
    if (resolved === undefined || (!isList && resolved.decisions[0] === undefined)) {
      const input = first?.list && takesMany(node) ? firstOf(first) : first
      return { identity: input ?? nothing, resolved, isContentUnknown: false }
    }
    const { decisions, over } = resolved
    const { sources = [], models } = operation.reads ?? {}
    if (operation.reads?.fonts) fonts ??= keyContext.fonts()
    const images = imagesOf(node, wired)
    const requirements = decisions.map((params) => {
      const requirement = params && requirementsOfParams(operation, params, images)
      return requirement && keyContext.models?.(requirement)
    })
    const chains = requirements.map((requirement) => requirement?.chain ?? [])
    const hasModels = operation.usesModel !== undefined && keyContext.models !== undefined
    const ingredients: Ingredients = {
      operation: operation.id,
      version: operation.version,
      params: decisions.map((params) => params ?? null),
      isList,
      inputs: Object.fromEntries(
        Object.entries(node.inputs).map(([name, ids]) => [name, ids.map((id) => wired.get(id) ?? nothing)]),
      ),
      fonts: await fonts,
      ...ownIngredients(node),
      models: [
        ...new Set(decisions.flatMap((params, i) => (params && models?.(params as never, chains[i] ?? [])) ?? [])),
      ],
    }
    if (!operation.reads?.fonts) ingredients.fonts = undefined
    const task = taskOf(node.id, hasModels ? { ...ingredients, chains } : ingredients)
    const list = over && { list: { items: over.items, origins: over.origins } }
    const variations = !isRepeated(operation, decisions) && sources.length === 0 ? keyContext.variations : 'none'
    if (!node.cache || variations === undefined)
      return { identity: { key: undefined, task, ...list }, resolved, isContentUnknown: false }
    let isContentUnknown = false
    const params: unknown[] = []
    for (const decision of decisions) {
      const replaced: Record<string, unknown> = { ...decision }
      for (const name of sources) {
        const source = replaced[name]
        if (typeof source !== 'string') continue
        const content = await contentOf(source)
        if (content === undefined) isContentUnknown = true
        replaced[name] = { content }
      }
      params.push(decision && replaced)
    }
    const { fingerprint } = keyContext
    const ready = hasModels ? { ready: requirements.map((requirement) => requirement?.ready ?? []) } : {}
    const key = isContentUnknown ? undefined : keyOf({ ...ingredients, ...ready, params, fingerprint })
    if (variations === 'none' || key === undefined)
      return { identity: { key, task, ...list }, resolved, isContentUnknown }
    const variation = await variationOf(hashOf({ key, variation: variations.of(node.id) }), variations)
    return { identity: { key: hashOf(variation), task, ...list }, resolved, isContentUnknown, variation }
  }

  const stepKeys: StepKeys = {
    staticKey(id) {
      const known = staticKeys.get(id) ?? findStaticKey(id)
      staticKeys.set(id, known)
      return known
    },

    async dynamicKey(planned, known, wired) {
      if (planned.action === 'skip') return computeKey(planned, undefined, wired, keyContext.identify)
      const all = new Map(known)
      for (const [id, { list }] of wired)
        if (list && !all.has(id)) all.set(id, { values: {}, list: { items: list.items, origins: list.origins } })
      const ready = planned.action === 'run' && planned.params && !listed(planned, wired)
      const resolved: ResolvedStep = ready
        ? { over: undefined, decisions: [planned.params as Decision] }
        : await resolveStep(planned, { known: all, parameters: plan.scope, budget })
      return computeKey(planned, resolved, wired, keyContext.identify)
    },

    async identityAfterReading(planned, { resolved, identity }, wired, contents) {
      const stepKey = await computeKey(planned, resolved, wired, async (source) => contents.get(source))
      return stepKey.isContentUnknown ? { ...identity, key: undefined } : stepKey.identity
    },
  }
  return stepKeys
}

/** The hashes of the sources from outside that a run has read, on which the keys of further steps depend. */
export interface HashedReads {
  /** Passed to operations: notes what they read. */
  context: OperationContext
  /** Hashes by source; undefined for one that has changed during the run. */
  contents: ReadonlyMap<string, string | undefined>
}

export function hashReads(context: OperationContext, { identify }: KeyContext): HashedReads {
  const contents = new Map<string, string | undefined>()
  const open: OperationContext['open'] = async (source, reserve) => {
    const opened = await context.open(source, reserve)
    if ((await identify(source)) !== undefined) return opened
    const content = opened.sha256 ?? hash('sha256', opened.bytes)
    contents.set(source, !contents.has(source) || contents.get(source) === content ? content : undefined)
    return { ...opened, sha256: content }
  }
  return { context: { ...context, open }, contents }
}

async function variationOf(key: string, { resultId }: VariationKeys): Promise<Variation> {
  return { key, id: await resultId(key) }
}

/** Nothing for most operations, so that their keys stay the same. */
function ownIngredients({
  operation,
  inputs,
  names = inputs,
}: PlannedStep['node']): Pick<Ingredients, 'wires' | 'packages'> {
  const named = Object.entries(operation.inputs).filter(([, socket]) => socket.named)
  return {
    ...(named.length > 0 && { wires: Object.fromEntries(named.map(([name]) => [name, names[name] ?? []])) }),
    ...(operation.reads?.packages && { packages: operation.reads.packages }),
  }
}

/** Whether all its runs are deterministic. */
function isRepeated({ deterministic }: Operation, decisions: readonly Decision[]): boolean {
  if (typeof deterministic === 'boolean') return deterministic
  return decisions.every((params) => params === undefined || deterministic(params as never))
}

/** How many images the model gets, without the mask. */
function imagesOf({ operation, inputs }: PlannedStep['node'], wired: ReadonlyMap<string, Identity>): number {
  const name = operation.usesModel?.requirements.images ?? ''
  const isMany = operation.inputs[name]?.many === true
  return (inputs[name] ?? []).reduce((sum, id) => sum + (isMany ? (wired.get(id)?.list?.items.length ?? 1) : 1), 0)
}

/** The steps that it is wired to; for a skipped step, the one whose image it passes on. */
export function wiresOf({ node, action }: PlannedStep): string[] {
  return action === 'skip' ? passedOn(node) : [...new Set(Object.values(node.inputs).flat())]
}

function listed({ node }: PlannedStep, wired: ReadonlyMap<string, Identity>): boolean {
  return node.each !== undefined || [...wired.values()].some(({ list }) => list)
}
