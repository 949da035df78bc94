/** How an execution asks models: under its own name, and with what is to become of calls that it leaves under way. */
import type { Execution, ExecutionStore, Meanwhile, Step } from '../domain/execution.ts'
import type { AskEnding, Asker, Asking, ModelCallRecord } from '../domain/model.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { RunOptions } from '../engine/run/run.ts'
import { resumedBy } from '../services/results/resume-chain.ts'
import { available, isUnavailable, RightLost, ShuttingDown } from './interruptions.ts'

interface Dependencies {
  executions: Pick<ExecutionStore, 'find' | 'listSteps'>
  asker?: Asker | undefined
}

/** Nothing where nobody is asked. */
export async function askingOf(
  execution: Execution,
  plan: Pick<Plan, 'steps'>,
  meanwhile: Meanwhile,
  { executions, asker }: Dependencies,
): Promise<Pick<RunOptions, 'ask' | 'callsBefore'>> {
  if (asker === undefined || !plan.steps.some(({ node }) => node.operation.asks)) return {}
  const [resumes, before] = await Promise.all([
    resumedBy(execution, executions),
    execution.attempt > 1 ? executions.listSteps(execution.id) : [],
  ])
  const { accountId, id: executionId, workflowId, keyId = null, attempt } = execution
  const asking: Asking = { accountId, executionId, workflowId, keyId, attempt, resumes }
  return {
    ask: (place, ask, run) =>
      apart(meanwhile, () =>
        available(asker.ask(asking, place, ask, { ...run, ending: () => endingFor(run.signal.reason) })),
      ),
    callsBefore: new Map(before.flatMap(callsOf)),
  }
}

/** By why the run was stopped: its signal, a deadline, a step that failed, or that all that was wanted is there. */
export function endingFor(reason: unknown): AskEnding {
  if (reason instanceof RightLost) return 'lost'
  return reason instanceof ShuttingDown || isUnavailable(reason) ? 'handed_on' : 'given_up'
}

function callsOf({ node, calls }: Step): [string, ModelCallRecord[]][] {
  return calls ? [[node, calls]] : []
}

/**
 * Another execution may begin meanwhile. With the answer it goes on at once, before it has its place again: whoever has
 * that may wait for the pixels that this one holds.
 */
function apart<Value>(meanwhile: Meanwhile, work: () => Promise<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  meanwhile(() => work().then(resolve, reject)).catch(reject)
  return promise
}
