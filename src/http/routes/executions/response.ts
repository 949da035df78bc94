/** The response to a started execution: its output, or the URL to poll. */
import type { Account } from '../../../domain/accounts/account.ts'
import { testField } from '../../../domain/accounts/twin.ts'
import { type Execution, isTerminal } from '../../../domain/executions/execution.ts'
import { Fault } from '../../../errors.ts'
import type { RouteResponse } from '../../define-route.ts'
import type { Services } from '../../services.ts'
import { executionCost, executionOutput, executionOutputs, executionWarnings } from './present.ts'
import { AcceptedExecution, CompletedExecution } from './schema.ts'

export const executionReplies = {
  reply: { status: 200, description: 'The execution completed.', schema: CompletedExecution },
  moreReplies: [
    {
      status: 202,
      description: 'The execution was accepted and continues. Poll the URL in `Location`.',
      schema: AcceptedExecution,
      headers: { Location: 'URL of the execution.' },
    },
  ],
}

/** Waits for the end of the execution, unless `async` is true or `signal` aborts. */
export async function executionResponse(
  started: Execution,
  async: boolean | undefined,
  signal: AbortSignal | undefined,
  { executions, images, syncWaitSeconds, baseUrl }: Services,
  account: Account,
): Promise<RouteResponse> {
  const execution = async ? started : await executions.wait(started, syncWaitSeconds, signal)
  const test = testField(execution.accountId)
  if (async || !isTerminal(execution.status)) {
    const status = async ? 'pending' : execution.status
    const location = `${baseUrl()}/workflows/executions/${execution.id}`
    return { status: 202, headers: { location }, body: { executionId: execution.id, status, ...test } }
  }
  if (execution.error) throw new Fault(execution.error.code, execution.error.message, execution.error.details)
  const urls = images.urlsOf(account)
  const output = executionOutput(execution, urls)
  const outputs = executionOutputs(execution, urls)
  const duration = (execution.completedAt ?? 0) - execution.createdAt
  const cost = executionCost(execution)
  const warnings = executionWarnings(execution)
  const { id: executionId, status } = execution
  return {
    body: { executionId, status, output, ...outputs, ...warnings, duration, ...(cost ? { cost } : {}), ...test },
  }
}
