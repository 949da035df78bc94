/**
 * Runs the steps of a plan on demand, from the outputs backwards: a result that is cached, or that the resumed execution left as
 * a checkpoint, is loaded; only the steps that are needed after that run, branches side by side. The images of a result are
 * released after its last reader. README.md has the states of a step.
 */

import type { Frame } from '../../../shared/frames.ts'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { orAbort } from '../../domain/abortable.ts'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type { Step } from '../../domain/executions/execution.ts'
import { type ObservedWork, observe } from '../../domain/observed.ts'
import type { Fault } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'
import { type Identity, valuesKeyOf } from '../cache/key.ts'
import { type PackedResult, pack, packedPixels, unpack, unpackValues } from '../cache/packed.ts'
import type { Checkpoint, Checkpoints, StepCache } from '../cache/ports.ts'
import {
  createStepKeys,
  type HashedReads,
  hashReads,
  type KeyContext,
  type StepKey,
  type StepKeys,
  storedKeysOf,
  wiresOf,
} from '../cache/step-keys.ts'
import { givesImage, passedOn } from '../check/wires.ts'
import { decideStep } from '../plan/branch.ts'
import { firstNeedsOf, isSource, needsOf, valueNeeds } from '../plan/dependencies.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { type Iteration, resolveStep } from '../plan/resolve-step.ts'
import { imagesOf, isPending, type StepResult, withoutImages } from '../plan/step-result.ts'
import { createLookUp, type Hit, type LookUp } from './look-up.ts'
import type { ModelCalls, StepModelCalls } from './model-calls.ts'
import type { PixelShare } from './pixel-budget.ts'
import type { PixelHashing } from './pixel-hashes.ts'
import { createPreviewing, type Previewing, type RunPreviews } from './previews.ts'
import { isStarved, runStep } from './step.ts'
import { roundedMs, type StepRecords } from './step-records.ts'
import { createStepStates, enter, type StepState } from './step-state.ts'

export interface SchedulerOptions {
  plan: Plan
  records: StepRecords
  context: OperationContext
  share: PixelShare
  budget: TemplateBudget
  /** The first step that fails aborts it with its fault, which stops all others. */
  stop: AbortController
  /** Context of step keys: without it no step has a key, and every step runs. */
  keyContext: KeyContext | undefined
  cache: StepCache | undefined
  /** The checkpoints of the execution that is resumed. */
  checkpoints: Checkpoints | undefined
  /** Undefined if the run cannot call models. */
  modelCalls: ModelCalls | undefined
  activity: AttemptActivity
  /** Id of the node whose frames report the positions of a caret. It always runs. */
  caretsOf?: string | undefined
  /** Undefined if the run makes no previews. */
  previews: RunPreviews | undefined
  /** Undefined if the run needs no hashes. */
  pixelHashing: PixelHashing | undefined
  /** Cancellation and shutdown. */
  signal: AbortSignal
  asFault(error: unknown): Fault
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #steps: ReadonlyMap<string, StepState>
  readonly #stepKeys: StepKeys | undefined
  readonly #lookUp: LookUp
  readonly #reads: HashedReads | undefined
  readonly #previewing: Previewing | undefined
  /** All that must end before the run does. */
  readonly #work: Promise<void>[] = []

  constructor(options: SchedulerOptions) {
    const { plan, budget, keyContext, cache, checkpoints, context, previews } = options
    this.#options = options
    this.#steps = createStepStates(plan)
    this.#stepKeys = keyContext && createStepKeys(plan, budget, keyContext)
    const keyOf = (step: StepState) => this.#keyOf(step)
    const incomplete = options.caretsOf
    this.#lookUp = createLookUp({ steps: this.#steps, stepKeys: this.#stepKeys, keyOf, cache, checkpoints, incomplete })
    this.#reads = cache && keyContext && hashReads(context, keyContext)
    this.#previewing =
      previews &&
      createPreviewing({
        ...options,
        previews,
        needed: [...this.#steps.values()].map(({ planned }) => planned),
        staticKeys: () => this.#lookUp.staticKeys(),
        keyOf: (id) => this.#knownKeyOf(this.#step(id)),
      })
  }

  /** The result with its images. The first request for it starts the step. */
  resultOf(id: string): Promise<StepResult> {
    const step = this.#step(id)
    step.result ??= this.#track(this.#obtain(step))
    return step.result
  }

  /** The values that templates read: from storage without the images, if the step has not been started. */
  async valuesOf(id: string): Promise<StepResult> {
    const step = this.#step(id)
    if (step.result) return step.result
    const hit = await this.#lookUp.find(step, false)
    if (hit === undefined || step.result) return this.resultOf(id)
    this.#options.records.reused(id, hit.from, hit.stored)
    return unpackValues(hit.stored.facts, hit.list)
  }

  /** Undefined without keys. Runs the step if its source has to be read to know the key. */
  async identityOf(id: string): Promise<Identity | undefined> {
    const step = this.#step(id)
    const key = await this.#keyOf(step)
    // Without a cache, nothing depends on the content of a source.
    if (!key?.isContentUnknown || this.#options.cache === undefined) return key?.identity
    if (step.outcome === undefined) await this.resultOf(id)
    return step.outcome?.identity
  }

  /** The result of `identityOf`, if it is known before any step runs. */
  async staticIdentityOf(id: string): Promise<Identity | undefined> {
    return (await this.#stepKeys?.staticKey(id))?.identity
  }

  /** Whether the result is not the one of its key, so that it must not be cached. */
  isTainted(id: string): boolean {
    return this.#step(id).isTainted
  }

  /** An output that reads this image has ended. `from`: where its files came from, if the step was not needed. */
  readonly release = (id: string, from: Hit['from']) => release(this.#step(id), from, this.#options)

  /** Starts ahead all steps that have to run for this one, unless its result may be stored. Never starts a paid step. */
  async startAhead(id: string): Promise<void> {
    const step = this.#step(id)
    if (step.isStartedAhead || this.#stepKeys === undefined || this.#options.context.signal.aborted) return
    step.isStartedAhead = true
    const dependencies = firstNeedsOf(step.planned)
    try {
      // Part of it was run before, so a dependency that is not cached may not be needed either.
      if ((await this.#lookUp.prefetch()).size > 0) return
      if (dependencies.length === 0 || (await this.#stepKeys.staticKey(id))) {
        // The values alone may be enough.
        if (await this.#lookUp.find(step, false)) return
        if (!step.isCostly) {
          if (step.state === 'idle') await this.resultOf(id)
          return
        }
      }
      await Promise.all(dependencies.map((dependency) => this.startAhead(dependency)))
    } catch {
      // The steps that request the result get the error.
    }
  }

  /** Resolves when all steps that were started have ended, in whichever way. */
  async ended(): Promise<void> {
    for (let count = -1; count < this.#work.length; ) {
      count = this.#work.length
      await Promise.all(this.#work)
    }
    await this.#options.modelCalls?.ended()
  }

  /** Completes the records of steps that were not needed, as far as their results are stored. Call it after `ended`. */
  async describeUnneeded(): Promise<void> {
    const { records, cache, checkpoints, previews } = this.#options
    const unneeded = [...this.#steps.values()].filter(({ state }) => state === 'unneeded')
    const keys = new Map<string, string[]>()
    for (const step of unneeded) {
      const { id } = step
      const stepKey = records.get(id)?.servedFrom && (await this.#knownKeyOf(step))
      if (!stepKey?.resolved?.decisions.some(Boolean)) continue
      const checkpoint = checkpoints?.get(stepKey.identity.task)
      if (checkpoint) records.described(id, checkpoint.facts)
      else keys.set(id, storedKeysOf(stepKey, false))
    }
    // Only executions with previews store the facts of every step.
    if (cache === undefined || previews === undefined || keys.size === 0) return
    const found = await cache.find([...new Set([...keys.values()].flat())])
    for (const [id, stepKeys] of keys) {
      const stored = stepKeys.map((key) => found.get(key)).find((hit) => hit !== undefined)
      if (stored) records.described(id, stored.facts)
    }
  }

  /** Resolves when the previews are stored, as far as they can be made. Call it after `ended`. */
  async previewed(): Promise<void> {
    await this.#previewing?.ended()
  }

  /** The results of completed steps, for an execution that resumes this one. */
  checkpoints(): Checkpoint[] {
    const { records, cache } = this.#options
    return [...this.#steps.values()].flatMap(({ id, outcome }) => {
      const record = records.get(id)
      if (outcome?.identity === undefined || record?.status !== 'completed') return []
      const { task, key } = outcome.identity
      const packed = outcome.result && pack(outcome.result)
      const facts = packed?.facts ?? pack(outcome.values)?.facts
      return facts ? [{ task, key: cache && key, facts, packed, preview: record.preview }] : []
    })
  }

  async #obtain(step: StepState): Promise<StepResult> {
    const { id, planned } = step
    let hit: Hit | undefined
    let loaded: StepResult | undefined
    let result: StepResult
    enter(step, 'lookingUp')
    try {
      if (this.#stepKeys && (await this.#stepKeys.staticKey(id)) === undefined) {
        const startAll = (of: PlannedStep) => firstNeedsOf(of).forEach((need) => void this.startAhead(need))
        startAll(planned)
        void this.#decide(step).then(startAll)
      }
      hit = await this.#lookUp.find(step, true)
      loaded = hit && (await this.#load(step, hit))
      // Results that were made from the lost one are stored under keys with its id.
      if (hit?.stored.facts.variation !== undefined && loaded === undefined) step.isTainted = true
      result = loaded ?? (await this.#execute(step))
      enter(step, 'done')
    } catch (error) {
      enter(step, 'failed')
      throw error
    }
    const used = await this.#dependenciesOf(step)
    const from = (loaded && hit?.from) ?? 'cache'
    for (const dependency of step.dependencies)
      release(dependency, used.includes(dependency.id) ? from : undefined, this.#options)
    return result
  }

  /** Undefined if its bytes are gone or damaged. */
  #load(step: StepState, hit: Hit): Promise<StepResult | undefined> {
    const { id, planned } = step
    const facts = {
      node: id,
      operation: planned.node.operation.id,
      from: hit.from,
      signal: this.#options.context.signal,
    }
    return observe('step', facts, () => this.#read(step, hit))
  }

  async #read(step: StepState, { stored, key, list, from, isTainted }: Hit): Promise<StepResult | undefined> {
    const { context, share, records, cache, checkpoints } = this.#options
    const { signal } = context
    const { id } = step
    enter(step, 'loading')
    const startMs = monotonicMs()
    const free = await share.reserve(packedPixels(stored.facts), signal)
    try {
      const bytes = stored.result ? noBytes : await stored.read()
      if (bytes === undefined) return undefined
      signal.throwIfAborted()
      const result = stored.result ?? unpack(stored.facts, bytes, list)
      if (result === undefined) return undefined
      if (key !== undefined && stored.result === undefined) cache?.remember?.(key, result, stored.facts)
      for (const image of imagesOf(result)) share.keep(image)
      const record = records.reused(id, from, stored)
      if (record) record.durationMs = roundedMs(elapsedSince(startMs))
      if (isTainted) step.isTainted = true
      const identity = this.#complete(step, result, (await this.#keyOf(step))?.identity)
      const preview = from === 'resumed' ? identity && checkpoints?.get(identity.task)?.preview : undefined
      this.#previewing?.offer(id, result, cache && identity?.key, preview)
      this.#options.pixelHashing?.offer(id, result, isSource(step.planned))
      return result
    } finally {
      free()
    }
  }

  /** Obtains the dependencies, runs the operation, and offers the result to the cache. */
  async #execute(step: StepState): Promise<StepResult> {
    const { plan, budget, context, share, records, activity, modelCalls, stop, cache, asFault } = this.#options
    const { signal } = context
    const { id } = step
    enter(step, 'waiting')
    const planned = await this.#decide(step)
    const { operation } = planned.node
    const wired = new Set(wiresOf(planned))
    const inputs = await mapOf(await this.#dependenciesOf(step), (id) =>
      wired.has(id) ? this.resultOf(id) : this.valuesOf(id),
    )
    signal.throwIfAborted()
    const stepKey = await this.#keyOf(step)
    enter(step, 'running')
    const startMs = monotonicMs()
    records.started(id)
    let failedFrames: readonly Frame[] | undefined
    try {
      let resolved = stepKey?.resolved
      if (stepKey === undefined && planned.action !== 'skip') {
        const isStarvedAt = (iteration: Iteration | undefined) => isStarved(planned, inputs, iteration)
        resolved = await resolveStep(planned, { known: inputs, parameters: plan.scope, budget, isStarved: isStarvedAt })
      }
      const stepCalls = operation.usesModel && modelCalls?.of(id)
      const stepContext: OperationContext = {
        ...(this.#reads?.context ?? context),
        mayStayPending: plan.fused.has(id),
        placesCarets: id === this.#options.caretsOf,
      }
      const facts: ObservedWork['step'] = { node: id, operation: operation.id, signal }
      const onFailure = (frames: readonly Frame[]) => {
        failedFrames = frames
      }
      const result = await observe('step', facts, () =>
        orAbort(
          runStep(planned, resolved, inputs, stepContext, share, { activity, modelCalls: stepCalls, onFailure }),
          signal,
        ),
      )
      const durationMs = elapsedSince(startMs)
      records.done(id, result, isSource(planned))
      const after = await this.#identityAfter(planned, stepKey)
      if (await this.#isTaintedBy(step, planned, stepKey, stepCalls)) step.isTainted = true
      const identity = this.#complete(step, result, after)
      this.#previewing?.offer(id, result, cache && identity?.key)
      this.#options.pixelHashing?.offer(id, result, isSource(step.planned))
      if (cache && stepKey && !stepKey.isContentUnknown && !step.isTainted && !result.skipped)
        await storeResult(cache, step, stepKey, result, durationMs, this.#previewing !== undefined)
      return result
    } catch (error) {
      if (signal.aborted) throw error
      const fault = asFault(error)
      records.failed(id, fault, failedFrames)
      stop.abort(fault)
      throw fault
    } finally {
      records.ended(id, elapsedSince(startMs))
    }
  }

  /** Gives the identity that the result has: without a key if it is tainted. */
  #complete(step: StepState, result: StepResult, identity: Identity | undefined): Identity | undefined {
    const stepIdentity = identity && step.isTainted ? { ...identity, key: undefined } : identity
    step.outcome = { identity: stepIdentity, result, values: withoutImages(result) }
    return stepIdentity
  }

  /** Its dependencies once it is known whether it runs. */
  async #dependenciesOf(step: StepState): Promise<string[]> {
    const { planned } = step
    if (planned.action !== 'decide') return needsOf(planned)
    const resolved = (await this.#keyOf(step))?.resolved
    if (resolved?.over && !resolved.decisions.some(Boolean)) return passedOn(planned.node)
    return needsOf(await this.#decide(step))
  }

  /**
   * Whether it runs, and with which branch, from the values that this depends on and before all its other dependencies. The step
   * stays undecided if each item of a list is decided separately, or if this fails: it then fails when it is resolved.
   */
  #decide(step: StepState): Promise<PlannedStep> {
    step.decided ??= this.#decideNow(step)
    return step.decided
  }

  async #decideNow({ planned, isList }: StepState): Promise<PlannedStep> {
    if (planned.action !== 'decide' || isList) return planned
    const { plan, budget } = this.#options
    try {
      const valuesOf = (ids: string[]) => mapOf(ids, (id) => this.valuesOf(id))
      return await decideStep(planned, { valuesOf, parameters: plan.scope, budget })
    } catch {
      return planned
    }
  }

  /** Its key, if it is known without running another step. */
  async #knownKeyOf({ id, key }: StepState): Promise<StepKey | undefined> {
    return (key ?? this.#stepKeys?.staticKey(id))?.catch(() => undefined)
  }

  /** Its key before it runs, resolved once. */
  #keyOf(step: StepState): Promise<StepKey | undefined> {
    const stepKeys = this.#stepKeys
    step.key ??= stepKeys ? this.#track(this.#resolveKey(step, stepKeys)) : Promise.resolve(undefined)
    return step.key
  }

  /** Statically if that is possible; otherwise from the values and keys of its dependencies. */
  async #resolveKey(step: StepState, stepKeys: StepKeys): Promise<StepKey | undefined> {
    const early = await stepKeys.staticKey(step.id)
    if (early) return early
    const planned = await this.#decide(step)
    const [values, wired] = await Promise.all([
      mapOf(valueNeeds(planned), (id) => this.valuesOf(id)),
      this.#identitiesFor(planned),
    ])
    const key = wired && (await stepKeys.dynamicKey(planned, values, wired).catch(() => undefined))
    const checkpoint = key?.isContentUnknown ? this.#options.checkpoints?.get(key.identity.task) : undefined
    if (key === undefined || checkpoint === undefined) return key
    step.isKeyFromCheckpoint = true
    return { ...key, isContentUnknown: false, identity: { ...key.identity, key: checkpoint.key } }
  }

  /** Identities of the steps that it is wired to; undefined if one of them has none. */
  async #identitiesFor(planned: PlannedStep): Promise<Map<string, Identity> | undefined> {
    const wired = await mapOf(wiresOf(planned), (id) => this.identityOf(id))
    return [...wired.values()].includes(undefined) ? undefined : (wired as Map<string, Identity>)
  }

  /** The identity of a step that has run: with the hashes of the sources that it has read, if its key waited for them. */
  async #identityAfter(planned: PlannedStep, stepKey: StepKey | undefined): Promise<Identity | undefined> {
    if (!stepKey?.isContentUnknown || this.#options.cache === undefined) return stepKey?.identity
    const wired = await this.#identitiesFor(planned)
    return wired && this.#stepKeys?.identityAfterReading(planned, stepKey, wired, this.#reads?.contents ?? new Map())
  }

  /** Whether the result that a step has just made is not the one of its key. */
  async #isTaintedBy(
    step: StepState,
    planned: PlannedStep,
    stepKey: StepKey | undefined,
    stepModelCalls: StepModelCalls | undefined,
  ) {
    // A variation is any result of the step, also one of a fallback model.
    const hasUsedFallback = stepKey?.variation === undefined && stepModelCalls?.hasUsedFallback()
    if (hasUsedFallback || wiresOf(planned).some((id) => this.isTainted(id))) return true
    if (!step.isKeyFromCheckpoint || stepKey === undefined) return false
    return (await this.#identityAfter(planned, { ...stepKey, isContentUnknown: true }))?.key !== stepKey.identity.key
  }

  /** Only whether it has ended is remembered: the result itself would keep its images in memory. */
  #track<Value>(work: Promise<Value>): Promise<Value> {
    this.#work.push(work.then(ignore, ignore))
    return work
  }

  #step(id: string): StepState {
    const step = this.#steps.get(id)
    if (step === undefined) throw new Error(`The plan has no step ${id} that an output needs.`)
    return step
  }
}

async function mapOf<Value>(ids: readonly string[], get: (id: string) => Promise<Value>): Promise<Map<string, Value>> {
  return new Map(await Promise.all(ids.map(async (id) => [id, await get(id)] as const)))
}

function ignore(): void {}

const noBytes = Buffer.alloc(0)

/**
 * Call it when a reader of the step has ended. If the last one did without the step ever being started, the readers of its
 * dependencies decrease as well. `from`: where the result of the reader came from; undefined if the reader was skipped.
 */
function release(step: StepState, from: Step['servedFrom'], run: { records: StepRecords; share: PixelShare }): void {
  const { records, share } = run
  step.readersLeft -= 1
  if (step.readersLeft > 0 || step.isPinned) return
  const { result } = step
  if (result === undefined) {
    enter(step, 'unneeded')
    if (from === undefined) records.unneeded(step.id)
    const origin = from && (records.reused(step.id, from)?.servedFrom ?? from)
    for (const dependency of step.dependencies) release(dependency, origin, run)
    return
  }
  step.result = undefined
  result.then(
    (value) => {
      for (const image of imagesOf(value)) share.drop(image)
      enter(step, 'released')
      forget(step)
    },
    () => undefined,
  )
}

/** Keeps the result while a reader has pixels that are still to be made from it: after a failure, a resumed run needs it. */
function forget({ outcome, readers, dependencies }: StepState): void {
  if (outcome === undefined || readers.some((reader) => isPending(reader.outcome?.result))) return
  outcome.result = undefined
  for (const step of dependencies) if (step.state === 'released' && step.outcome?.result) forget(step)
}

/**
 * Resolves immediately, except for a result that cost money: it is stored before any other step reads it, so that no later
 * failure loses it. Does nothing for a step without a key.
 */
async function storeResult(
  cache: StepCache,
  { planned, areValuesRead }: StepState,
  { identity: { key }, variation }: StepKey,
  result: StepResult,
  durationMs: number,
  hasPreviews: boolean,
): Promise<void> {
  if (key === undefined) return
  if (cache.remember) {
    const packed = pack(result)
    if (packed) cache.remember(key, result, packed.facts)
    return
  }
  if (variation) {
    const packed = pack(result)
    if (packed) await cache.keep(variation.key, { ...packed, facts: { ...packed.facts, variation: variation.id } })
    return
  }
  const { operation } = planned.node
  const put = (key: string, packed: PackedResult) =>
    operation.usesModel ? cache.keep(key, packed) : cache.offer(key, packed, durationMs)
  const values = areValuesRead || hasPreviews ? pack(withoutImages(result)) : undefined
  if (values && areValuesRead) await put(valuesKeyOf(key), values)
  // A preview is found again without its step, and so are its size and frames, even those of a step that takes no time.
  else if (values) cache.offer(valuesKeyOf(key), values, Number.POSITIVE_INFINITY)
  // The images of a source are stored elsewhere already.
  const packed = isSource(planned) || !givesImage(operation) ? undefined : pack(result)
  if (packed) await put(key, packed)
}
