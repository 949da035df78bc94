/** Finds results that are there before a step runs: those of the execution that is resumed, and those of the cache. */
import type { Identities, Told } from './identities.ts'
import { valuesKeyOf } from './key.ts'
import { knownKeys } from './known-keys.ts'
import { isSource } from './needs.ts'
import type { PlannedStep } from './planned-step.ts'
import type { KeptSteps, StepCache, StoredResult } from './serving.ts'

export interface LookUp {
  /** Undefined where there is none, or none with images where they are wanted. */
  find(id: string, withImages: boolean): Promise<Found | undefined>
  /** All that is there of what can be known by its key while nothing has run; read once. */
  prefetch(): Promise<ReadonlyMap<string, StoredResult>>
}

export interface Found {
  stored: StoredResult
  list: Told['identity']['list']
  from: 'resumed' | 'cache'
  /** Whether it is not that of its key: it had strayed when it was made, or what it is known by has changed since. */
  isOther: boolean
}

interface Options {
  needed: PlannedStep[]
  stepOf(id: string): PlannedStep
  /** Undefined where nothing is told apart. */
  identities: Identities | undefined
  /** What is told of a step before it runs. */
  tellOf(id: string): Promise<Told | undefined>
  /** Whose values are stored by themselves. */
  valueRead: ReadonlySet<string>
  cache: StepCache | undefined
  kept: KeptSteps | undefined
}

export function createLookUp({ needed, stepOf, identities, tellOf, valueRead, cache, kept }: Options): LookUp {
  let prefetched: ReturnType<LookUp['prefetch']> | undefined

  async function read() {
    const keys = await knownKeys(needed, identities, valueRead)
    return keys.length > 0 && cache ? cache.find(keys) : new Map<string, StoredResult>()
  }

  function prefetch() {
    if (prefetched === undefined) {
      prefetched = read()
      // Whoever asks is told.
      prefetched.catch(() => undefined)
    }
    return prefetched
  }

  return {
    prefetch,
    async find(id, withImages) {
      const before = await tellOf(id)
      const { action } = stepOf(id)
      // One that is skipped has the identity of what it hands on, but not its values.
      if (action === 'skip' || !before?.settled?.decisions.some(Boolean)) return undefined
      const { key, task, list } = before.identity
      const resumed = kept?.get(task)
      if (resumed && (resumed.hasImages || !withImages)) {
        return { stored: resumed, list, from: 'resumed', isOther: resumed.key !== key }
      }
      if (cache === undefined || key === undefined || before.readsUnknown) return undefined
      if (withImages && isSource(stepOf(id))) return undefined
      const early = await identities?.ahead(id)
      const keys = withImages ? [key] : [valuesKeyOf(key), key]
      const stored = await (early ? prefetch() : cache.find(keys))
      const found = keys.map((each) => stored.get(each)).find((each) => each !== undefined)
      return found && { stored: found, list, from: 'cache', isOther: false }
    },
  }
}
