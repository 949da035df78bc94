/** Finds stored results of steps: the checkpoints of the execution that is resumed, and the cache. */
import type { Step } from '../../domain/executions/execution.ts'
import { note } from '../../domain/observed.ts'
import type { Identity } from '../cache/key.ts'
import type { Checkpoints, StepCache, StoredResult } from '../cache/ports.ts'
import { type StepKey, type StepKeys, storedKeysOf } from '../cache/step-keys.ts'
import { isSource } from '../plan/dependencies.ts'
import type { StepState } from './step-state.ts'

export interface Hit {
  stored: StoredResult
  /** The key in the cache. Undefined for a checkpoint. */
  key?: string | undefined
  list: Identity['list']
  from: NonNullable<Step['servedFrom']>
  /** It was made under another key: it was tainted already, or something that the key depends on has changed since. */
  isTainted: boolean
}

export interface LookUp {
  /** Undefined for a miss; with `withImages`, also if only the values are stored. A checkpoint comes before the cache. */
  find(step: StepState, withImages: boolean): Promise<Hit | undefined>
  /** All stored results with a static key, from one query for the entire run. */
  prefetch(): Promise<ReadonlyMap<string, StoredResult>>
  /** The keys that are known before any step runs; none without a cache. */
  staticKeys(): Promise<string[]>
}

interface Options {
  steps: ReadonlyMap<string, StepState>
  stepKeys: StepKeys | undefined
  /** The key of a step before it runs. */
  keyOf(step: StepState): Promise<StepKey | undefined>
  cache: StepCache | undefined
  checkpoints: Checkpoints | undefined
  /** Id of a step whose stored result lacks something that the run reports. */
  incomplete?: string | undefined
}

export function createLookUp({ steps, stepKeys, keyOf, cache, checkpoints, incomplete }: Options): LookUp {
  let prefetched: Promise<ReadonlyMap<string, StoredResult>> | undefined

  async function staticKeys(keysOf: (stepKey: StepKey, step: StepState) => readonly string[]): Promise<string[]> {
    const keys = new Set<string>()
    for (const step of cache ? steps.values() : []) {
      const stepKey = await stepKeys?.staticKey(step.id)
      if (stepKey?.resolved) for (const key of keysOf(stepKey, step)) keys.add(key)
    }
    return [...keys]
  }

  async function findStatic(): Promise<ReadonlyMap<string, StoredResult>> {
    const keys = await staticKeys((stepKey, { areValuesRead }) => storedKeysOf(stepKey, !areValuesRead))
    return keys.length > 0 && cache ? cache.find(keys) : new Map()
  }

  function prefetch() {
    prefetched ??= findStatic()
    // Callers handle the error. Without a caller, this prevents an unhandled rejection.
    prefetched.catch(() => undefined)
    return prefetched
  }

  return {
    prefetch,
    staticKeys: () => staticKeys(({ identity: { key } }) => (key === undefined ? [] : [key])),
    async find(step, withImages) {
      if (step.id === incomplete) return undefined
      const stepKey = await keyOf(step)
      // A skipped step has the key of the image that it passes on, but other values.
      if (step.planned.action === 'skip' || !stepKey?.resolved?.decisions.some(Boolean)) return undefined
      const { key, task, list } = stepKey.identity
      const checkpoint = checkpoints?.get(task)
      if (checkpoint && (checkpoint.hasImages || !withImages))
        return { stored: checkpoint, list, from: 'resumed', isTainted: checkpoint.key !== key }
      if (cache === undefined || key === undefined || stepKey.isContentUnknown) return undefined
      if (withImages && isSource(step.planned) && cache.remember === undefined) return undefined
      const keys = storedKeysOf(stepKey, withImages)
      const isStatic = (await stepKeys?.staticKey(step.id)) !== undefined
      const found = await (isStatic ? prefetch() : cache.find(keys))
      const foundKey = keys.find((storedKey) => found.has(storedKey))
      const stored = foundKey === undefined ? undefined : found.get(foundKey)
      if (withImages) note('cacheLookUp', { kind: 'step', isHit: stored !== undefined })
      // Another run has stored its result since this one looked for the id.
      if (stored?.facts.variation !== stepKey.variation?.id) return undefined
      return stored && { stored, key: foundKey, list, from: 'cache', isTainted: false }
    },
  }
}
