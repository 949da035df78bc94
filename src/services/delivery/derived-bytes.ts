/**
 * Keeps the files of delivery URLs of each account near its limit while they are made: the background job, which runs every few minutes, would be
 * too late for an account that makes gigabytes in a minute.
 */
import type { Clock } from '../../domain/clock.ts'
import type { Retention } from '../../domain/retention.ts'

export interface DerivedBytes {
  /** Whether the account has too many bytes to make another file now. */
  isFull(accountId: string): boolean
  /** Notes that a file of the account was stored. */
  add(accountId: string, bytes: number): void
}

interface Dependencies {
  retention: Pick<Retention, 'makeRoom'>
  /** Maximum of each account. */
  bytesMax: number
  clock: Clock
  onError(error: unknown): void
}

/** An account is checked when it has made as many bytes, in this process, since its last check. */
const bytesBetweenChecks = 67_108_864
/** Files that were used in the last minutes can't be evicted. An account has room for some of them, whatever its limit is. */
const excessMin = 268_435_456
/** While an account is full. Its files can be evicted some minutes after their last use. */
const recheckMs = 10_000
/** Parts of 500 files. */
const partsMax = 400
/** Maximum number of accounts whose bytes are remembered. */
const accountsKept = 10_000

interface AccountState {
  /** Bytes since the last check. */
  bytes: number
  isFull: boolean
  isChecking: boolean
  checkedAt: number
}

export function createDerivedBytes({ retention, bytesMax, clock, onError }: Dependencies): DerivedBytes {
  /** The account with the latest change last. */
  const accounts = new Map<string, AccountState>()
  /** Checks run one after the other. */
  let checks = Promise.resolve()

  function stateOf(accountId: string): AccountState {
    const state = accounts.get(accountId) ?? { bytes: 0, isFull: false, isChecking: false, checkedAt: 0 }
    accounts.delete(accountId)
    accounts.set(accountId, state)
    const [eldest = ''] = accounts.keys()
    if (accounts.size > accountsKept) accounts.delete(eldest)
    return state
  }

  function check(accountId: string, state: AccountState): void {
    if (state.isChecking) return
    state.isChecking = true
    checks = checks.then(async () => {
      state.bytes = 0
      try {
        const { bytesLeft } = await retention.makeRoom('derived-files', accountId, { partsMax })
        state.isFull = bytesLeft - bytesMax > Math.max(bytesMax, excessMin)
      } catch (error) {
        onError(error)
      }
      state.checkedAt = clock.now()
      state.isChecking = false
      if (state.bytes >= bytesBetweenChecks) check(accountId, state)
    })
  }

  return {
    isFull(accountId) {
      const state = accounts.get(accountId)
      if (!state?.isFull) return false
      if (Math.abs(clock.now() - state.checkedAt) >= recheckMs) check(accountId, state)
      return true
    },

    add(accountId, bytes) {
      const state = stateOf(accountId)
      state.bytes += bytes
      if (state.bytes >= bytesBetweenChecks) check(accountId, state)
    },
  }
}
