/** Reuse of step results by the executions of an account: its cache, and the inputs of its cache keys. */
import type { ModelRequirements, Models } from '../../domain/model.ts'
import type { StepReuse } from '../../engine/cache/ports.ts'
import type { KeyModels } from '../../engine/cache/step-keys.ts'
import type { Fonts, UsableFont } from '../fonts.ts'
import type { Sources } from '../sources.ts'
import type { StepCaches } from './step-cache.ts'

/** For one execution. Repeated look-ups are read once. */
export type StepReuseFor = (accountId: string) => Promise<StepReuse & { usableFonts(): Promise<UsableFont[]> }>

interface Dependencies {
  sources: Pick<Sources, 'identify'>
  fonts: Pick<Fonts, 'usable'>
  /** Undefined if no model can be called. */
  models?: Pick<Models, 'choose' | 'ready'> | undefined
  /** Undefined if the cache is disabled. */
  caches: StepCaches | undefined
  /** Identifies the libraries and the processor that compute images. */
  fingerprint(): Promise<string>
}

export function createStepReuse({ sources, fonts, models, caches, fingerprint }: Dependencies): StepReuseFor {
  return async (accountId) => {
    const known = new Map<string, Promise<string | undefined>>()
    const identify = (source: string) => {
      const found = known.get(source) ?? sources.identify(accountId, source)
      known.set(source, found)
      return found
    }
    let usable: Promise<UsableFont[]> | undefined
    const usableFonts = () => (usable ??= fonts.usable(accountId))
    return {
      // The fonts of the keys, also if others are uploaded while it runs.
      usableFonts,
      cache: caches?.of(accountId),
      keyContext: {
        fingerprint: await fingerprint(),
        // Without a cache, the content of a source is not needed.
        identify: caches ? identify : async () => '',
        async fonts() {
          const all = await usableFonts()
          return all.map(({ id, family }) => ({ id, family })).sort((a, b) => (a.id < b.id ? -1 : 1))
        },
        ...(models ? { models: memoizeModels(models) } : {}),
      },
    }
  }
}

/** The items of a list mostly have the same requirements. */
function memoizeModels(models: Pick<Models, 'choose' | 'ready'>): (required: ModelRequirements) => KeyModels {
  const known = new Map<string, KeyModels>()
  return ({ capability, model, fallback, requirements }) => {
    const key = JSON.stringify([capability, model, fallback, requirements])
    const found = known.get(key) ?? readyOf(models.choose({ capability, model, fallback, requirements }).chain)
    known.set(key, found)
    return found
  }

  function readyOf(chain: string[]): KeyModels {
    return { chain, ready: models.ready(chain) }
  }
}
