/** The background jobs and what they work on. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { Retention } from '../domain/retention.ts'
import type { ProviderModelClient } from '../providers/calls/model-client.ts'
import type { AccountRemoval } from '../services/accounts/account-removal.ts'
import type { Activity } from '../services/accounts/activity.ts'
import type { Projects } from '../services/accounts/projects.ts'
import { stopExecutions } from '../services/executions/stop-executions.ts'
import type { WebhookNotices } from '../services/webhooks/webhook-notices.ts'
import type { Stores } from '../storage/database/open.ts'
import { ownerById } from '../worker/jobs/blobs.ts'
import { createSweep, startSweeping } from '../worker/jobs/sweep.ts'

interface SweepDependencies {
  stores: Stores
  retention: Retention
  blobs: BlobStore
  modelClient: Pick<ProviderModelClient, 'cancelOrphanedCalls'>
  activity: Pick<Activity, 'closeDays'>
  accountRemoval: Pick<AccountRemoval, 'removeMarked'>
  projects: Pick<Projects, 'removeMarked'>
  webhooks: { notices: WebhookNotices }
  config: Pick<Config, 'executionsKeptDays'>
  clock: Clock
  log: Logger
}

/** Runs the jobs until it is stopped, and logs how long executions are stored. */
export function startSweep({
  stores,
  retention,
  blobs,
  modelClient,
  activity,
  accountRemoval,
  projects,
  webhooks,
  config,
  clock,
  log,
}: SweepDependencies) {
  const { executionsKeptDays: days } = config
  log.info({ days }, 'executions are removed some days after their end: EXECUTIONS_KEEP_DAYS')
  const sweep = createSweep({
    blobs,
    removals: stores.blobRemovals,
    backgroundJobs: stores.backgroundJobs,
    retention,
    batches: stores.batches,
    cancelOrphanedCalls: modelClient.cancelOrphanedCalls,
    closeDays: activity.closeDays,
    webhooks: webhooks.notices,
    stopExecutions: () => stopExecutions({ ...stores, clock }),
    removeAccounts: accountRemoval.removeMarked,
    removeProjects: projects.removeMarked,
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
