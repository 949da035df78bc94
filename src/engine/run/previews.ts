/**
 * Creates previews of step results next to a run. A failed preview doesn't fail the run, and the run waits for previews only at
 * its end.
 */
import { orAbort } from '../../domain/abortable.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type { StepPreview } from '../../domain/executions/execution.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import type { OperationContext } from '../../operations/define.ts'
import { packedPixels, unpack } from '../cache/packed.ts'
import type { Checkpoints, StepCache, StoredCheckpoint, StoredResult } from '../cache/ports.ts'
import { type StepKey, storedKeysOf } from '../cache/step-keys.ts'
import { givesImage } from '../check/wires.ts'
import { isSource } from '../plan/dependencies.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import type { List, ResolvedStep } from '../plan/resolve-step.ts'
import { imagesOf, type StepResult } from '../plan/step-result.ts'
import type { PixelShare } from './pixel-budget.ts'
import { runStep } from './step.ts'
import type { StepRecords } from './step-records.ts'

/** Stores the previews of one run. Implemented by services. Its functions never throw. */
export interface RunPreviews {
  /** The stored previews, by the keys of results. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, StepPreview>>
  /** Whether a preview still exists. */
  isThere(preview: StepPreview): Promise<boolean>
  /** Undefined if it can't be created or stored. */
  make(image: ImageValue, key: string | undefined, context: PreviewContext): Promise<StepPreview | undefined>
  /** Resolves when all previews are recorded. */
  flush(): Promise<void>
}

export type PreviewContext = Pick<OperationContext, 'signal' | 'secondsLeft' | 'processes' | 'pixelsMax'>

/** A picture that is small, as WebP. */
export type Shrink = (
  image: ImageValue,
  context: PreviewContext,
) => Promise<{ bytes: Buffer; width: number; height: number }>

export interface Previewing {
  /** Creates the preview of a result. `key`: undefined if it has none. `before`: the preview in the resumed execution. */
  offer(id: string, result: StepResult, key: string | undefined, before?: StepPreview): void
  /** Resolves when all possible previews are created, also of steps that did not run, or after a time limit. */
  ended(): Promise<void>
}

interface Options {
  needed: readonly PlannedStep[]
  previews: RunPreviews
  records: StepRecords
  share: PixelShare
  /** Cancellation and shutdown. */
  signal: AbortSignal
  /** The signal of the run. */
  context: OperationContext
  activity: AttemptActivity
  /** The keys that are known before any step runs. */
  staticKeys(): Promise<string[]>
  /** The key of a step, if it is known without running another step. */
  keyOf(id: string): Promise<StepKey | undefined>
  cache: StepCache | undefined
  checkpoints: Checkpoints | undefined
}

export function createPreviewing(options: Options): Previewing {
  const { needed, previews, records, share, activity, staticKeys, keyOf, cache, checkpoints } = options
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const context: OperationContext = { ...options.context, signal, secondsLeft: () => limits.previewSeconds }
  const offered = new Set<string>()
  const work: Promise<void>[] = []
  /** Previews by key: steps with the same key share a preview. */
  const inProgress = new Map<string, Promise<StepPreview | undefined>>()
  let ahead: Promise<{ keys: ReadonlySet<string>; found: ReadonlyMap<string, StepPreview> }> | undefined

  async function lookAhead() {
    const keys = await staticKeys()
    return { keys: new Set(keys), found: await previews.find(keys) }
  }

  function make(image: ImageValue, key: string | undefined): Promise<StepPreview | undefined> {
    return activity.working(() => previews.make(image, key, context))
  }

  async function find(key: string): Promise<StepPreview | undefined> {
    ahead ??= lookAhead()
    const { keys, found } = await ahead
    return (keys.has(key) ? found : await previews.find([key])).get(key)
  }

  async function show(
    id: string,
    key: string | undefined,
    before: StepPreview | undefined,
    make: () => Promise<StepPreview | undefined>,
  ): Promise<void> {
    const isThere = before !== undefined && (await previews.isThere(before))
    const preview = isThere ? before : key === undefined ? await make() : await once(key, make)
    // The records of the steps do not change after the end of the run.
    if (preview && !signal.aborted) records.previewed(id, preview)
  }

  function once(key: string, make: () => Promise<StepPreview | undefined>): Promise<StepPreview | undefined> {
    const pending = inProgress.get(key) ?? find(key).then((found) => found ?? make())
    inProgress.set(key, pending)
    return pending
  }

  /** Shows steps that were loaded without images, or were not needed: one at a time. */
  async function showRest(): Promise<void> {
    for (const step of needed) {
      if (signal.aborted) return
      const { id, operation } = step.node
      if (offered.has(id) || !givesImage(operation) || records.get(id)?.status !== 'completed') continue
      const stepKey = await keyOf(id)
      // A skipped step has the identity of the image that it passes on.
      if (!stepKey?.resolved?.decisions.some(Boolean)) continue
      const { task, key: now, list } = stepKey.identity
      const from = records.get(id)?.servedFrom === 'resumed' ? checkpoints?.get(task) : undefined
      const key = cache && (from === undefined || from.key === now) ? now : undefined
      // Its source is stored here, so reading it needs no network.
      const isUploadedSource =
        cache !== undefined && isSource(step) && !stepKey.isContentUnknown && !checkpoints?.has(task)
      const [storedKey] = key === undefined ? [] : storedKeysOf(stepKey, true)
      const makeOne = () =>
        isUploadedSource ? makeOfSource(step, stepKey.resolved, key) : makeOfStored(from, { key, storedKey }, list)
      await show(id, key, from?.preview, makeOne).catch(() => undefined)
    }
  }

  async function makeOfSource(step: PlannedStep, resolved: ResolvedStep | undefined, key: string | undefined) {
    const over = resolved?.over && { ...resolved.over, items: resolved.over.items.slice(0, 1) }
    const first = resolved && { over, decisions: resolved.decisions.slice(0, 1) }
    const [image] = imagesOf(await runStep(step, first, new Map(), context, share, { activity }))
    return image && make(image, key)
  }

  /** `storedKey`: the key under which the result is stored, if it has one. */
  async function makeOfStored(
    from: StoredCheckpoint | undefined,
    { key, storedKey }: { key: string | undefined; storedKey: string | undefined },
    list: List | undefined,
  ) {
    const cached = storedKey === undefined ? undefined : (await cache?.find([storedKey]))?.get(storedKey)
    const stored: StoredResult | undefined = from?.hasImages ? from : cached
    if (stored === undefined) return undefined
    const free = await share.reserve(packedPixels(stored.facts), signal)
    try {
      const bytes = await stored.read()
      const [image] = imagesOf(bytes && unpack(stored.facts, bytes, list))
      return image && (await make(image, key))
    } finally {
      free()
    }
  }

  return {
    offer(id, result, key, before) {
      const [image] = imagesOf(result)
      offered.add(id)
      if (image === undefined || result.skipped || signal.aborted) return
      const release = share.lend(image)
      work.push(
        show(id, key, before, () => make(image, key))
          .catch(() => undefined)
          .finally(release),
      )
    },

    async ended() {
      const timer = setTimeout(() => stop.abort(), limits.previewSeconds * 1_000)
      try {
        await orAbort(Promise.all(work).then(showRest), signal).catch(() => undefined)
      } finally {
        clearTimeout(timer)
        stop.abort()
      }
      await previews.flush()
    },
  }
}
