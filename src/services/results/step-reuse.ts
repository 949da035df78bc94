/** Reuse of step results by the executions of an account: its cache, and the inputs of its cache keys. */
import type { Clock } from '../../domain/clock.ts'
import type { Variations } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import type { ModelRequirements, Models } from '../../domain/models/model.ts'
import type { StepCache, StepReuse } from '../../engine/cache/ports.ts'
import type { KeyModels, VariationKeys } from '../../engine/cache/step-keys.ts'
import type { Fonts, UsableFont } from '../accounts/fonts.ts'
import type { Sources } from '../executions/sources.ts'
import type { StepCaches } from './step-cache.ts'

/**
 * Creates the reuse of one execution. Repeated look-ups are read once. `reused`: the random results that it may use.
 */
export type StepReuseFor = (
  accountId: string,
  reused?: ReusedVariations,
) => Promise<StepReuse & { usableFonts(): Promise<UsableFont[]>; imageIds(): string[] }>

/** The random results of one workflow. */
export interface ReusedVariations {
  workflowId: string
  variations: Variations
}

interface Dependencies {
  sources: Pick<Sources, 'identify'>
  fonts: Pick<Fonts, 'usable'>
  /** The models of an account. Undefined if no model can be called. */
  modelsOf?: ((accountId: string) => Pick<Models, 'choose' | 'ready'>) | undefined
  /** Undefined if the cache is disabled. */
  caches: StepCaches | undefined
  /** Identifies the libraries and the processor that compute images. */
  fingerprint(): Promise<string>
  /** Identifies the certificate and the time stamps of signed outputs. */
  signing?: string | undefined
  clock: Clock
}

export function createStepReuse({
  sources,
  fonts,
  modelsOf,
  caches,
  fingerprint,
  signing,
  clock,
}: Dependencies): StepReuseFor {
  return async (accountId, reused) => {
    const known = new Map<string, Promise<string | undefined>>()
    const images = new Set<string>()
    const identifyFirst = async (source: string) => {
      const identity = await sources.identify(accountId, source)
      const [id] = /img_[0-9a-z]+/.exec(source) ?? []
      if (identity !== undefined && id !== undefined) images.add(id)
      return identity
    }
    const identify = (source: string) => {
      const found = known.get(source) ?? identifyFirst(source)
      known.set(source, found)
      return found
    }
    let usable: Promise<UsableFont[]> | undefined
    const usableFonts = () => (usable ??= fonts.usable(accountId))
    const cache = caches?.of(accountId, images)
    return {
      // The fonts of the keys, also if others are uploaded while it runs.
      usableFonts,
      imageIds: () => [...images],
      cache,
      keyContext: {
        fingerprint: await fingerprint(),
        signing,
        // Without a cache, the content of a source is not needed.
        identify: caches ? identify : async () => '',
        async fonts() {
          const all = await usableFonts()
          return all.map(({ id, family }) => ({ id, family })).sort((a, b) => (a.id < b.id ? -1 : 1))
        },
        ...(modelsOf ? { models: memoizeModels(modelsOf(accountId)) } : {}),
        ...(reused && cache ? { variations: variationKeys(reused, cache, clock) } : {}),
      },
    }
  }
}

/** The variations of the nodes of a workflow, as they are in keys and fingerprints. */
export function variationOf({ workflowId, variations }: ReusedVariations, node: string): unknown {
  return [workflowId, Object.hasOwn(variations, node) ? variations[node] : node]
}

function variationKeys(reused: ReusedVariations, cache: StepCache, clock: Clock): VariationKeys {
  const ids = new Map<string, Promise<string>>()
  async function findId(key: string): Promise<string> {
    const stored = (await cache.find([key])).get(key)
    return stored?.facts.variation ?? newId('step', clock.now())
  }
  return {
    of: (node) => variationOf(reused, node),
    resultId(key) {
      const id = ids.get(key) ?? findId(key)
      ids.set(key, id)
      return id
    },
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
