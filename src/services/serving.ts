/** What serves the executions of an account: its cache, and how results of it are told apart. */
import type { Serving } from '../engine/run.ts'
import type { Fonts } from './fonts.ts'
import type { Sources } from './sources.ts'
import type { StepCaches } from './step-cache.ts'

/** Of one execution: what is asked twice is looked up once. */
export type ServingOf = (accountId: string) => Promise<Serving>

interface Dependencies {
  sources: Pick<Sources, 'identify'>
  fonts: Pick<Fonts, 'usable'>
  /** Undefined where it is switched off. */
  caches: StepCaches | undefined
  /** What makes pictures here. */
  fingerprint(): Promise<string>
}

export function createServing({ sources, fonts, caches, fingerprint }: Dependencies): ServingOf {
  return async (accountId) => {
    const known = new Map<string, Promise<string | undefined>>()
    const identify = (source: string) => {
      const found = known.get(source) ?? sources.identify(accountId, source)
      known.set(source, found)
      return found
    }
    return {
      cache: caches?.of(accountId),
      telling: {
        fingerprint: await fingerprint(),
        // Without a cache, nobody asks what a source holds.
        identify: caches ? identify : async () => '',
        async fonts() {
          const usable = await fonts.usable(accountId)
          return usable.map(({ id, family }) => ({ id, family })).sort((a, b) => (a.id < b.id ? -1 : 1))
        },
      },
    }
  }
}
