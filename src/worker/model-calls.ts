/** Calls models for an execution, and decides what happens to open calls when it stops. */
import type { Execution, ExecutionStore, Step, YieldSlot } from '../domain/executions/execution.ts'
import type { AbortReason, CallOwner, ModelCallRecord, ModelClient } from '../domain/models/model.ts'
import { orUnavailable } from '../domain/persist.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { RunOptions } from '../engine/run/run.ts'
import { findResumeChain } from '../services/results/resume-chain.ts'
import { isUnavailable, LeaseLost, ShuttingDown } from './interruptions.ts'

interface Dependencies {
  executions: Pick<ExecutionStore, 'find' | 'listSteps'>
  modelClient?: ModelClient | undefined
}

/** Empty if the execution calls no model. */
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
  const { accountId, id: executionId, workflowId, keyId = null, batchId, attempt } = execution
  const ofBatch = batchId === undefined ? {} : { batchId }
  const owner: CallOwner = { accountId, executionId, workflowId, keyId, ...ofBatch, attempt, resumeChain }
  return {
    invokeModel: (site, invocation, run) =>
      withSlotYielded(meanwhile, () =>
        orUnavailable(
          modelClient.invoke(owner, site, invocation, { ...run, abortReason: () => abortReasonFor(run.signal.reason) }),
        ),
      ),
    callsBefore: new Map(before.flatMap(callsOf)),
  }
}

/**
 * The reason for calls, from the reason of the stop: the signal of the run, a deadline, a failed step, or a complete
 * output.
 */
export function abortReasonFor(reason: unknown): AbortReason {
  if (reason instanceof LeaseLost) return 'lease_lost'
  return reason instanceof ShuttingDown || isUnavailable(reason) ? 'handed_over' : 'cancelled'
}

function callsOf({ node, calls }: Step): [string, ModelCallRecord[]][] {
  return calls ? [[node, calls]] : []
}

/**
 * Releases the slot while waiting. It resumes before it has acquired a slot again: the owner of the slot could wait for pixels
 * of this execution (deadlock).
 */
function withSlotYielded<Value>(meanwhile: YieldSlot, work: () => Promise<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  meanwhile(() => work().then(resolve, reject)).catch(reject)
  return promise
}
