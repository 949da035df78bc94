/**
 * Makes the files of workflow URLs: one execution for each file, however many requests and processes ask for it. The execution and its claim of
 * the file are one durable write, so a crash loses neither.
 */

import { inTime } from '../../domain/abortable.ts'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DeliveryFormat } from '../../domain/delivery/delivery.ts'
import {
  type DerivedFile,
  DerivedFileTaken,
  derivedKey,
  type NewDerivedFile,
} from '../../domain/delivery/derived-file.ts'
import type {
  DerivedFileStore,
  FoundWorkflow,
  FoundWorkflowUrl,
  WorkflowUrl,
} from '../../domain/delivery/derived-file-store.ts'
import { type Execution, isTerminal } from '../../domain/executions/execution.ts'
import { createFairQueue, type FairQueue } from '../../domain/fair-queue.ts'
import { createSharedWork, type WaitingWork } from '../../domain/shared-work.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { asFault, Fault, failure, type Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Executions } from '../executions/executions.ts'
import { createFailureCache } from '../images/failure-cache.ts'
import type { VersionCache } from '../workflows/version-cache.ts'
import type { DerivedBytes } from './derived-bytes.ts'
import type { FilePlan, PlanFile } from './plan-file.ts'

/** A verified URL, and what was found for it. */
export interface WorkflowRequest {
  url: WorkflowUrl
  parameters: readonly (readonly [name: string, value: string])[]
  format: DeliveryFormat
  found: FoundWorkflowUrl & { workflow: FoundWorkflow }
}

export type Made =
  | { kind: 'ready'; file: DerivedFile }
  /** The URL asks for something that the document doesn't allow. */
  | { kind: 'denied' }
  /** `busy`: it was not started. */
  | { kind: 'failed' | 'pending' | 'busy'; executionId?: string; fallback: string | undefined }
  | { kind: 'invalid'; executionId?: undefined; issues: Issue[]; fallback: string | undefined }

export interface WorkflowFiles {
  /**
   * Resolves with the file, or after the time that a request waits: a shorter one if there is an image to respond with. Concurrent requests of
   * this process share the work, which continues without them.
   */
  make(request: WorkflowRequest, signal?: AbortSignal): Promise<Made>
}

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'findWorkflowUrl'>
  derivedBytes: DerivedBytes
  versionCache: Pick<VersionCache, 'get' | 'keep'>
  planFile: PlanFile
  /** Seconds that a plan may wait for another of its account. */
  planSeconds: number
  executions: Pick<Executions, 'startForFile' | 'find' | 'wait'>
  waiting: FairQueue
  clock: Clock
  waitSeconds: number
  /** Seconds that a request waits if the workflow has a fallback image, or the URL a former file. */
  fallbackSeconds: number
}

type Rejection = Exclude<FilePlan, { kind: 'planned' }>
type KnownExecution = Execution | { kind: 'failed'; executionId: string }

/** Maximum of tries of a claim that another process was faster with. */
const triesMax = 5

export function createWorkflowFiles({
  derivedFiles,
  derivedBytes,
  versionCache,
  planFile,
  planSeconds,
  executions,
  waiting,
  clock,
  waitSeconds,
  fallbackSeconds,
}: Dependencies): WorkflowFiles {
  /** Work that requests wait for, by key and file. */
  const making = createSharedWork<Made>(abandoned)
  /** Rate limits don't apply to these requests. So an account plans one file at a time. */
  const plans = createFairQueue({ perAccount: 1 })
  const planDeadline = {
    seconds: planSeconds,
    error: () => new Fault('unavailable', 'Too many files of the account wait. Retry.'),
  }
  /** Parameters that the plan rejected, by key and file. */
  const rejections = createFailureCache<Rejection>(limits.deliveryFailureSeconds, clock)

  async function makeOne(request: WorkflowRequest, key: string, { signal, begin }: WaitingWork): Promise<Made> {
    const { found } = request
    let fallback: string | undefined
    try {
      const checked = await versionCache.get(runOf(request))
      const { delivery } = checked.document
      if (delivery === undefined) return { kind: 'denied' }
      // Also if the request is rejected: checking a large document takes long, and no rate limit applies to these requests.
      versionCache.keep(runOf(request), checked)
      fallback = delivery.fallback
      const rejection = rejections.find(key)
      if (rejection) return rejected(rejection, fallback)
      // Before the plan: a URL that fails costs little until its failure is forgotten.
      let execution = await knownExecution(request, found.file)
      if (execution === undefined) {
        const { parameters } = request
        const { accountId } = found.key
        if (derivedBytes.isFull(accountId)) return { kind: 'busy', fallback }
        const plan = await plans.run({ account: accountId, deadline: planDeadline, signal }, () => {
          begin()
          return planFile(checked, { parameters, key: found.key, projectId: found.workflow.projectId })
        })
        if (plan.kind !== 'planned') {
          rejections.add(accountId, key, plan)
          return rejected(plan, fallback)
        }
        const started = await startOrFind(request, checked, plan)
        if ('kind' in started && started.kind === 'ready') return started
        execution = started
      }
      begin()
      if ('kind' in execution) return { ...execution, fallback }
      return await outcomeOf(request, execution, fallback)
    } catch (error) {
      // Visitors of a page don't need to know the quotas of its owner.
      if (error instanceof QuotaReached) return { kind: 'busy', fallback }
      const { code } = asFault(error)
      if (code === 'rate_limited' || code === 'unavailable') return { kind: 'busy', fallback }
      if (code === 'workflow_failed') return { kind: 'failed', fallback }
      throw error
    }
  }

  /** The execution that makes the file, or has failed a short time ago. */
  async function knownExecution(
    { found: { key } }: WorkflowRequest,
    file: FoundWorkflowUrl['file'],
  ): Promise<KnownExecution | undefined> {
    const { executionId, execution } = file ?? {}
    if (!executionId || !execution) return undefined
    if (!isTerminal(execution.status)) return executions.find(key.accountId, executionId)
    // In the future if the clock was set back.
    const failedAgoMs = Math.abs(clock.now() - (execution.completedAt ?? 0))
    const isKnown = execution.status === 'failed' && failedAgoMs < limits.deliveryFailureSeconds * 1_000
    return isKnown ? { kind: 'failed', executionId } : undefined
  }

  /** Responds without waiting for a file. */
  async function busy(request: WorkflowRequest): Promise<Made> {
    const { document } = await versionCache.get(runOf(request))
    return document.delivery ? { kind: 'busy', fallback: document.delivery.fallback } : { kind: 'denied' }
  }

  /** The state of a file that is being made, if there is another image to respond with. */
  async function pendingWithImage(request: WorkflowRequest): Promise<Made | undefined> {
    const { delivery } = (await versionCache.get(runOf(request))).document
    const hasImage = delivery?.fallback !== undefined || request.found.file?.image != null
    return hasImage ? { kind: 'pending', fallback: delivery?.fallback } : undefined
  }

  async function startOrFind(
    request: WorkflowRequest,
    checked: CheckedWorkflow,
    { values, facts }: Extract<FilePlan, { kind: 'planned' }>,
  ): Promise<KnownExecution | Extract<Made, { kind: 'ready' }>> {
    const { key, workflow } = request.found
    let { file } = request.found
    for (let tries = 0; tries < triesMax; tries += 1) {
      const known = await knownExecution(request, file)
      if (known) return known
      const claim: NewDerivedFile = {
        key: derivedKey(workflow, request.url.variant),
        ownerId: workflow.id,
        replaces: file?.executionId ?? null,
        ...facts,
      }
      const { accountId, ...run } = runOf(request)
      const by = { accountId, keyId: key.id }
      try {
        return await executions.startForFile(by, { ...run, parameters: values }, checked, claim)
      } catch (error) {
        if (!(error instanceof DerivedFileTaken)) throw error
      }
      const { executionId: former } = file ?? {}
      file = (await foundAgain(request))?.file
      // The other execution has ended already.
      if (file?.image && file.executionId !== former && file.execution?.status === 'completed')
        return { kind: 'ready', file }
    }
    throw new Fault('unavailable', 'The file was claimed by other requests at the same time. Retry.')
  }

  async function outcomeOf(request: WorkflowRequest, started: Execution, fallback: string | undefined): Promise<Made> {
    const { id: executionId, status } = await executions.wait(started, waitSeconds)
    if (!isTerminal(status)) return { kind: 'pending', executionId, fallback }
    const file = status === 'completed' ? (await foundAgain(request))?.file : undefined
    if (file?.image) derivedBytes.add(file.accountId, file.image.size)
    if (file?.image) return { kind: 'ready', file }
    return { kind: 'failed', executionId, fallback }
  }

  /** The same version, also if the channel was moved meanwhile. */
  function foundAgain({ url, found: { workflow } }: WorkflowRequest): Promise<FoundWorkflowUrl | undefined> {
    const { keyId, variant } = url
    return derivedFiles.findWorkflowUrl({ keyId, variant, workflow: workflow.id, version: workflow.version })
  }

  return {
    async make(request, signal) {
      const { key: signingKey, workflow } = request.found
      const key = `${request.url.keyId} ${derivedKey(workflow, request.url.variant)}`
      const leave = waiting.tryEnter({ account: signingKey.accountId })
      if (leave === undefined) return busy(request)
      const made = making.join(key, signal, (waits) => makeOne(request, key, waits)).finally(leave)
      return (await inTime(made, fallbackSeconds)) ?? (await pendingWithImage(request)) ?? made
    },
  }
}

const abandoned = failure('cancelled', 'All clients disconnected before the file was planned.')

function rejected(rejection: Rejection, fallback: string | undefined): Made {
  return rejection.kind === 'denied' ? { kind: 'denied' } : { ...rejection, fallback }
}

/** The version that the execution of a request runs. */
function runOf({ format, found: { key, workflow } }: WorkflowRequest) {
  const { id: workflowId, projectId, version: workflowVersion } = workflow
  return { accountId: key.accountId, workflowId, projectId, workflowVersion, outputFormat: format }
}
