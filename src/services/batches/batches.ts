/** The life cycle of batches. `worker/jobs/batches.ts` runs them. */
import type {
  Batch,
  BatchFilter,
  BatchState,
  BatchStatus,
  BatchStore,
  PauseReason,
} from '../../domain/batches/batch.ts'
import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import { microsOrNull } from '../../domain/money.ts'
import { currentTrace } from '../../domain/observed.ts'
import type { CountedPageOfLong, PageRequest } from '../../domain/page.ts'
import { type Fault, invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Brands } from '../accounts/brands.ts'
import type { Actor } from '../executions/executions.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'
import type { VersionChoice, VersionChooser } from '../workflows/version-chooser.ts'
import { refused } from './refused.ts'

export interface NewBatch extends VersionChoice {
  /** Its id or slug. */
  workflowId: string
  name?: string | undefined
  defaults?: Record<string, unknown> | undefined
  maxUsd?: number | undefined
  webhookUrl?: string | undefined
}

export interface Batches {
  /** A batch without rows. Its version and its brand values stay, also if the channel moves or the brand changes. */
  create(by: Actor, batch: NewBatch, once?: IdempotentCreate): Promise<BatchState>
  find(accountId: string, id: string): Promise<BatchState>
  /** See `BatchStore`. */
  list(accountId: string, page: PageRequest, filter: BatchFilter): Promise<CountedPageOfLong<BatchState>>
  /** `maxUsd`: null for no limit. A batch that its budget has paused continues when it is resumed. */
  update(accountId: string, id: string, change: { name?: string; maxUsd?: number | null }): Promise<BatchState>
  /**
   * Starts a batch; like the other changes of the status, has no effect if it was done before, so that a request can be
   * repeated.
   */
  start(accountId: string, id: string): Promise<BatchState>
  /** Rows that have an execution are completed. */
  pause(accountId: string, id: string): Promise<BatchState>
  resume(accountId: string, id: string): Promise<BatchState>
  /** Cancels all rows that have not ended. */
  cancel(accountId: string, id: string): Promise<BatchState>
  /** Hides it. Its rows are removed later; its executions and images stay. */
  remove(accountId: string, id: string): Promise<void>
}

interface Dependencies {
  batches: BatchStore
  brands: Pick<Brands, 'usedBy'>
  versionChooser: Pick<VersionChooser, 'findWorkflow' | 'require'>
  versionCache: Pick<VersionCache, 'get'>
  requestParameters: Pick<RequestParameters, 'rowIssues'>
  requireWebhookUrl(url: string, path: string): void
  clock: Clock
  /** A batch of this process has something to do. */
  onActive(): void
}

export function createBatches(dependencies: Dependencies): Batches {
  const { batches, brands, versionChooser, versionCache, requestParameters, requireWebhookUrl, clock, onActive } =
    dependencies

  async function find(accountId: string, id: string): Promise<BatchState> {
    const batch = await batches.find(accountId, id, clock.now())
    if (batch === undefined) throw notFound('batch', id)
    return batch
  }

  /** The values of every row: unknown names and wrong values are rejected, missing ones are not. */
  async function checkDefaults(
    accountId: string,
    workflow: Awaited<ReturnType<VersionCache['get']>>,
    defaults: Record<string, unknown>,
  ): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(defaults))
    if (bytes > limits.batchDefaultsBytesMax) throw tooLargeDefaults(bytes)
    const parameters = workflow.parameters.map((parameter) => {
      const { default: _, ...rest } = parameter
      return { ...rest, required: false } as typeof parameter
    })
    const unplanned = { planning: { msLeft: 0 }, brand: undefined }
    const [issues = []] = await requestParameters.rowIssues(
      accountId,
      { ...workflow, parameters },
      [defaults],
      unplanned,
    )
    if (issues.length === 0) return
    throw invalidRequest(
      issues.map(({ path, message }) => ({ path: path.replace(/^parameters/, 'defaults'), message })),
    )
  }

  async function change(
    accountId: string,
    id: string,
    from: readonly BatchStatus[],
    to: { status: BatchStatus; pauseReason?: PauseReason },
    verb: string,
  ): Promise<BatchState> {
    const change = { ...to, at: clock.now() }
    const isChanged = await batches.changeStatus(accountId, id, from, change)
    const batch = await find(accountId, id)
    if (isChanged) onActive()
    // Another request may have made the same change since the check.
    else if (batch.status !== to.status) throw refusal(batch, from, verb)
    return batch
  }

  return {
    async create(
      { accountId, keyId },
      { workflowId: idOrSlug, name, defaults = {}, maxUsd, webhookUrl, ...choice },
      once,
    ) {
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const workflow = await versionChooser.findWorkflow(accountId, idOrSlug)
      const { id: workflowId } = workflow
      if (webhookUrl !== undefined) requireWebhookUrl(webhookUrl, 'webhookUrl')
      const workflowVersion = await versionChooser.require(workflow, choice)
      const checked = await forRequest(versionCache.get({ accountId, workflowId, workflowVersion }))
      await checkDefaults(accountId, checked, defaults)
      const { values: brand, issues } = await brands.usedBy({ accountId, projectId: workflow.projectId }, checked)
      if (issues.length > 0) throw invalidRequest(issues)
      const now = clock.now()
      const batch: Batch = {
        id: newId('batch', now),
        accountId,
        workflowId,
        workflowVersion,
        name: name ?? workflow.name,
        defaults,
        ...(brand === undefined ? {} : { brand }),
        ...currentTrace(),
        status: 'created',
        pauseReason: null,
        maxCostMicros: microsOrNull(maxUsd),
        webhookUrl: webhookUrl ?? null,
        keyId: keyId ?? null,
        total: 0,
        createdAt: now,
        startedAt: null,
        completedAt: null,
      }
      await batches.create(batch, once?.record)
      return find(accountId, batch.id)
    },

    find,
    list: (accountId, page, filter) => batches.list(accountId, page, filter, clock.now()),

    async update(accountId, id, { name, maxUsd }) {
      const batch = await find(accountId, id)
      const maxCost = maxUsd === undefined ? {} : { maxCostMicros: microsOrNull(maxUsd ?? undefined) }
      const change = { ...(name === undefined ? {} : { name }), ...maxCost }
      // An UPDATE needs a column to set.
      if (Object.keys(change).length === 0) return batch
      await batches.update(accountId, id, change)
      return find(accountId, id)
    },

    async start(accountId, id) {
      const batch = await find(accountId, id)
      if (batch.startedAt !== null && batch.status !== 'cancelled') return batch
      return change(accountId, id, ['created'], { status: 'running' }, 'started')
    },

    async pause(accountId, id) {
      const batch = await find(accountId, id)
      if (batch.status === 'paused') return batch
      return change(accountId, id, ['running'], { status: 'paused', pauseReason: 'requested' }, 'paused')
    },

    async resume(accountId, id) {
      const batch = await find(accountId, id)
      if (batch.status === 'running') return batch
      return change(accountId, id, ['paused'], { status: 'running' }, 'resumed')
    },

    async cancel(accountId, id) {
      const batch = await find(accountId, id)
      if (batch.status === 'cancelled') return batch
      return change(accountId, id, ['running', 'paused'], { status: 'cancelled' }, 'cancelled')
    },

    async remove(accountId, id) {
      const batch = await find(accountId, id)
      if (await batches.remove(accountId, id, clock.now())) return
      const problem = batch.isUploading ? 'is being uploaded' : `is ${batch.status} and has rows that have not ended`
      throw refused(`Batch "${id}" ${problem}. Cancel it first, and wait until its rows have ended.`)
    },
  }
}

function tooLargeDefaults(bytes: number): Fault {
  const message = `must have at most ${limits.batchDefaultsBytesMax} bytes as JSON, not ${bytes}. Put long values into the workflow.`
  return invalidRequest([{ path: 'defaults', message }])
}

function refusal(batch: BatchState, from: readonly BatchStatus[], verb: string): Fault {
  const { id, status, isUploading, total } = batch
  if (!from.includes(status))
    return refused(`Batch "${id}" is ${status}, so it can't be ${verb}. Only a batch that is ${from.join(' or ')} can.`)
  if (isUploading) return refused(`The rows of batch "${id}" are being uploaded. Wait for the end of the upload.`)
  if (total === 0) return refused(`Batch "${id}" has no rows. Upload them with PUT /batches/${id}/items.`)
  return refused(`Batch "${id}" was changed by another request. Repeat the request.`)
}
