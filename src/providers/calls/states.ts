/** The states of a model call and the only changes between them. The README has the same table. */
import type { CallState } from '../../domain/models/provider-call.ts'

export interface Transition {
  /** `new`: not recorded yet. */
  from: CallState | 'new'
  to: CallState
  when: string
}

export const transitions: readonly Transition[] = [
  { from: 'new', to: 'submitting', when: 'Before the request is sent; the same transaction reserves its cost' },
  { from: 'submitting', to: 'accepted', when: 'The provider returned a job' },
  { from: 'submitting', to: 'done', when: 'The provider returned the result, and it is stored' },
  {
    from: 'submitting',
    to: 'failed',
    when: 'The provider rejected the request, its result is unusable, or time ran out',
  },
  { from: 'submitting', to: 'unknown', when: 'The connection, the process or the execution ended before the response' },
  { from: 'submitting', to: 'cancelled', when: 'Nothing was sent, or the step was cancelled' },
  { from: 'accepted', to: 'done', when: 'The result of the job is stored' },
  { from: 'accepted', to: 'failed', when: 'The job failed or is gone, its result is unusable, or time ran out' },
  { from: 'accepted', to: 'unknown', when: "The provider can't say what became of the job" },
  { from: 'accepted', to: 'cancelled', when: 'The step was cancelled, or the execution ended without the call' },
]

/** Throws if the table doesn't have this change. */
export function checkTransition(from: Transition['from'], to: CallState): void {
  if (transitions.some((transition) => transition.from === from && transition.to === to)) return
  throw new Error(`a model call can't change from ${from} to ${to}`)
}
