/** What became of a call that was perhaps sent, where the provider knows calls by our id. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import type { Started } from '../define.ts'
import type { Trouble } from '../trouble.ts'
import type { Control } from './job.ts'
import { type Asked, callFor, contextOf, type Runner, troubleOf } from './runner.ts'
import { backOffMs, sleep } from './waiting.ts'

/** For how long a request may still be on its way when the connection, or the process that sent it, is gone. */
const onItsWayMs = 2_000
/** A call that is older has long arrived. */
const arrivedMs = 30_000

/** Asked until it is told; rejects when it is stopped before. `never`: the provider has not had it. */
export async function findAtProvider(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  { waiting, sending, secondsLeft }: Control,
): Promise<Started | 'never' | Omit<Trouble, 'next'>> {
  const context = contextOf(runner, asked.provider, sending, secondsLeft)
  const startMs = monotonicMs()
  for (let tries = 0; ; tries++) {
    let waitMs = 500
    try {
      const found = await asked.provider.find?.(callFor(call, asked), context)
      if (found) return found
      if (elapsedSince(startMs) > onItsWayMs || runner.clock.now() - call.updatedAt > arrivedMs) return 'never'
    } catch (error) {
      waiting.throwIfAborted()
      const { kind, message, facts, next } = troubleOf(runner, asked.provider, error, 'poll')
      if (next !== 'repeat') return { kind: 'outcome_unknown', message: message || kind, facts: { billed: 'unknown' } }
      waitMs = facts.retryAfterMs ?? 300 + backOffMs(tries)
    }
    await sleep(waitMs, waiting)
  }
}
