/** Removes API keys and signing keys some time after they ended, and those above the number of ended keys that an account keeps. */
import type { EndedKeyStore } from '../../domain/accounts/key.ts'
import type { Clock } from '../../domain/clock.ts'
import { createSkippedErrors } from '../../domain/skipped-errors.ts'
import { limits } from '../../limits.ts'

/** Keys that one statement removes. An API key can have a hundred sessions, which are removed with it. */
const keysAtOnce = 100

/** Returns how many keys of all stores were removed, at most `rowsMax`. The next run continues. The error of one account is thrown after the others had their turn. */
export function createKeySweep({ stores, clock }: { stores: readonly EndedKeyStore[]; clock: Clock }) {
  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    const now = clock.now()
    let removed = 0
    const mayContinue = () => removed < rowsMax && !signal?.aborted

    async function inParts(sweepSome: (rowsMax: number) => Promise<number>): Promise<void> {
      while (mayContinue()) {
        const count = await sweepSome(Math.min(keysAtOnce, rowsMax - removed))
        removed += count
        if (count === 0) return
      }
    }

    async function sweepOf(store: EndedKeyStore, accountId: string): Promise<void> {
      const newest = await store.findExcess(accountId, now, limits.keysEndedMax)
      if (newest !== undefined) await inParts((max) => store.sweepUpTo(accountId, newest, max))
    }

    const errors = createSkippedErrors()
    for (const store of stores) {
      await errors.skip(() => inParts((max) => store.sweepOld(now - limits.keyEndedSeconds * 1_000, max)))
      for (let id = await store.nextAccount(''); id !== undefined && mayContinue(); id = await store.nextAccount(id)) {
        const accountId = id
        await errors.skip(() => sweepOf(store, accountId))
      }
    }
    errors.throwAny()
    return removed
  }
}
