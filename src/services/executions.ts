import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import {
  type Execution,
  type ExecutionError,
  type ExecutionFilter,
  type ExecutionNotices,
  type ExecutionStore,
  isTerminal,
  type LastOutput,
  type Step,
  TooManyWaiting,
} from '../domain/execution.ts'
import type { Once } from '../domain/idempotency.ts'
import { newId } from '../domain/ids.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import type { ProviderCallStore } from '../domain/provider-call.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { CheckedWorkflow } from '../engine/check/checked-workflow.ts'
import { planExecution } from '../engine/plan/plan.ts'
import { type Fault, Fault as FaultError, failure, type Issue, invalidRequest, notFound } from '../errors.ts'
import type { CheckedWorkflows } from './checked-workflows.ts'
import type { Previews } from './results/previews.ts'
import type { RunnableDrafts } from './runnable-drafts.ts'
import { withCalls } from './step-calls.ts'

export interface Executions {
  /**
   * Durably recorded when it returns. With `once`, the one that the same request has begun before. Throws
   * `not_found`, `invalid_request` with every problem of the parameters, `rate_limited` when too many of the account wait already,
   * `unavailable` when too many of all accounts do.
   */
  start(
    by: Actor,
    workflowId: string,
    parameters: Record<string, unknown>,
    once?: Once,
    options?: ExecutionOptions,
  ): Promise<Execution>
  /**
   * What the workflow's draft is at this moment, which is kept with the execution; with `node` only what that one needs. Throws as
   * `start` does, and `invalid_request` with every problem of what is to run.
   */
  startDraft(
    by: Actor,
    workflowId: string,
    request: { parameters: Record<string, unknown>; node?: string | undefined },
    once?: Once,
    options?: ExecutionOptions,
  ): Promise<Execution>
  /**
   * A new execution of what a failed one ran, with its parameters and those given in place of them: what that one has
   * finished does not run again. Throws as `start` does, and `invalid_request` where it has not failed.
   */
  resume(
    by: Actor,
    id: string,
    parameters: Record<string, unknown>,
    once?: Once,
    options?: Pick<ExecutionOptions, 'async'>,
  ): Promise<Execution>
  /** As it stands once it has ended, or after `seconds`; as it was given when the signal says that nobody waits any more. */
  wait(execution: Execution, seconds: number, signal?: AbortSignal): Promise<Execution>
  find(accountId: string, id: string): Promise<Execution>
  list(accountId: string, page: PageRequest, filter: ExecutionFilter): Promise<Page<Execution>>
  /** By workflow, those that have one. */
  lastOutputs(accountId: string, workflowIds: string[]): Promise<Map<string, LastOutput>>
  steps(accountId: string, id: string): Promise<Step[]>
  /** Stored steps of an execution, as `steps` gives them. */
  tellable(execution: Execution, steps: Step[]): Promise<Step[]>
  /** Ends it with reason `cancelled`; one that has ended stays as it is. */
  cancel(accountId: string, id: string): Promise<Execution>
  /** Takes no more work; what is recorded stays. */
  close(): void
  /** Lets those who wait go on for so long at most; then each has its answer, as things stand. */
  drain(graceSeconds: number): Promise<void>
}

export interface ExecutionOptions {
  /** Whether small pictures of what its steps give are kept. */
  previews?: boolean | undefined
  /** The caller doesn't wait for the output, so it starts after the synchronous executions of its account. */
  async?: boolean | undefined
}

/** Who begins an execution. */
export interface Actor {
  accountId: string
  /** Undefined for a command of the operator. */
  keyId?: string
}

interface Dependencies {
  executions: ExecutionStore
  calls: Pick<ProviderCallStore, 'endedOf'>
  previews: Pick<Previews, 'withPreviews'>
  workflows: WorkflowStore
  checkedWorkflows: CheckedWorkflows
  runnableDrafts: RunnableDrafts
  notices: ExecutionNotices
  clock: Clock
  waitingMax: number
}

type RunRequest = Pick<
  Execution,
  'workflowId' | 'workflowVersion' | 'resumedFrom' | 'isDraft' | 'node' | 'previews'
> & {
  parameters: Record<string, unknown>
  isAsync: boolean | undefined
}

/** A look in case a notice was lost. */
const safetyLookMs = 5_000

export function createExecutions({
  executions,
  calls,
  previews,
  workflows,
  checkedWorkflows,
  runnableDrafts,
  notices,
  clock,
  waitingMax,
}: Dependencies): Executions {
  let open = true

  async function find(accountId: string, id: string): Promise<Execution> {
    const execution = await executions.find(accountId, id)
    if (execution === undefined) throw notFound('execution')
    return execution
  }

  async function tellable({ id, status, cost, previews: hasPreviews }: Execution, steps: Step[]): Promise<Step[]> {
    // While it runs, its process tells of each call as it ends.
    if (!isTerminal(status)) return steps
    const shown = hasPreviews ? await previews.withPreviews(steps) : steps
    return cost === undefined ? shown : withCalls(shown, await calls.endedOf(id))
  }

  const waiting = new Set<{ answered: Promise<Execution>; answer(): void }>()

  function wait(execution: Execution, seconds: number, signal?: AbortSignal): Promise<Execution> {
    const { accountId, id } = execution
    const { promise: answered, resolve, reject } = Promise.withResolvers<Execution>()
    const answer = () => void find(accountId, id).then(resolve, reject)
    const look = async () => {
      const now = await find(accountId, id)
      if (isTerminal(now.status)) resolve(now)
    }
    const lookAgain = () => void look().catch(() => undefined)
    const leave = () => resolve(execution)

    const stopListening = notices.listen((notice) => {
      if (notice.kind === 'ended' && notice.executionId === id) answer()
      if (notice.kind === 'missed') lookAgain()
    })
    const timer = setTimeout(answer, seconds * 1000)
    const safety = setInterval(lookAgain, safetyLookMs)
    signal?.addEventListener('abort', leave)
    const each = { answered, answer }
    waiting.add(each)
    if (signal?.aborted) leave()
    // It may have ended before anyone listened.
    else look().catch(reject)

    return answered.finally(() => {
      waiting.delete(each)
      stopListening()
      clearTimeout(timer)
      clearInterval(safety)
      signal?.removeEventListener('abort', leave)
    })
  }

  async function record(
    { accountId, keyId }: Actor,
    request: RunRequest,
    checked: CheckedWorkflow,
    once: Once | undefined,
    mapIssue: (issue: Issue) => Issue = (same) => same,
  ): Promise<Execution> {
    const { workflowId, workflowVersion, parameters, isAsync, ...rest } = request
    const { plan, issues } = planExecution(checked, parameters)
    if (issues) throw invalidRequest(issues.map(mapIssue))
    if (!open) throw new FaultError('unavailable', 'The service is shutting down.')
    const now = clock.now()
    const execution: Execution = {
      id: newId('exec', now),
      accountId,
      workflowId,
      workflowVersion,
      parameters: plan.parameters,
      status: 'pending',
      attempt: 0,
      output: null,
      error: null,
      createdAt: now,
      startedAt: null,
      completedAt: null,
      ...(keyId === undefined ? {} : { keyId }),
      ...rest,
    }
    await executions
      .create(execution, {
        record: once?.record,
        document: request.isDraft ? checked.document : undefined,
        isAsync,
        waitingMax,
      })
      .catch(refuseTooMany)
    checkedWorkflows.keep(execution, checked)
    notices.send({ kind: 'enqueued', accountId })
    return execution
  }

  return {
    async start(by, workflowId, parameters, once, options) {
      const { accountId } = by
      if (once?.madeId !== undefined) return find(accountId, once.madeId)
      const workflow = await workflows.find(accountId, workflowId)
      if (workflow === undefined) throw notFound('workflow')
      const { version: workflowVersion } = workflow
      const checked = await checkedWorkflows.get(workflowId, workflowVersion)
      return record(
        by,
        { workflowId, workflowVersion, parameters, ...previewOption(options), isAsync: options?.async },
        checked,
        once,
      )
    },

    async startDraft(by, workflowId, { parameters, node }, once, options) {
      const { accountId } = by
      if (once?.madeId !== undefined) return find(accountId, once.madeId)
      const { baseVersion, workflow, mapIssue } = await runnableDrafts.take(accountId, workflowId, node)
      const own = { isDraft: true as const, ...(node === undefined ? {} : { node }) }
      const request = {
        workflowId,
        workflowVersion: baseVersion,
        parameters,
        ...own,
        ...previewOption(options),
        isAsync: options?.async,
      }
      return record(by, request, workflow, once, mapIssue)
    },

    async resume(by, id, parameters, once, options) {
      const { accountId } = by
      if (once?.madeId !== undefined) return find(accountId, once.madeId)
      const failed = await find(accountId, id)
      const { status, workflowId, workflowVersion, isDraft, node } = failed
      if (status !== 'failed') {
        const message = `is ${status}: only an execution that has failed can be resumed`
        throw invalidRequest([{ path: 'executionId', message }])
      }
      const all = { ...failed.parameters, ...parameters }
      const own = { ...(isDraft ? { isDraft } : {}), ...(node === undefined ? {} : { node }) }
      const request = {
        workflowId,
        workflowVersion,
        parameters: all,
        resumedFrom: id,
        ...own,
        ...previewOption(failed),
        isAsync: options?.async,
      }
      return record(by, request, await checkedWorkflows.of(failed), once)
    },

    wait,
    find,
    list: (accountId, page, filter) => executions.list(accountId, page, filter),

    async lastOutputs(accountId, workflowIds) {
      const found = await executions.lastOutputs(accountId, workflowIds)
      return new Map(found.map((each) => [each.workflowId, each]))
    },

    async steps(accountId, id) {
      const execution = await find(accountId, id)
      return tellable(execution, await executions.listSteps(id))
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

    close() {
      open = false
    },

    async drain(graceSeconds) {
      const grace = new AbortController()
      const all = Promise.allSettled([...waiting].map(({ answered }) => answered))
      await Promise.race([all, pause(graceSeconds * 1000, undefined, { signal: grace.signal, ref: false })])
      grace.abort()
      for (const { answer } of waiting) answer()
    },
  }
}

/** So soon some of its account, or of all, may have started. */
const retrySeconds = 5

function refuseTooMany(error: unknown): never {
  if (!(error instanceof TooManyWaiting)) throw error
  const { limit } = error
  if (error.of === 'service') {
    throw new FaultError(
      'unavailable',
      `The service has ${limit} executions waiting, as many as it accepts. Try again later.`,
    )
  }
  const message = `The account has ${limit} executions waiting, as many as its plan allows. Try again in ${retrySeconds} s, when some have started.`
  throw new FaultError('rate_limited', message, { limit, retryAfterSeconds: retrySeconds })
}

function previewOption({ previews }: ExecutionOptions = {}): Pick<Execution, 'previews'> {
  return previews ? { previews } : {}
}

/** A fault as an execution's record keeps it: the same shape as an error response. */
export function executionError(executionId: string, fault: Fault): ExecutionError {
  return { code: fault.code, message: fault.message, details: { ...fault.details, executionId } }
}
