import type { Account, AccountStore } from '../../domain/accounts/account.ts'
import {
  type Caller,
  type ChangedSettings,
  hashKey,
  isLive,
  isTestKey,
  type Key,
  type KeySettings,
  type KeyStore,
  keyPrefixChars,
  newKeyText,
} from '../../domain/accounts/key.ts'
import { twinOf } from '../../domain/accounts/twin.ts'
import { AlreadyExists } from '../../domain/already-exists.ts'
import type { Clock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import { notFound, refusal } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type CheckedKey, defaultExpiry } from './run-link-checks.ts'

export interface Keys {
  /** `text` is the key itself. It is returned only here, and not stored. */
  create(
    accountId: string,
    key?: Partial<CheckedKey> & { expiresAt?: number; isTest?: boolean },
  ): Promise<{ key: Key; text: string }>
  find(id: string): Promise<Key>
  /** Replaces all settings, as `RunLinkChecks.update` returns them. */
  update(id: string, settings: ChangedSettings): Promise<Key>
  list(accountId?: string): Promise<Key[]>
  revoke(id: string): Promise<Key>
  /** A new key with the same name, permissions and budgets. The old key expires after `overlapMs`. */
  rotate(id: string, overlapMs: number): Promise<{ key: Key; text: string; replaced: Key }>
  /** The owner of this key. Undefined if it is unknown, expired or revoked. */
  authenticate(text: string): Promise<Caller | undefined>
  /** The account that requests with the key act as: of a test key, the twin of its account. Undefined if it is being deleted. */
  actingAs(key: Key, account: Account): Promise<Account | undefined>
}

interface Dependencies {
  keys: KeyStore
  accounts: AccountStore
  clock: Clock
}

/** The age of `lastUsedAt` at which it is written again: not every request causes a write. */
export const lastUsedStepMs = 60_000

export function createKeys({ keys, accounts, clock }: Dependencies): Keys {
  async function find(id: string): Promise<Key> {
    const key = await keys.find(id)
    if (key === undefined) throw notFound('key', id)
    return key
  }

  async function create(accountId: string, { expiresAt, ...about }: Parameters<Keys['create']>[1] = {}) {
    if ((await accounts.find(accountId)) === undefined) throw notFound('account', accountId)
    const now = clock.now()
    const created = newKey({ ...about, accountId, expiresAt: expiresAt ?? defaultExpiry(about, now) }, now)
    await keys.create(created.key)
    return created
  }

  const actingAs = (key: Key, account: Account) => (isTestKey(key) ? twin(account) : Promise.resolve(account))

  /** Created by the first request with a test key of the account. */
  async function twin(account: Account): Promise<Account | undefined> {
    const id = twinOf(account.id)
    const { plan, rateLimit, suspendedAt } = account
    const known = (await accounts.find(id)) ?? (await createTwin(account))
    if (known === undefined) return undefined
    const { suspendedAt: _, ...own } = known
    // The live account decides, also if it changed while the twin was created.
    return { ...own, plan, rateLimit, ...(suspendedAt !== undefined && { suspendedAt }) }
  }

  async function createTwin({ monthlyBudget: _, ...live }: Account): Promise<Account | undefined> {
    const id = twinOf(live.id)
    try {
      await accounts.create({ ...live, id, createdAt: clock.now(), storageBytesMax: limits.testStorageBytesMax })
    } catch (error) {
      // Another request has created it, or it is being deleted.
      if (!(error instanceof AlreadyExists)) throw error
    }
    return accounts.find(id)
  }

  return {
    create,
    actingAs,
    find,
    async update(id, settings) {
      if (!(await keys.update(id, settings))) throw notFound('key', id)
      return find(id)
    },
    list: (accountId) => keys.list(accountId),
    async revoke(id) {
      await find(id)
      await keys.revoke(id, clock.now())
      return find(id)
    },
    async rotate(id, overlapMs) {
      const old = await find(id)
      const created = newKey({ ...old, isTest: isTestKey(old) }, clock.now())
      if (!(await keys.replace(id, clock.now() + overlapMs, created.key)))
        throw refusal(`The key ${id} is revoked or has expired. Create another key.`)
      return { ...created, replaced: await find(id) }
    },
    async authenticate(text) {
      const known = await keys.findByHash(hashKey(text))
      const now = clock.now()
      if (known === undefined || !isLive(known.key, now)) return undefined
      if (now - (known.key.lastUsedAt ?? 0) > lastUsedStepMs) await keys.noteUse(known.key.id, now)
      const account = await actingAs(known.key, known.account)
      return account && { key: known.key, account }
    },
  }
}

/** `text` is the key itself. */
export function newKey(
  {
    accountId,
    name = '',
    permissions = ['all'],
    dailyBudget = null,
    monthlyBudget = null,
    executionsPerMinute = null,
    workflowId = null,
    exampleImageId = null,
    expiresAt,
    budgetId,
    isTest = false,
  }: Pick<Key, 'accountId' | 'expiresAt'> &
    Partial<KeySettings & Pick<Key, 'permissions' | 'budgetId' | 'workflowId'>> & {
      isTest?: boolean
    },
  now: number,
): { key: Key; text: string } {
  const text = newKeyText(isTest ? 'test' : workflowId === null ? 'live' : 'run link')
  const id = newId('key', now)
  const key: Key = {
    id,
    accountId,
    name,
    prefix: text.slice(0, keyPrefixChars),
    hash: hashKey(text),
    permissions: [...new Set(permissions)],
    dailyBudget,
    monthlyBudget,
    budgetId: budgetId ?? id,
    workflowId,
    executionsPerMinute,
    exampleImageId,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  }
  return { key, text }
}
