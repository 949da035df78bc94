/** AI model calls in the records of steps. */
import type { Step } from '../domain/execution.ts'
import { callRecord, callsNotIn, type ProviderCall } from '../domain/provider-call.ts'

/** Adds calls that were paid without their step: the process died before it wrote them. */
export function withCalls(steps: readonly Step[], ended: readonly ProviderCall[]): Step[] {
  return steps.map((step) => {
    const callsOfStep = ended.filter(({ node, costMicros }) => node === step.node && costMicros !== 0)
    const missing = callsNotIn(callsOfStep.map(callRecord), step.calls ?? [])
    return missing.length === 0 ? step : { ...step, calls: [...(step.calls ?? []), ...missing] }
  })
}
