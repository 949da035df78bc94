/**
 * Runs the steps of a plan from its output backwards: what is known already is served, and only what is then still needed
 * runs, branches side by side. A result is let go with its last reader.
 */

import { orAbort } from '../domain/abortable.ts'
import type { AttemptActivity } from '../domain/attempt-activity.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { Fault } from '../errors.ts'
import type { OperationContext } from '../operations/define.ts'
import type { Asking, StepAsks } from './asking.ts'
import { createDecide } from './decide.ts'
import { finishedStep } from './finished-step.ts'
import { createIdentities, type Telling, type Told, wiresOf } from './identities.ts'
import { type Identity, valuesKeyOf } from './key.ts'
import { knownKeys } from './known-keys.ts'
import { createRelease, type Done } from './letting-go.ts'
import { createLookUp, type Found } from './look-up.ts'
import { askingSteps, firstNeedsOf, isSource, needsOf, outputValues, valueNeeds } from './needs.ts'
import { noteReads } from './note-reads.ts'
import { pack, packedPixels, unpack, unpackValues } from './packed.ts'
import type { PixelShare } from './pixel-budget.ts'
import type { Plan } from './plan.ts'
import type { PlannedStep } from './planned-step.ts'
import { createPreviewing, type RunPreviews } from './previewing.ts'
import { picturesOf, type StepResult, withoutImages } from './results.ts'
import type { FinishedStep, KeptSteps, StepCache } from './serving.ts'
import { type Settled, settle } from './settle.ts'
import { isStarved, runStep } from './step.ts'
import { roundedMs, type StepRecords } from './step-records.ts'
import type { TemplateBudget } from './template-cost.ts'
import { givesImage, handedOn } from './wires.ts'

export interface DemandOptions {
  plan: Plan
  records: StepRecords
  context: OperationContext
  share: PixelShare
  budget: TemplateBudget
  /** Stops the rest with the fault of the first that fails. */
  stop: AbortController
  /** Without it, nothing is told apart, and every step runs. */
  telling: Telling | undefined
  cache: StepCache | undefined
  kept: KeptSteps | undefined
  /** Undefined where nobody is to be asked. */
  asking: Asking | undefined
  activity: AttemptActivity
  /** Undefined where nothing is to be shown of steps. */
  previews: RunPreviews | undefined
  /** Cancellation and shutdown. */
  signal: AbortSignal
  asFault(error: unknown): Fault
}

export interface Demand {
  resultOf(id: string): Promise<StepResult>
  /** As `resultOf`, possibly without images: what templates read. */
  valuesOf(id: string): Promise<StepResult>
  /** Undefined where nothing is told apart. */
  identityOf(id: string): Promise<Identity | undefined>
  /** The same, where it can be told while nothing has run. */
  identityAhead(id: string): Promise<Identity | undefined>
  /** Whether its result is not that of its identity: a source has changed since that was told, or a fallback has answered. */
  hasStrayed(id: string): boolean
  /** Starts what is needed for its identity, and what has to run unless it turns out to be known. */
  begin(id: string): Promise<void>
  /** When all that was begun has come to its end, however. */
  ended(): Promise<void>
  /** What was not needed, or is not any more, because what follows is known. */
  markRestServed(): void
  /** When small pictures of what steps gave are there, as far as they can be; after `ended`. */
  previewed(): Promise<void>
  finished(): FinishedStep[]
}

export function createDemand(options: DemandOptions): Demand {
  const { plan, context, share, budget, stop, telling, cache, kept, asking, activity, records, asFault } = options
  const planned = new Map(plan.steps.map((step) => [step.node.id, step]))
  const needed = plan.steps.filter(({ action }) => action !== 'unneeded')
  /** What may cost money is not begun before it is sure to be needed. */
  const dear = askingSteps(needed)
  const pinned = new Set([plan.workflow.output.node, ...outputValues(plan)])
  const identities = telling && createIdentities(plan, budget, telling)
  const results = new Map<string, Promise<StepResult>>()
  const told = new Map<string, Promise<Told | undefined>>()
  const begun = new Set<string>()
  /** Whose values templates read: they are stored by themselves, too, because keys wait for them. */
  const valueRead = new Set([...outputValues(plan), ...needed.flatMap(valueNeeds)])
  const done = new Map<string, Done>()
  /** Whose keys are told by what the execution that is resumed has read. */
  const recalled = new Set<string>()
  /** What is not what its key tells: of a source that has changed, or of a model that has answered for another. */
  const strayed = new Set<string>()
  const all: Promise<unknown>[] = []
  const decide = createDecide(plan, budget, (id) => valuesOf(id))

  const lookUp = createLookUp({ needed, stepOf, identities, tellOf, valueRead, cache, kept })
  const release = createRelease({ needed, stepOf, pinned, results, done, share, records })
  const noted = cache && telling && noteReads(context, telling)
  const previewing =
    options.previews &&
    createPreviewing({
      needed,
      previews: options.previews,
      records,
      share,
      signal: options.signal,
      context,
      activity,
      keysAhead: () => (cache ? knownKeys(needed, identities, new Set()) : Promise.resolve([])),
      toldOf: (id) => (told.get(id) ?? identities?.ahead(id) ?? Promise.resolve(undefined)).catch(() => undefined),
      cache,
      kept,
    })

  function stepOf(id: string): PlannedStep {
    const step = planned.get(id)
    if (step === undefined) throw new Error(`the plan has no step ${id}`)
    return step
  }

  function once<Value>(memo: Map<string, Promise<Value>>, id: string, work: () => Promise<Value>): Promise<Value> {
    const known = memo.get(id)
    if (known) return known
    const begun = work()
    memo.set(id, begun)
    // Whoever asked is told; nobody else has to listen.
    all.push(begun.catch(() => undefined))
    return begun
  }

  /** What is told before it runs. */
  function tellOf(id: string): Promise<Told | undefined> {
    return once(told, id, () => tell(id))
  }

  async function tell(id: string): Promise<Told | undefined> {
    if (identities === undefined) return undefined
    const early = await identities.ahead(id)
    if (early) return early
    const step = await decide(stepOf(id))
    const [known, wired] = await Promise.all([valuesFor(step), identitiesFor(step)])
    if (wired === undefined) return undefined
    const late = await identities.late(step, known, wired).catch(() => undefined)
    // A task that was finished before tells what it had read.
    const before = late?.readsUnknown ? kept?.get(late.identity.task) : undefined
    if (before) recalled.add(id)
    return late && before ? { ...late, readsUnknown: false, identity: { ...late.identity, key: before.key } } : late
  }

  async function valuesFor(step: PlannedStep) {
    const ids = valueNeeds(step)
    return new Map(await Promise.all(ids.map(async (id): Promise<[string, StepResult]> => [id, await valuesOf(id)])))
  }

  async function identitiesFor(step: PlannedStep): Promise<Map<string, Identity> | undefined> {
    const wired = new Map<string, Identity>()
    for (const [id, identity] of await Promise.all(
      wiresOf(step).map(async (id) => [id, await identityOf(id)] as const),
    ))
      if (identity === undefined) return undefined
      else wired.set(id, identity)
    return wired
  }

  async function identityOf(id: string): Promise<Identity | undefined> {
    const before = await tellOf(id)
    // Without a cache nobody asks what was read.
    if (!before?.readsUnknown || cache === undefined) return before?.identity
    // Not once more, where it was let go since.
    if (!done.has(id)) await resultOf(id)
    return done.get(id)?.identity
  }

  /** With the key of a step whose source had to be read for it. */
  async function identityAfter(step: PlannedStep, before: Told | undefined): Promise<Identity | undefined> {
    if (!before?.readsUnknown || cache === undefined) return before?.identity
    const wired = await identitiesFor(step)
    return wired && identities?.afterReading(step, before, wired, noted?.contents ?? new Map())
  }

  /** Whether what has just been made is not what its key tells. */
  async function strays(step: PlannedStep, before: Told | undefined, asks: StepAsks | undefined): Promise<boolean> {
    if (asks?.hasFallenBack() || wiresOf(step).some((id) => strayed.has(id))) return true
    if (!recalled.has(step.node.id) || before === undefined) return false
    return (await identityAfter(step, { ...before, readsUnknown: true }))?.key !== before.identity.key
  }

  /** Without a key where it has strayed. */
  function known(id: string, identity: Identity): Identity {
    return strayed.has(id) ? { ...identity, key: undefined } : identity
  }

  const resultOf = (id: string) => once(results, id, () => obtain(id))

  async function valuesOf(id: string): Promise<StepResult> {
    if (results.has(id)) return resultOf(id)
    const found = await lookUp.find(id, false)
    if (found === undefined || results.has(id)) return resultOf(id)
    records.served(id, found.from, found.stored)
    return unpackValues(found.stored.facts, found.list)
  }

  async function begin(id: string): Promise<void> {
    if (begun.has(id) || identities === undefined) return
    begun.add(id)
    const needs = firstNeedsOf(stepOf(id))
    try {
      // It was there before, in part at least: what is not may not be needed either.
      if ((await lookUp.prefetch()).size > 0) return
      if (needs.length === 0 || (await identities.ahead(id))) {
        // Values alone may be all that is asked for.
        if (await lookUp.find(id, false)) return
        if (!dear.has(id)) return void (await resultOf(id))
      }
      await Promise.all(needs.map(begin))
    } catch {
      // It is told to whoever asks for the result.
    }
  }

  async function obtain(id: string): Promise<StepResult> {
    const step = stepOf(id)
    if (identities && (await identities.ahead(id)) === undefined) {
      for (const need of firstNeedsOf(step)) void begin(need)
      void decide(step).then((decided) => firstNeedsOf(decided).forEach(begin))
    }
    const found = await lookUp.find(id, true)
    const served = found && (await load(id, found))
    const result = served ?? (await run(step))
    const used = new Set(await needsNow(step))
    for (const need of needsOf(step)) release(need, used.has(need) ? (served ? found.from : 'cache') : undefined)
    return result
  }

  /** What it needs now that it is known whether it runs. */
  async function needsNow(step: PlannedStep): Promise<string[]> {
    if (step.action !== 'decide') return needsOf(step)
    const settled = (await tellOf(step.node.id))?.settled
    if (settled?.over && !settled.decisions.some(Boolean)) return handedOn(step.node)
    return needsOf(await decide(step))
  }

  async function load(id: string, { stored, list, from, isOther }: Found) {
    const startMs = monotonicMs()
    const free = await share.reserve(packedPixels(stored.facts), context.signal)
    try {
      const bytes = await stored.read()
      if (bytes === undefined) return undefined
      context.signal.throwIfAborted()
      const result = unpack(stored.facts, bytes, list)
      if (result === undefined) return undefined
      for (const picture of picturesOf(result)) share.keep(picture)
      const record = records.served(id, from, stored)
      if (record) record.durationMs = roundedMs(elapsedSince(startMs))
      const identity = (await tellOf(id))?.identity
      if (isOther) strayed.add(id)
      const own = identity && known(id, identity)
      done.set(id, { identity: own, result, values: withoutImages(result) })
      const before = from === 'resumed' ? own && kept?.get(own.task)?.preview : undefined
      previewing?.given(id, result, cache && own?.key, before)
      return result
    } finally {
      free()
    }
  }

  async function run(planned: PlannedStep): Promise<StepResult> {
    const step = await decide(planned)
    const { id, operation } = step.node
    const wired = new Set(wiresOf(step))
    const needs = await needsNow(planned)
    const inputs = new Map(
      await Promise.all(
        needs.map(
          async (need): Promise<[string, StepResult]> => [
            need,
            await (wired.has(need) ? resultOf(need) : valuesOf(need)),
          ],
        ),
      ),
    )
    context.signal.throwIfAborted()
    const before = await tellOf(id)
    const startMs = monotonicMs()
    records.begun(id)
    try {
      const settled = before ? before.settled : await settleNow(step, inputs)
      const asks = operation.asks && asking?.of(id)
      const own = { ...(noted?.context ?? context), unfinished: plan.fused.has(id) }
      const result = await orAbort(runStep(step, settled, inputs, own, share, { activity, asks }), context.signal)
      const durationMs = elapsedSince(startMs)
      records.done(id, result)
      const after = await identityAfter(step, before)
      if (await strays(step, before, asks)) strayed.add(id)
      const identity = after && known(id, after)
      done.set(id, { identity, result, values: withoutImages(result) })
      previewing?.given(id, result, cache && identity?.key)
      const key = before?.readsUnknown || strayed.has(id) ? undefined : before?.identity.key
      if (cache && key !== undefined && !result.skipped) {
        const values = valueRead.has(id) ? pack(withoutImages(result)) : undefined
        if (values) cache.offer(valuesKeyOf(key), values, durationMs)
        // The images of a source have a place of their own.
        const packed = isSource(step) || !givesImage(operation) ? undefined : pack(result)
        if (packed) cache.offer(key, packed, durationMs)
      }
      return result
    } catch (error) {
      if (context.signal.aborted) throw error
      const fault = asFault(error)
      records.failed(id, fault)
      stop.abort(fault)
      throw fault
    } finally {
      records.ended(id, elapsedSince(startMs))
    }
  }

  async function settleNow(step: PlannedStep, inputs: ReadonlyMap<string, StepResult>): Promise<Settled | undefined> {
    if (step.action === 'skip') return undefined
    return settle(step, {
      known: inputs,
      parameters: plan.scope,
      budget,
      isStarved: (place) => isStarved(step, inputs, place),
    })
  }

  return {
    resultOf,
    valuesOf,
    identityOf,
    async identityAhead(id) {
      return (await identities?.ahead(id))?.identity
    },
    hasStrayed: (id) => strayed.has(id),
    begin,
    async ended() {
      for (let count = -1; count < all.length; ) {
        count = all.length
        await Promise.all(all)
      }
      await asking?.ended()
    },
    markRestServed: () => records.restServed(),
    previewed: async () => previewing?.ended(),
    finished() {
      return [...done].flatMap(([id, { identity, result, values }]) =>
        finishedStep(records.get(id), cache ? identity : identity && { ...identity, key: undefined }, result, values),
      )
    },
  }
}
