/** Composition of batches: their services, and the job that runs them. */

import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import type { DiskSpace } from '../domain/disk-space.ts'
import type { ExecutionNotices } from '../domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../domain/executions/execution-queue.ts'
import { newId } from '../domain/ids.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { Models } from '../domain/models/model.ts'
import { limits } from '../limits.ts'
import type { Brands } from '../services/accounts/brands.ts'
import { createBatches } from '../services/batches/batches.ts'
import { createBatchEstimates } from '../services/batches/estimate.ts'
import { createBatchEvents } from '../services/batches/events.ts'
import { createBatchItems } from '../services/batches/items.ts'
import { createBatchResults } from '../services/batches/results.ts'
import { createBatchUploads } from '../services/batches/uploads.ts'
import { createEventStreams, type EventStreams } from '../services/event-streams.ts'
import { createEstimates } from '../services/executions/estimates.ts'
import type { Executions } from '../services/executions/executions.ts'
import type { RequestParameters } from '../services/executions/request-parameters.ts'
import type { StepReuseFor } from '../services/results/step-reuse.ts'
import type { VersionCache } from '../services/workflows/version-cache.ts'
import type { VersionChooser } from '../services/workflows/version-chooser.ts'
import type { Database } from '../storage/database/open.ts'
import { type BatchRunner, startBatches } from '../worker/jobs/batches.ts'

interface BatchDependencies {
  config: Config
  log: Logger
  database: Database
  blobs: BlobStore
  versionCache: VersionCache
  versionChooser: VersionChooser
  brands: Brands
  requestParameters: RequestParameters
  stepReuse: StepReuseFor
  modelsOf(accountId: string): Models
  executions: Executions
  queue: ExecutionQueue
  notices: ExecutionNotices
  streams: EventStreams
  disk: DiskSpace
  requireWebhookUrl(url: string, path: string): void
  clock: Clock
}

export function createBatchServices(dependencies: BatchDependencies) {
  const { config, log, database, blobs, versionCache, requestParameters, stepReuse, modelsOf, clock } = dependencies
  const { requireWebhookUrl, versionChooser, brands, executions, queue, notices, streams, disk } = dependencies
  const { stores, engine } = database
  const onActive = () => notices.send({ kind: 'batch' })
  const batches = createBatches({
    batches: stores.batches,
    brands,
    versionChooser,
    versionCache,
    requestParameters,
    requireWebhookUrl,
    clock,
    onActive,
  })
  const items = stores.batchItems
  const services = {
    batches,
    batchItems: createBatchItems({ batches, items, versionCache, requestParameters, clock, onActive }),
    batchUploads: createBatchUploads({
      batches,
      items,
      versionCache,
      requestParameters,
      blobs,
      quotas: stores.quotas,
      disk,
      clock,
      onUnrenewed: (err) => log.warn({ err }, 'the upload of the rows of a batch could not be renewed: later'),
    }),
    batchEvents: createBatchEvents({
      batches,
      items,
      streams,
      clock,
      onError: (err, { isEnd, ...facts }) =>
        log.warn({ err, ...facts }, `the events of a batch can't be read${isEnd ? ': the stream ends' : ': later'}`),
    }),
    batchResults: createBatchResults({
      items,
      workflows: stores.workflows,
      blobs,
      zips: createEventStreams(limits.batchZipsMax, 'ZIP downloads'),
    }),
    estimateBatch: createBatchEstimates({
      batches: stores.batches,
      items,
      versionCache,
      requestParameters,
      stepReuse,
      estimates: createEstimates({ executions: stores.executions }),
      modelsOf,
      slots: config.executionsRunningMax,
      clock,
    }),
  }
  return {
    services,
    start(): BatchRunner {
      return startBatches({
        batches: stores.batches,
        items,
        accounts: stores.accounts,
        versionCache,
        executions,
        queue,
        notices,
        clock,
        // With SQLite, one process runs at a time, and the next one continues immediately.
        runner: engine === 'sqlite' ? 'one' : newId('wrk', clock.now()),
        slots: config.executionsRunningMax,
        waitingMax: config.executionsWaitingMax,
        disk,
        onError: (err) => log.error({ err }, 'a batch could not continue: later'),
      })
    },
  }
}
