/** The fault of an execution at its own deadline. */
import type { ModelCallRecord } from '../../domain/model.ts'
import { Fault, failure } from '../../errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { InterruptedCall } from './model-calls.ts'

/** `waited`: a model call that was under way. The fault has the same details as the one for the deadline of a call. */
export function timeoutFault(timeoutSeconds: number, waited?: InterruptedCall, plan?: Pick<Plan, 'steps'>): Fault {
  const message = `The execution did not finish within ${timeoutSeconds} seconds`
  if (waited === undefined) return failure('timeout', `${message}.`)
  const { node, model, call } = waited
  const step = plan?.steps.find((planned) => planned.node.id === node)
  const details = {
    reason: 'timeout' as const,
    problem: 'timeout',
    ...(model !== undefined && { provider: model.slice(0, model.indexOf('/')), model }),
    ...(call?.requestId !== undefined && { providerRequestId: call.requestId }),
    billed: billedOf(model, call),
    node,
    ...(step && { operation: step.node.operation.id }),
  }
  return new Fault('workflow_failed', `${message}: node "${node}" was waiting for ${model ?? 'an AI model'}.`, details)
}

function billedOf(model: string | undefined, call: ModelCallRecord | undefined): 'no' | 'yes' | 'unknown' {
  if (model?.startsWith('local/') || call?.costUsd === 0) return 'no'
  return call?.costSource === 'reported' || call?.costSource === 'computed' ? 'yes' : 'unknown'
}
