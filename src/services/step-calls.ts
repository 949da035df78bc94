/** What steps tell of calls of AI models. */
import type { Step } from '../domain/execution.ts'
import { callRecord, callsBesides, type ProviderCall } from '../domain/provider-call.ts'

/** Also of what was paid for without its step: a process that is killed tells nothing of what it had under way. */
export function withCalls(steps: readonly Step[], ended: readonly ProviderCall[]): Step[] {
  return steps.map((step) => {
    const own = ended.filter(({ node, costMicros }) => node === step.node && costMicros !== 0)
    const missing = callsBesides(own.map(callRecord), step.calls ?? [])
    return missing.length === 0 ? step : { ...step, calls: [...(step.calls ?? []), ...missing] }
  })
}
