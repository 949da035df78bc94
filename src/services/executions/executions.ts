import type { UsedBrandValues } from '../../domain/accounts/brand.ts'
import type { Clock } from '../../domain/clock.ts'
import type { NewDerivedFile } from '../../domain/delivery/derived-file.ts'
import type { DiskSpace } from '../../domain/disk-space.ts'
import {
  type Execution,
  type ExecutionError,
  type ExecutionFilter,
  type ExecutionStore,
  isTerminal,
  type LastOutput,
  type Step,
  TooManyWaiting,
  type Variations,
  WorkflowGone,
} from '../../domain/executions/execution.ts'
import type { ExecutionNotices } from '../../domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../../domain/executions/execution-queue.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import { callRecord, callsNotIn, type ProviderCall, type ProviderCallStore } from '../../domain/models/provider-call.ts'
import { currentTrace } from '../../domain/observed.ts'
import type { PageOfLong, PageRequest } from '../../domain/page.ts'
import type { WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { Fault, failure, type Issue, invalidRequest, notFound } from '../../errors.ts'
import type { EventStreams, StatusWait } from '../event-streams.ts'
import type { Previews } from '../results/previews.ts'
import type { RunnableDrafts } from '../workflows/runnable-drafts.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'
import type { VersionChoice, VersionChooser } from '../workflows/version-chooser.ts'
import { createExecutionWaits, type ExecutionWaits } from './execution-waits.ts'
import type { RequestParameters } from './request-parameters.ts'

export interface Executions extends Pick<ExecutionWaits, 'wait' | 'drain'> {
  /**
   * Executes the workflow with this id or slug. Durably recorded when it returns. With `once`: returns the execution that the same request started before. Throws
   * `not_found`, `invalid_request` with every problem of the parameters, `forbidden` if the account stores its maximum, `rate_limited` if too many
   * executions of the account wait, and `unavailable` if too many of all accounts wait.
   */
  start(
    by: Actor,
    workflow: string,
    parameters: Record<string, unknown>,
    once?: IdempotentCreate,
    options?: ExecutionOptions & VersionChoice,
  ): Promise<Execution>
  /**
   * Executes the current draft of the workflow, and stores its document with the execution. With `node`: only the part that this
   * node needs, and `format` is that of its image. Throws as `start` does, and `invalid_request` with every problem of the document.
   */
  startDraft(
    by: Actor,
    workflowId: string,
    request: {
      parameters: Record<string, unknown>
      node?: string | undefined
      format?: string | undefined
      signal?: AbortSignal
    },
    once?: IdempotentCreate,
    options?: ExecutionOptions,
  ): Promise<Execution>
  /**
   * Executes a version for a delivery URL: its output becomes the file. Throws as `start` does, and `DerivedFileTaken` if another execution makes
   * the file.
   */
  startForFile(
    by: Actor,
    request: Pick<Execution, 'workflowId' | 'workflowVersion' | 'outputFormat'> & {
      projectId: string
      parameters: Record<string, unknown>
    },
    checked: CheckedWorkflow,
    file: NewDerivedFile,
  ): Promise<Execution>
  /**
   * Starts a new execution of a failed one, with its parameters and the given ones in place of them. Completed steps do not run
   * again. Throws as `start` does, and `invalid_request` if it has not failed.
   */
  resume(
    by: Actor,
    id: string,
    parameters: Record<string, unknown>,
    once?: IdempotentCreate,
    options?: Pick<ExecutionOptions, 'async' | 'webhookUrl' | 'expiresIn'>,
  ): Promise<Execution>
  find(accountId: string, id: string): Promise<Execution>
  /**
   * Waits until the execution has ended, the time is over, the client has gone or the service shuts down. Throws `not_found`, and
   * `rate_limited` if too many requests of the account wait, or those with another `countedId`.
   */
  ended(accountId: string, id: string, wait: StatusWait, countedId?: string): Promise<void>
  /** See `ExecutionStore`. */
  list(accountId: string, page: PageRequest, filter: ExecutionFilter): Promise<PageOfLong<Execution>>
  /** Outputs by workflow id. Workflows without an output are left out. */
  lastOutputs(accountId: string, workflowIds: string[]): Promise<Map<string, LastOutput>>
  steps(accountId: string, id: string): Promise<Step[]>
  /** The document that it runs: the version of the workflow, or the executed part of a draft. */
  document(accountId: string, id: string): Promise<WorkflowDocument>
  /** Completes stored steps with previews and calls, as `steps` returns them. */
  tellable(execution: Execution, steps: Step[]): Promise<Step[]>
  /** Ends it with reason `cancelled`. An execution that has ended is left as it is. */
  cancel(accountId: string, id: string): Promise<Execution>
  /** Accepts no more executions, and waits no longer in `ended`. Recorded executions stay. */
  close(): void
}

export interface ExecutionOptions {
  /** Whether previews of its steps are stored. */
  previews?: boolean | undefined
  /** Seconds after which the outputs are removed. Undefined: the default of the project or plan. */
  expiresIn?: number | undefined
  /** Set to reuse random results of earlier executions of the draft. */
  variations?: Variations | undefined
  /** The caller doesn't wait for the output, so it starts after the synchronous executions of its account. */
  async?: boolean | undefined
  /** Gets the event of the end of the execution. */
  webhookUrl?: string | undefined
  /** Throws `KeyBusy` if another execution of the key waits or runs. */
  isOnlyOfKey?: boolean | undefined
}

/** The caller of an execution. */
export interface Actor {
  accountId: string
  /** Undefined for a command of the operator. */
  keyId?: string | undefined
}

interface Dependencies {
  executions: ExecutionStore
  calls: Pick<ProviderCallStore, 'endedOf'>
  previews: Pick<Previews, 'withPreviews'>
  workflows: Pick<WorkflowStore, 'findVersion'>
  versionChooser: Pick<VersionChooser, 'findWorkflow' | 'require'>
  versionCache: VersionCache
  runnableDrafts: RunnableDrafts
  requestParameters: RequestParameters
  queue: Pick<ExecutionQueue, 'add'>
  /** Throws `invalid_request` with this path if webhooks can't be sent to the URL. */
  requireWebhookUrl(url: string, path: string): void
  notices: ExecutionNotices
  streams: EventStreams
  clock: Clock
  waitingMax: number
  disk: DiskSpace
}

type RunRequest = Pick<
  Execution,
  'workflowId' | 'workflowVersion' | 'resumedFrom' | 'isDraft' | 'node' | 'previews' | 'variations' | 'outputFormat'
> & {
  parameters: Record<string, unknown>
  /** The project whose brand it uses, or the values of the execution that it resumes. */
  brand: { projectId: string } | { used: UsedBrandValues | undefined }
  options: ExecutionOptions | undefined
  derivedFile?: NewDerivedFile
}

export function createExecutions({
  executions,
  calls,
  previews,
  workflows,
  versionChooser,
  versionCache,
  runnableDrafts,
  requestParameters,
  queue,
  requireWebhookUrl,
  notices,
  streams,
  clock,
  waitingMax,
  disk,
}: Dependencies): Executions {
  const closing = new AbortController()

  async function find(accountId: string, id: string): Promise<Execution> {
    const execution = await executions.find(accountId, id)
    if (execution === undefined) throw notFound('execution', id)
    return execution
  }

  async function tellable({ id, status, cost, previews: hasPreviews }: Execution, steps: Step[]): Promise<Step[]> {
    // While it runs, its process writes each call to its step.
    if (!isTerminal(status)) return steps
    const withPreviews = hasPreviews ? await previews.withPreviews(steps) : steps
    return cost === undefined ? withPreviews : withCalls(withPreviews, await calls.endedOf(id))
  }

  const waits = createExecutionWaits({ find, notices })

  async function record(
    { accountId, keyId }: Actor,
    request: RunRequest,
    checked: CheckedWorkflow,
    once: IdempotentCreate | undefined,
    mapIssue: (issue: Issue) => Issue = (same) => same,
  ): Promise<Execution> {
    const { workflowId, workflowVersion, parameters, brand: source, options = {}, derivedFile, ...rest } = request
    const { async: isAsync, webhookUrl, previews, expiresIn, isOnlyOfKey } = options
    await disk.require()
    if (webhookUrl !== undefined) requireWebhookUrl(webhookUrl, 'webhookUrl')
    const { used, ...project } = { used: undefined, ...source }
    const accepted = await requestParameters.accept({ accountId, ...project }, checked, parameters, used)
    if (accepted.issues) throw invalidRequest(accepted.issues.map(mapIssue))
    const { values, brand, files } = accepted
    if (closing.signal.aborted) throw new Fault('unavailable', 'The service is shutting down. Retry later.')
    const now = clock.now()
    const execution: Execution = {
      id: newId('exec', now),
      accountId,
      workflowId,
      workflowVersion,
      parameters: values,
      status: 'pending',
      attempt: 0,
      output: null,
      error: null,
      createdAt: now,
      startedAt: null,
      completedAt: null,
      ...(brand === undefined ? {} : { brand }),
      ...(keyId === undefined ? {} : { keyId }),
      ...(derivedFile === undefined ? {} : { derivedKey: derivedFile.key }),
      ...(previews ? { previews } : {}),
      ...(expiresIn === undefined ? {} : { expiresIn }),
      ...currentTrace(),
      ...rest,
    }
    const isRecorded = waits.recording(execution.id)
    const recorded = await queue
      .add(execution, {
        record: once?.record,
        document: request.isDraft ? checked.document : undefined,
        derivedFile,
        isAsync,
        webhookUrl,
        isOnlyOfKey,
        waitingMax,
        imagesAdded: files,
      })
      .catch((error) => refuse(error, workflowId))
      .finally(isRecorded)
    versionCache.keep(recorded, checked)
    return recorded
  }

  return {
    async start(by, idOrSlug, parameters, once, options) {
      const { accountId } = by
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const workflow = await versionChooser.findWorkflow(accountId, idOrSlug)
      const { id: workflowId, projectId } = workflow
      const workflowVersion = await versionChooser.require(workflow, options)
      const checked = await forRequest(versionCache.get({ accountId, workflowId, workflowVersion }))
      return record(by, { workflowId, workflowVersion, parameters, brand: { projectId }, options }, checked, once)
    },

    startForFile: (by, { projectId, ...request }, checked, derivedFile) =>
      record(by, { ...request, brand: { projectId }, options: undefined, derivedFile }, checked, undefined),

    async startDraft(by, workflowId, { parameters, node, format, signal }, once, options) {
      const { accountId } = by
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const { baseVersion, projectId, workflow, mapIssue } = await runnableDrafts.take(accountId, workflowId, {
        node,
        format,
        variations: options?.variations,
        signal,
      })
      const draftFields = { isDraft: true as const, ...(node === undefined ? {} : { node }) }
      const request = {
        workflowId,
        workflowVersion: baseVersion,
        parameters,
        brand: { projectId },
        options,
        ...draftFields,
        ...variationsOption(options?.variations, workflow),
      }
      return record(by, request, workflow, once, mapIssue)
    },

    async resume(by, id, parameters, once, options) {
      const { accountId } = by
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const failed = await find(accountId, id)
      const { status, workflowId, workflowVersion, isDraft, node, variations, outputFormat, previews } = failed
      if (status !== 'failed') {
        const message = `is the id of an execution that is ${status}. Only failed executions can be resumed.`
        throw invalidRequest([{ path: 'executionId', message }])
      }
      const all = { ...failed.parameters, ...parameters }
      const draftFields = {
        ...(isDraft ? { isDraft } : {}),
        ...(node === undefined ? {} : { node }),
        ...(variations === undefined ? {} : { variations }),
        ...(outputFormat === undefined ? {} : { outputFormat }),
      }
      const request = {
        workflowId,
        workflowVersion,
        parameters: all,
        brand: { used: failed.brand },
        options: { ...options, expiresIn: options?.expiresIn ?? failed.expiresIn, previews },
        resumedFrom: id,
        ...draftFields,
      }
      return record(by, request, await forRequest(versionCache.of(failed)), once)
    },

    wait: waits.wait,
    find,

    async ended(accountId, id, { seconds, signal }, countedId = accountId) {
      const execution = await find(accountId, id)
      if (isTerminal(execution.status)) return
      const leave = streams.enter(countedId, signal)
      await waits.wait(execution, seconds, AbortSignal.any([signal, closing.signal])).finally(leave)
    },

    list: (accountId, page, filter) => executions.list(accountId, page, filter),

    async lastOutputs(accountId, workflowIds) {
      const found = await executions.lastOutputs(accountId, workflowIds)
      return new Map(found.map((last) => [last.workflowId, last]))
    },

    async steps(accountId, id) {
      const execution = await find(accountId, id)
      return tellable(execution, await executions.listSteps(id))
    },

    async document(accountId, id) {
      const { isDraft, workflowId, workflowVersion } = await find(accountId, id)
      const document = isDraft
        ? await executions.findDocument(id)
        : (await workflows.findVersion(workflowId, workflowVersion))?.document
      if (document === undefined) throw notFound('document of the execution', id)
      return document
    },

    tellable,

    async cancel(accountId, id) {
      const execution = await find(accountId, id)
      if (isTerminal(execution.status)) return execution
      const error = executionError(id, failure('cancelled', 'The execution was cancelled.'))
      if (await executions.cancel(id, { error, completedAt: clock.now() })) {
        notices.send({ kind: 'cancelled', executionId: id })
        notices.send({ kind: 'ended', executionId: id })
      }
      return find(accountId, id)
    },

    close: () => closing.abort(),

    drain: waits.drain,
  }
}

/** Time after which to retry; by then some executions may have started. */
const retrySeconds = 5

function refuse(error: unknown, workflowId: string): never {
  if (error instanceof WorkflowGone) throw notFound('workflow', workflowId)
  if (!(error instanceof TooManyWaiting)) throw error
  const { limit } = error
  if (error.of === 'service') {
    throw new Fault('unavailable', `The service has ${limit} executions waiting, the maximum. Retry later.`)
  }
  const message = `The account has ${limit} executions waiting, the maximum of its plan. Retry in ${retrySeconds} s.`
  throw new Fault('rate_limited', message, { limit, retryAfterSeconds: retrySeconds })
}

/** The option for the executed nodes only. */
function variationsOption(
  variations: Variations | undefined,
  { nodes }: Pick<CheckedWorkflow, 'nodes'>,
): Pick<Execution, 'variations'> {
  if (variations === undefined) return {}
  return { variations: Object.fromEntries(Object.entries(variations).filter(([node]) => nodes.has(node))) }
}

/** A fault in the form of the execution's record, the same as in an error response. */
export function executionError(executionId: string, fault: Fault): ExecutionError {
  return { code: fault.code, message: fault.message, details: { ...fault.details, executionId } }
}

/** Adds calls that were paid without their step: the process died before it wrote them. */
function withCalls(steps: readonly Step[], ended: readonly ProviderCall[]): Step[] {
  return steps.map((step) => {
    const callsOfStep = ended.filter(({ node, costMicros }) => node === step.node && costMicros !== 0)
    const missing = callsNotIn(callsOfStep.map(callRecord), step.calls ?? [])
    return missing.length === 0 ? step : { ...step, calls: [...(step.calls ?? []), ...missing] }
  })
}
