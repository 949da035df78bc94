/** The background jobs and what they work on. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { ProviderModelClient } from '../providers/calls/model-client.ts'
import type { Activity } from '../services/accounts/activity.ts'
import { createEviction } from '../services/delivery/eviction.ts'
import { createExecutionSweep } from '../services/executions/execution-retention.ts'
import type { CheckpointStore } from '../services/results/checkpoints.ts'
import type { Previews } from '../services/results/previews.ts'
import type { WebhookNotices } from '../services/webhooks/webhook-notices.ts'
import type { Stores } from '../storage/database/open.ts'
import { ownerById } from '../worker/jobs/blobs.ts'
import { createSweep, startSweeping } from '../worker/jobs/sweep.ts'

interface SweepDependencies {
  stores: Stores
  blobs: BlobStore
  checkpointStore: CheckpointStore
  previews: Previews
  modelClient: Pick<ProviderModelClient, 'cancelOrphanedCalls'>
  activity: Pick<Activity, 'closeDays'>
  webhooks: { notices: WebhookNotices }
  config: Pick<Config, 'deliveryBytesMax' | 'executionsKeptDays'>
  clock: Clock
  log: Logger
}

/** Runs the jobs until it is stopped. */
export function startSweep({
  stores,
  blobs,
  checkpointStore,
  previews,
  modelClient,
  activity,
  webhooks,
  config: { deliveryBytesMax, executionsKeptDays: keptDays },
  clock,
  log,
}: SweepDependencies) {
  const sweep = createSweep({
    blobs,
    removals: stores.blobRemovals,
    backgroundJobs: stores.backgroundJobs,
    executions: stores.executions,
    batches: stores.batches,
    idempotency: stores.idempotency,
    sessions: stores.sessions,
    keys: [stores.keys, stores.signingKeys],
    channels: stores.channels,
    checkpoints: checkpointStore,
    previews,
    evictDerivedFiles: createEviction({ derivedFiles: stores.derivedFiles, clock, bytesMax: deliveryBytesMax }),
    providerCalls: stores.providerCalls,
    cancelOrphanedCalls: modelClient.cancelOrphanedCalls,
    closeDays: activity.closeDays,
    ...(keptDays !== undefined && {
      sweepExecutions: createExecutionSweep({
        executions: stores.executionRetention,
        accounts: stores.accounts,
        keptDays,
        clock,
      }),
    }),
    webhooks: webhooks.notices,
    owners: {
      img: ownerById(async (ids) => {
        const [stored, derived] = [await stores.images.existing(ids), await stores.derivedFiles.existing(ids)]
        return new Set([...stored, ...derived])
      }),
      font: ownerById(stores.fonts.existing),
      step: stores.stepResults.existing,
      prev: ownerById(stores.previews.existing),
      call: stores.providerCalls.existing,
    },
    clock,
    onError: (err, job) => log.error({ err, job }, 'a background job failed'),
  })
  return startSweeping(sweep, (removed) => {
    if (Object.values(removed).some((count) => count > 0)) log.info({ removed }, 'swept')
  })
}
