import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/executions/execution.ts'
import { failure } from '../../errors.ts'

const message =
  'The execution was stopped, because the account was suspended or its plan has no API access. Resume it when the account has access again.'

/** Fails the executions of accounts without API access, or of this account if it has none. Returns how many. */
export function stopExecutions(
  { executions, clock }: { executions: Pick<ExecutionStore, 'stop'>; clock: Clock },
  accountId?: string,
): Promise<number> {
  const { code, message: text, details } = failure('account_suspended', message)
  return executions.stop({ error: { code, message: text, details }, completedAt: clock.now() }, accountId)
}
