/**
 * Runs batches: turns their rows into executions, a few times as many as the workers have slots, and adds more when some have ended. So the
 * queue stays small, and the limit of waiting executions is never reached by batches. One process runs a batch at a time; a second one would do
 * no harm, because a row is taken in the transaction that records its execution.
 */
import { type Account, type AccountStore, hasApiAccess } from '../../domain/accounts/account.ts'
import { plans } from '../../domain/accounts/plan.ts'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import { atMostEvery } from '../../domain/at-most-every.ts'
import type { BatchState, BatchStore, PauseReason } from '../../domain/batches/batch.ts'
import { type BatchItemStore, BatchItemTaken, type WaitingItem } from '../../domain/batches/batch-item.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DiskSpace } from '../../domain/disk-space.ts'
import { type Execution, TooManyWaiting } from '../../domain/executions/execution.ts'
import type { ExecutionNotices } from '../../domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../../domain/executions/execution-queue.ts'
import { newId } from '../../domain/ids.ts'
import { currentTrace, note, observe } from '../../domain/observed.ts'
import type { ParameterValues } from '../../domain/workflows/workflow.ts'
import { countFiles } from '../../engine/check/check-outputs.ts'
import { bindParameters } from '../../engine/check/parameters.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Executions } from '../../services/executions/executions.ts'
import type { VersionCache } from '../../services/workflows/version-cache.ts'

export interface BatchRunner {
  /** Other processes continue its batches immediately. */
  stop(): Promise<void>
}

interface Dependencies {
  batches: BatchStore
  items: BatchItemStore
  accounts: Pick<AccountStore, 'find'>
  versionCache: Pick<VersionCache, 'get'>
  executions: Pick<Executions, 'cancel'>
  queue: Pick<ExecutionQueue, 'add'>
  notices: Pick<ExecutionNotices, 'listen'>
  clock: Clock
  /** This process. Of processes with the same name, only one runs at a time. */
  runner: string
  /** Executions that one worker runs at the same time. */
  slots: number
  waitingMax: number
  disk: DiskSpace
  /** Receives an error once a minute: each look tries again. */
  onError(error: unknown): void
}

const lookMs = 1_000
/** Executions end one after another; one look covers several. */
const afterEndMs = 50
/** Longer than a process stops for a moment, short enough that a killed one is replaced soon. */
const leaseMs = 10_000
/** A lease is renewed when half of it is over: each renewal is a commit. */
const renewMs = leaseMs / 2
const batchesAtOnce = 1_000
/** Rows that are recorded at the same time. */
const rowsAtOnce = 8
/** Rows that can't be recorded. After them, the database itself probably doesn't work, and the next look tries again. */
const errorsMax = 2 * rowsAtOnce
const cancelledAtOnce = 1_000
const windowMin = 32

export function startBatches(options: Dependencies): BatchRunner {
  const dependencies = { ...options, onError: atMostEvery(60_000, options.onError) }
  const { batches, notices, clock, runner, onError } = dependencies
  const stopping = new AbortController()
  /** Time until which this process has each batch. */
  let leases = new Map<string, number>()
  let looking: Promise<void> | undefined
  let isWoken = false

  /** Looks for work now, or again if it looks at the moment. */
  function wake(): void {
    isWoken = true
    if (stopping.signal.aborted) return
    looking ??= look().finally(() => {
      looking = undefined
    })
  }

  async function look(): Promise<void> {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        await runAll()
      } catch (error) {
        onError(error)
        return
      }
    }
  }

  async function runAll(): Promise<void> {
    const active = await batches.listActive(batchesAtOnce, clock.now())
    const known = leases
    leases = new Map(active.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id) as number]] : [])))
    if (active.length === 0) return
    const workers = Math.max(1, await batches.countWorkers(clock.now()))
    const running = Map.groupBy(
      active.filter(({ status }) => status === 'running'),
      ({ accountId }) => accountId,
    )
    for (const batch of active) {
      if (stopping.signal.aborted) return
      if (!(await isOwn(batch.id))) continue
      const isUnfinished = await run(batch, { workers, ofAccount: running.get(batch.accountId)?.length ?? 1 }).catch(
        (error: unknown) => onError(error),
      )
      if (isUnfinished) isWoken = true
    }
  }

  async function isOwn(id: string): Promise<boolean> {
    const now = clock.now()
    const until = leases.get(id)
    if (until !== undefined && until - now > renewMs) return true
    if (!(await batches.claim(id, runner, { now, until: now + leaseMs }))) return false
    leases.set(id, now + leaseMs)
    return true
  }

  /** Returns whether there is more to do immediately. */
  async function run(
    batch: BatchState,
    { workers, ofAccount }: { workers: number; ofAccount: number },
  ): Promise<boolean> {
    if (batch.status === 'cancelled') return cancelRows(batch, dependencies)
    const account = await dependencies.accounts.find(batch.accountId)
    if (account === undefined || !hasApiAccess(account)) {
      await pause(batch, 'suspended', dependencies)
      return false
    }
    const window = Math.max(1, Math.floor(windowOf(account, workers, dependencies) / ofAccount))
    const open = await batches.openExecutions(batch.id, window)
    // Several at a time: they share a commit.
    if (open.length > window / 2) return false
    return submit(batch, window - open.length, open.length === 0, dependencies)
  }

  let endTimer: NodeJS.Timeout | undefined
  const stopListening = notices.listen(({ kind }) => {
    if (kind === 'batch') wake()
    if (kind !== 'ended' && kind !== 'missed') return
    if (leases.size === 0) return
    endTimer ??= setTimeout(() => {
      endTimer = undefined
      wake()
    }, afterEndMs).unref()
  })
  const timer = setInterval(wake, lookMs).unref()
  wake()

  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      clearTimeout(endTimer)
      stopListening()
      await looking
      await batches.releaseAll(runner).catch(onError)
    },
  }
}

/** How many executions of batches of the account may wait or run. */
function windowOf({ plan }: Account, workers: number, { slots, waitingMax }: Dependencies): number {
  const most = Math.min(limits.batchWindowMax, plans[plan].waitingMax / 4, waitingMax / 8)
  return Math.floor(Math.min(most, Math.max(windowMin, 8 * slots * workers)))
}

async function pause(batch: BatchState, pauseReason: PauseReason, { batches, clock }: Dependencies): Promise<void> {
  const change = { status: 'paused', pauseReason, at: clock.now() } as const
  await batches.changeStatus(batch.accountId, batch.id, ['running'], change)
}

/** Returns whether rows may be left that can be submitted immediately. */
async function submit(batch: BatchState, count: number, isIdle: boolean, dependencies: Dependencies): Promise<boolean> {
  const { batches, items, disk, clock, onError } = dependencies
  const waiting = await items.nextWaiting(batch, count)
  if (waiting.length === 0) {
    if (isIdle) await batches.complete(batch, clock.now())
    return false
  }
  // The look after it tries again.
  await disk.require()
  const { toExecution, imagesAdded } = await executionsOf(batch, dependencies)
  let failed = 0
  for (let from = 0; from < waiting.length; from += rowsAtOnce) {
    const some = waiting.slice(from, from + rowsAtOnce)
    const results = await observe('batch', { batch, rows: some.length }, () =>
      Promise.allSettled(
        some.map((item) =>
          dependencies.queue.add(toExecution(item), {
            batchItem: { batchId: batch.id, upload: batch.upload, row: item.row },
            waitingMax: dependencies.waitingMax,
            imagesAdded,
          }),
        ),
      ),
    )
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    note('batchRows', { outcome: 'submitted', rows: some.length - errors.length })
    const reached = errors.find((error) => error instanceof QuotaReached)
    if (reached) {
      const pauseReason = reached.quota === 'storageBytes' ? 'storage' : 'quota'
      await batches.changeStatus(batch.accountId, batch.id, ['running'], {
        status: 'paused',
        pauseReason,
        at: clock.now(),
      })
      return false
    }
    const unexpected = errors.filter((error) => !isRefusal(error))
    for (const error of unexpected) onError(error)
    // Too many wait, or the batch was paused: the next look finds out.
    if (unexpected.length < errors.length) return false
    failed += unexpected.length
    if (failed >= errorsMax) return false
  }
  // Fewer rows than requested are the last ones, or a part that is limited in bytes.
  return waiting.length < count && failed === 0
}

function isRefusal(error: unknown): boolean {
  return error instanceof TooManyWaiting || error instanceof BatchItemTaken
}

async function executionsOf(
  batch: BatchState,
  { versionCache, clock }: Dependencies,
): Promise<{ toExecution: (item: WaitingItem) => Execution; imagesAdded: number }> {
  const { id: batchId, accountId, workflowId, workflowVersion, keyId, defaults, brand } = batch
  const checked = await versionCache.get(batch).catch((error: unknown) => {
    // If this release rejects the document, each execution fails with the reason. After any other error the next look submits the rows.
    if (error instanceof Fault && error.code === 'workflow_failed') return undefined
    throw error
  })
  const toExecution = ({ parameters, resumedFrom }: WaitingItem): Execution => {
    const passed = { ...defaults, ...parameters }
    const bound = checked && bindParameters(checked.parameters, passed)
    const now = clock.now()
    return {
      id: newId('exec', now),
      accountId,
      workflowId,
      workflowVersion,
      batchId,
      // The row was checked when it was uploaded. If it is invalid now, its execution fails with the problems.
      ...(brand === undefined ? {} : { brand }),
      parameters: bound?.issues.length === 0 ? bound.values : (passed as ParameterValues),
      status: 'pending',
      attempt: 0,
      output: null,
      error: null,
      createdAt: now,
      startedAt: null,
      completedAt: null,
      ...(resumedFrom === null ? {} : { resumedFrom }),
      ...(keyId === null ? {} : { keyId }),
      ...currentTrace(),
    }
  }
  return { toExecution, imagesAdded: checked ? countFiles(checked.outputs.map(({ settings }) => settings.values)) : 1 }
}

/** Returns whether rows are left. */
async function cancelRows(batch: BatchState, { batches, items, executions, clock }: Dependencies): Promise<boolean> {
  // In this order: a row whose execution ends by the budget waits again.
  const open = await batches.openExecutions(batch.id, cancelledAtOnce)
  const cancelled = await items.cancelWaiting(batch, cancelledAtOnce, clock.now())
  note('batchRows', { outcome: 'cancelled', rows: cancelled })
  for (const id of open) await executions.cancel(batch.accountId, id)
  if (cancelled > 0 || open.length > 0) return true
  await batches.settle(batch.id)
  return false
}
