/** How an execution asks models: under its own name, and with what is to become of calls that it leaves under way. */
import type { Execution, ExecutionStore, Step, YieldSlot } from '../domain/execution.ts'
import type { AbortReason, CallOwner, ModelCallRecord, ModelClient } from '../domain/model.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { RunOptions } from '../engine/run/run.ts'
import { findResumeChain } from '../services/results/resume-chain.ts'
import { available, isUnavailable, LeaseLost, ShuttingDown } from './interruptions.ts'

interface Dependencies {
  executions: Pick<ExecutionStore, 'find' | 'listSteps'>
  modelClient?: ModelClient | undefined
}

/** Nothing where nobody is asked. */
export async function modelCallOptions(
  execution: Execution,
  plan: Pick<Plan, 'steps'>,
  meanwhile: YieldSlot,
  { executions, modelClient }: Dependencies,
): Promise<Pick<RunOptions, 'invokeModel' | 'callsBefore'>> {
  if (modelClient === undefined || !plan.steps.some(({ node }) => node.operation.usesModel)) return {}
  const [resumeChain, before] = await Promise.all([
    findResumeChain(execution, executions),
    execution.attempt > 1 ? executions.listSteps(execution.id) : [],
  ])
  const { accountId, id: executionId, workflowId, keyId = null, attempt } = execution
  const owner: CallOwner = { accountId, executionId, workflowId, keyId, attempt, resumeChain }
  return {
    invokeModel: (site, invocation, run) =>
      withSlotYielded(meanwhile, () =>
        available(
          modelClient.invoke(owner, site, invocation, { ...run, abortReason: () => abortReasonFor(run.signal.reason) }),
        ),
      ),
    callsBefore: new Map(before.flatMap(callsOf)),
  }
}

/** By why the run was stopped: its signal, a deadline, a step that failed, or that all that was wanted is there. */
export function abortReasonFor(reason: unknown): AbortReason {
  if (reason instanceof LeaseLost) return 'lease_lost'
  return reason instanceof ShuttingDown || isUnavailable(reason) ? 'handed_over' : 'cancelled'
}

function callsOf({ node, calls }: Step): [string, ModelCallRecord[]][] {
  return calls ? [[node, calls]] : []
}

/**
 * Another execution may begin meanwhile. With the answer it goes on at once, before it has its place again: whoever has
 * that may wait for the pixels that this one holds.
 */
function withSlotYielded<Value>(meanwhile: YieldSlot, work: () => Promise<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  meanwhile(() => work().then(resolve, reject)).catch(reject)
  return promise
}
