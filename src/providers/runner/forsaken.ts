/** Calls that nobody goes on with: their execution has ended while the process that made them was gone. */
import { isTerminal } from '../../domain/execution.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import { cancelAtProvider } from './give-up.ts'
import { assumedCost } from './records.ts'
import { endCall, isPriced, type Runner, rowFor } from './runner.ts'

/** An execution that has just ended gives its calls up itself; one that resumes it follows its jobs for as long as a call may take. */
const freshMs = (limits.providerUpscaleSeconds + 60) * 1000
/** No provider keeps a job longer. */
const staleMs = 24 * 60 * 60_000

export async function giveUpForsaken(runner: Runner, rowsMax: number): Promise<number> {
  const now = runner.clock.now()
  let count = 0
  for (const call of await runner.calls.listForsaken(now - staleMs, rowsMax)) {
    if (runner.jobs.has(call.id) || call.updatedAt > now - freshMs || !(await isForsaken(runner, call))) continue
    const model = { provider: call.provider, row: rowFor(runner, call), lacks: undefined }
    const provider = runner.providers.get(call.provider)
    const request = { capability: call.capability, images: [] }
    if (provider) await cancelAtProvider(runner, call, { provider, model, request })
    const problem = { kind: 'cancelled', message: 'its execution ended without it' }
    await endCall(runner, call, { state: 'cancelled', problem, ...assumedCost(call, isPriced(model, call)) })
    count += 1
  }
  return count
}

/** Not one that an execution goes on with, however old; the records may have told so a while ago. */
async function isForsaken({ executions }: Runner, call: ProviderCall): Promise<boolean> {
  const execution = await executions.find(call.accountId, call.executionId)
  return execution === undefined || isTerminal(execution.status)
}
