/** How many bytes accounts store, and how many they can store: without a maximum, one account can fill the disk of all. */
import type { Account, AccountStore } from '../../domain/accounts/account.ts'
import { plans } from '../../domain/accounts/plan.ts'
import { countedTextBytesMin, QuotaReached } from '../../domain/accounts/quota.ts'
import { monotonicMs } from '../../domain/clock.ts'

export interface StorageQuota {
  /** Throws `forbidden` with the quota if the account stores its maximum. Executions that were accepted before still store their outputs. */
  require(accountId: string): Promise<void>
  /** Requires room like `require`, if the document is long enough to count. */
  requireFor(accountId: string, document: object): Promise<void>
  /** Whether the account stores its maximum. */
  isReached(accountId: string): Promise<boolean>
  /** Null: no maximum. */
  of(account: StorageOwner): Promise<{ bytes: number; bytesMax: number | null }>
}

type StorageOwner = Pick<Account, 'id' | 'plan' | 'storageBytesMax'>

interface Dependencies {
  accounts: Pick<AccountStore, 'find' | 'storedBytes'>
  /** Maximum of accounts without their own one, instead of the one of their plan. */
  bytesMax: number | undefined
  now?: () => number
}

/** Milliseconds for which an account that was below its maximum is not read again. Each execution would read it. */
const knownMs = 5_000

export function createStorageQuota({ accounts, bytesMax, now = monotonicMs }: Dependencies): StorageQuota {
  /** Accounts below their maximum. */
  let below = new Set<string>()
  let belowSince = now()

  function maximumOf({ plan, storageBytesMax }: StorageOwner): number | null {
    if (storageBytesMax === 'none') return null
    return storageBytesMax ?? bytesMax ?? plans[plan].storageBytesMax
  }

  /** The maximum, if the account stores as much. */
  async function reached(accountId: string): Promise<number | undefined> {
    if (now() - belowSince >= knownMs) [below, belowSince] = [new Set(), now()]
    if (below.has(accountId)) return undefined
    const [account, bytes] = await Promise.all([accounts.find(accountId), accounts.storedBytes(accountId)])
    const maximum = account === undefined ? null : maximumOf(account)
    if (maximum !== null && bytes >= maximum) return maximum
    below.add(accountId)
    return undefined
  }

  async function require(accountId: string): Promise<void> {
    const maximum = await reached(accountId)
    if (maximum !== undefined) throw new QuotaReached('storageBytes', maximum)
  }

  return {
    require,
    async requireFor(accountId, document) {
      if (Buffer.byteLength(JSON.stringify(document)) >= countedTextBytesMin) await require(accountId)
    },
    isReached: async (accountId) => (await reached(accountId)) !== undefined,
    of: async (account) => ({ bytes: await accounts.storedBytes(account.id), bytesMax: maximumOf(account) }),
  }
}
