/** Giving calls up: at their provider, and in their records. */

import { orAbort } from '../../domain/abortable.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import type { Outcome } from './job.ts'
import { type Asked, callFor, contextOf, isPriced, type Runner, tell } from './runner.ts'
import { endFailed } from './settle.ts'

/** Its answer is not wanted, or came too late. What it may have cost counts. */
export async function giveUp(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  kind: 'cancelled' | 'timeout',
): Promise<Outcome> {
  await cancelAtProvider(runner, call, asked)
  const message = kind === 'timeout' ? 'it was given up at the deadline' : ended
  // What costs nothing may be asked for again, however far it came.
  const isFree = kind === 'cancelled' && isPriced(asked.model, call) && call.reservedMicros === 0
  const again = isFree ? ({ facts: { billed: 'no' }, next: 'repeat' } as const) : { facts: unknown }
  return endFailed(runner, call, asked, { kind, message, ...again })
}

const ended =
  'by this service, because an earlier attempt of the execution ended early: another step had failed, or there was no time left. Whether it was carried out cannot be known, and it is not sent again'
const unknown = { billed: 'unknown' } as const

/** Nothing was sent: it costs nothing, and may be asked again. */
export function endUnsent(runner: Runner, call: ProviderCall, asked: Pick<Asked, 'model'>): Promise<Outcome> {
  const message = 'nothing was sent'
  return endFailed(runner, call, asked, { kind: 'cancelled', message, facts: { billed: 'no' }, next: 'repeat' })
}

/** Bounded in time, and nothing depends on it: its failure goes to the log. */
export async function cancelAtProvider(runner: Runner, call: ProviderCall, asked: Asked): Promise<void> {
  const { provider } = asked
  if (!provider.cancel) return
  const signal = AbortSignal.timeout(limits.providerCancelSeconds * 1000)
  const cancel = async () => {
    const context = contextOf(runner, provider, signal)
    const found = call.handle === null ? await provider.find?.(callFor(call, asked), context) : undefined
    const handle = found && 'handle' in found ? found.handle : call.handle
    if (handle) await provider.cancel?.(handle, context)
  }
  try {
    await orAbort(cancel(), signal)
  } catch (error) {
    tell(runner, provider, `the call ${call.id} could not be cancelled`, error)
  }
}
