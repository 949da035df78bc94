/** What steps tell of calls of AI models. */
import { isDeepStrictEqual } from 'node:util'
import type { Step } from '../domain/execution.ts'
import { callRecord, type ProviderCall } from '../domain/provider-call.ts'

/** Also of what was paid for without its step: a process that is killed tells nothing of what it had under way. */
export function withCalls(steps: readonly Step[], ended: readonly ProviderCall[]): Step[] {
  return steps.map((step) => {
    const untold = [...(step.calls ?? [])]
    const missing = ended
      .filter(({ node, costMicros }) => node === step.node && costMicros !== 0)
      .map(callRecord)
      .filter((record) => {
        const at = untold.findIndex((each) => isDeepStrictEqual(each, record))
        if (at >= 0) untold.splice(at, 1)
        return at < 0
      })
    return missing.length === 0 ? step : { ...step, calls: [...(step.calls ?? []), ...missing] }
  })
}
