/** Composition of stored step results: the step cache, checkpoints and previews. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { largestMaximum } from '../domain/accounts/quota.ts'
import type { Clock } from '../domain/clock.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { Retention } from '../domain/retention.ts'
import type { Imaging } from '../imaging/raster/imaging.ts'
import { fingerprint } from '../operations/shared/fingerprint.ts'
import type { Fonts } from '../services/accounts/fonts.ts'
import type { Sources } from '../services/executions/sources.ts'
import { createCheckpointStore } from '../services/results/checkpoints.ts'
import { createPreviews } from '../services/results/previews.ts'
import { createStepCaches } from '../services/results/step-cache.ts'
import { createStepReuse } from '../services/results/step-reuse.ts'
import type { Stores } from '../storage/database/open.ts'
import type { OpenCredentials } from './credentials.ts'
import type { ModelsOf } from './models.ts'

interface Parts {
  config: Config
  log: Logger
  stores: Stores
  retention: Retention
  clock: Clock
  blobs: BlobStore
  imaging: Imaging
  modelsOf: ModelsOf
  sources: Sources
  fonts: Fonts
  signing: OpenCredentials['signing']
}

export function createResults({
  config,
  log,
  stores,
  retention,
  clock,
  blobs,
  imaging,
  modelsOf,
  sources,
  fonts,
  signing,
}: Parts) {
  const { stepResults, executions, blobRemovals } = stores
  const onError = (err: unknown) => log.warn({ err }, 'the step cache could not be read or written')
  const cacheBytesMax = largestMaximum('cacheBytes', config.quotas)
  const caches =
    cacheBytesMax === 0
      ? undefined
      : createStepCaches({
          stepResults,
          retention,
          blobs,
          removals: blobRemovals,
          clock,
          bytesMax: cacheBytesMax,
          onError,
        })
  return {
    caches,
    stepReuse: createStepReuse({
      sources,
      fonts,
      modelsOf,
      caches,
      // Cached results with these operations are not used either.
      fingerprint: async () => `${await fingerprint()}, ${imaging.settings}`,
      signing,
      clock,
    }),
    checkpointStore: createCheckpointStore({ stepResults, retention, executions, blobs, clock, onError }),
    previews: createPreviews({
      previews: stores.previews,
      executions,
      blobs,
      shrink: imaging.shrink,
      clock,
      retention,
      retentionHours: config.previewHours,
      onError: (err) => log.warn({ err }, 'a preview could not be read or stored'),
    }),
  }
}
