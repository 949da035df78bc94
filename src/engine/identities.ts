/** What each step of a plan is known by: before anything runs where that can be told, else when what it waits for is there. */
import { hash } from 'node:crypto'
import type { Asked, ReadyModel } from '../domain/model.ts'
import type { Operation, OperationContext } from '../operations/define.ts'
import { askedOf } from './asks.ts'
import { firstOf, type Identity, type Ingredients, keyOf, nothing, taskOf } from './key.ts'
import type { Plan } from './plan.ts'
import type { PlannedStep } from './planned-step.ts'
import { type Decision, isSettledAhead, type KnownStep, type Settled, settle } from './settle.ts'
import { firstWire, takesMany } from './step.ts'
import type { TemplateBudget } from './template-cost.ts'
import { handedOn } from './wires.ts'

/** How results of this account, on this machine, are told apart. */
export interface Telling {
  fingerprint: string
  /** The hash of the bytes of a source, where that is known without reading them. */
  identify(source: string): Promise<string | undefined>
  /** What there is of fonts. */
  fonts(): Promise<unknown>
  models?(asked: Asked): ToldModels
}

export interface ToldModels {
  /** Those that are asked in turn, `provider/model`. */
  chain: readonly string[]
  /** Those of them that can be asked now: the answer of the first is what a result is known by. */
  ready: readonly ReadyModel[]
}

export interface Told {
  identity: Identity
  /** Undefined where it is skipped as a whole. */
  settled: Settled | undefined
  /** Whether it has no key only because what it reads is not known yet. */
  readsUnknown: boolean
}

export interface Identities {
  /** What can be told while nothing has run; undefined where that is nothing. */
  ahead(id: string): Promise<Told | undefined>
  /** `known`: of the steps that its templates name. `wired`: of those that it is wired to. Throws what `settle` throws. */
  late(planned: PlannedStep, known: ReadonlyMap<string, KnownStep>, wired: ReadonlyMap<string, Identity>): Promise<Told>
  /** The identity of a step that has run, by the hashes of what it has read. */
  afterReading(
    planned: PlannedStep,
    told: Told,
    wired: ReadonlyMap<string, Identity>,
    contents: ReadonlyMap<string, string | undefined>,
  ): Promise<Identity>
}

export function createIdentities(plan: Plan, budget: TemplateBudget, telling: Telling): Identities {
  const byNode = new Map(plan.steps.map((step) => [step.node.id, step]))
  const ahead = new Map<string, Promise<Told | undefined>>()
  let fonts: Promise<unknown> | undefined

  async function tellAhead(id: string): Promise<Told | undefined> {
    const planned = byNode.get(id)
    if (planned === undefined || planned.action === 'unneeded' || !isSettledAhead(planned)) return undefined
    const wired = new Map<string, Identity>()
    for (const source of wiresOf(planned)) {
      const told = await identities.ahead(source)
      if (told === undefined || told.readsUnknown) return undefined
      wired.set(source, told.identity)
    }
    try {
      const told = await identities.late(planned, new Map(), wired)
      return told.readsUnknown ? undefined : told
    } catch {
      // It is told when its turn comes, if it does.
      return undefined
    }
  }

  /** `contentOf`: the hash of what a source holds. */
  async function tell(
    planned: PlannedStep,
    settled: Settled | undefined,
    wired: ReadonlyMap<string, Identity>,
    contentOf: (source: string) => Promise<string | undefined>,
  ): Promise<Told> {
    const { node } = planned
    const { operation } = node
    const first = wired.get(firstWire(node) ?? '')
    const isList = settled?.over !== undefined
    if (settled === undefined || (!isList && settled.decisions[0] === undefined)) {
      const given = first?.list && takesMany(node) ? firstOf(first) : first
      return { identity: given ?? nothing, settled, readsUnknown: false }
    }
    const { decisions, over } = settled
    const { sources = [], models } = operation.reads ?? {}
    if (operation.reads?.fonts) fonts ??= telling.fonts()
    const images = imagesOf(node, wired)
    const asked = decisions.map((params) => {
      const own = params && askedOf(operation, params, images)
      return own && telling.models?.(own)
    })
    const chains = asked.map((own) => own?.chain ?? [])
    const areTold = operation.asks !== undefined && telling.models !== undefined
    const ingredients: Ingredients = {
      operation: operation.id,
      version: operation.version,
      params: decisions.map((params) => params ?? null),
      isList,
      inputs: Object.fromEntries(
        Object.entries(node.inputs).map(([name, ids]) => [name, ids.map((id) => wired.get(id) ?? nothing)]),
      ),
      fonts: await fonts,
      models: [
        ...new Set(decisions.flatMap((params, i) => (params && models?.(params as never, chains[i] ?? [])) ?? [])),
      ],
    }
    if (!operation.reads?.fonts) ingredients.fonts = undefined
    const task = taskOf(node.id, areTold ? { ...ingredients, chains } : ingredients)
    const list = over && { list: { items: over.items, origins: over.origins } }
    if (!node.cache || (!isRepeated(operation, decisions) && sources.length === 0))
      return { identity: { key: undefined, task, ...list }, settled, readsUnknown: false }
    let readsUnknown = false
    const params: unknown[] = []
    for (const decision of decisions) {
      const replaced: Record<string, unknown> = { ...decision }
      for (const name of sources) {
        const source = replaced[name]
        if (typeof source !== 'string') continue
        const content = await contentOf(source)
        if (content === undefined) readsUnknown = true
        replaced[name] = { content }
      }
      params.push(decision && replaced)
    }
    const { fingerprint } = telling
    const ready = areTold ? { ready: asked.map((own) => own?.ready ?? []) } : {}
    const key = readsUnknown ? undefined : keyOf({ ...ingredients, ...ready, params, fingerprint })
    return { identity: { key, task, ...list }, settled, readsUnknown }
  }

  const identities: Identities = {
    ahead(id) {
      const known = ahead.get(id) ?? tellAhead(id)
      ahead.set(id, known)
      return known
    },

    async late(planned, known, wired) {
      if (planned.action === 'skip') return tell(planned, undefined, wired, telling.identify)
      const all = new Map(known)
      for (const [id, { list }] of wired)
        if (list && !all.has(id)) all.set(id, { values: {}, list: { items: list.items, origins: list.origins } })
      const ready = planned.action === 'run' && planned.params && !listed(planned, wired)
      const settled: Settled = ready
        ? { over: undefined, decisions: [planned.params as Decision] }
        : await settle(planned, { known: all, parameters: plan.scope, budget })
      return tell(planned, settled, wired, telling.identify)
    },

    async afterReading(planned, { settled, identity }, wired, contents) {
      const told = await tell(planned, settled, wired, async (source) => contents.get(source))
      return told.readsUnknown ? { ...identity, key: undefined } : told.identity
    },
  }
  return identities
}

/** The hashes of the sources from outside that a run has read, on which the keys of further steps depend. */
export interface HashedReads {
  /** For operations: notes what they read. */
  context: OperationContext
  /** By source; undefined for one that has changed during the run. */
  contents: ReadonlyMap<string, string | undefined>
}

export function hashReads(context: OperationContext, { identify }: Telling): HashedReads {
  const contents = new Map<string, string | undefined>()
  const open: OperationContext['open'] = async (source, reserve) => {
    const bytes = await context.open(source, reserve)
    if ((await identify(source)) !== undefined) return bytes
    const content = hash('sha256', bytes)
    contents.set(source, !contents.has(source) || contents.get(source) === content ? content : undefined)
    return bytes
  }
  return { context: { ...context, open }, contents }
}

/** Whether all that it does gives the same again. */
function isRepeated({ deterministic }: Operation, decisions: readonly Decision[]): boolean {
  if (typeof deterministic === 'boolean') return deterministic
  return decisions.every((params) => params === undefined || deterministic(params as never))
}

/** How many images a model is given besides a mask. */
function imagesOf({ operation, inputs }: PlannedStep['node'], wired: ReadonlyMap<string, Identity>): number {
  const name = operation.asks?.wants.images ?? ''
  const isMany = operation.inputs[name]?.many === true
  return (inputs[name] ?? []).reduce((sum, id) => sum + (isMany ? (wired.get(id)?.list?.items.length ?? 1) : 1), 0)
}

/** All that it is wired to; of one that is skipped, what it hands on. */
export function wiresOf({ node, action }: PlannedStep): string[] {
  return action === 'skip' ? handedOn(node) : [...new Set(Object.values(node.inputs).flat())]
}

function listed({ node }: PlannedStep, wired: ReadonlyMap<string, Identity>): boolean {
  return node.each !== undefined || [...wired.values()].some(({ list }) => list)
}
