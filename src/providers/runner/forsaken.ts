/** Calls that nobody goes on with: their execution has ended while the process that made them was gone. */
import { limits } from '../../limits.ts'
import { cancelAtProvider } from './give-up.ts'
import { assumedCost } from './records.ts'
import { endCall, isPriced, type Runner, rowFor } from './runner.ts'

/** An execution that has just ended gives its calls up itself; one that resumes it follows its jobs for as long as a call may take. */
const freshMs = (limits.providerUpscaleSeconds + 60) * 1000

export async function giveUpForsaken(runner: Runner, rowsMax: number): Promise<number> {
  let count = 0
  for (const call of await runner.calls.listForsaken(runner.clock.now() - freshMs, rowsMax)) {
    if (runner.jobs.has(call.id)) continue
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
