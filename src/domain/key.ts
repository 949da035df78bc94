/** API keys: their permissions, their text, and what is kept of them. */
import { createHash } from 'node:crypto'
import type { Account } from './account.ts'
import type { NewIdempotencyRecord } from './idempotency.ts'
import { randomBase62 } from './ids.ts'
import type { Page, PageRequest } from './page.ts'

export const permissions = {
  'workflows:read': 'List and get workflows and executions',
  'workflows:execute': 'Execute workflows; read the executions of that account',
  'workflows:write': 'Save, change and delete workflows',
  'storage:read': 'List and get images',
  'storage:write': 'Upload and delete images',
  'projects:read': 'List projects',
  'projects:write': 'Create projects',
} as const

export type Permission = keyof typeof permissions

/** What a key may hold: permissions, or everything. */
export type Grant = Permission | 'all'

export const grants: Grant[] = [...(Object.keys(permissions) as Permission[]), 'all']

export interface Key {
  id: string
  accountId: string
  name: string
  /** The first 12 characters of the key: all that is ever shown of it again. */
  prefix: string
  /** SHA-256 of the whole key, in hex. The key itself is kept nowhere. */
  hash: string
  permissions: Grant[]
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

/** Who calls: the key that was sent, and its account. */
export interface Caller {
  key: Pick<Key, 'id' | 'permissions' | 'expiresAt'>
  account: Account
}

export interface KeyStore {
  /**
   * False, and nothing is written, when the account has `liveMax` that hold already, however many are created at once.
   * With `record`: see `KeyTaken`.
   */
  create(key: Key, bounds?: { liveMax: number }, record?: NewIdempotencyRecord): Promise<boolean>
  /**
   * As `create`, and in the same transaction the account's key `oldId`, which must hold, ends at `until`, unless it ends
   * before that. False, and nothing is written, when the account has too many, or the old one does not hold any more.
   */
  replace(
    oldId: string,
    until: number,
    key: Key,
    bounds: { liveMax: number },
    record?: NewIdempotencyRecord,
  ): Promise<boolean>
  /** The key with this hash and its account, whether or not it still holds. */
  findByHash(hash: string): Promise<{ key: Key; account: Account } | undefined>
  find(id: string): Promise<Key | undefined>
  /** Newest first; of one account, or of all. */
  list(accountId?: string): Promise<Key[]>
  /** Newest first. */
  listPage(accountId: string, page: PageRequest): Promise<Page<Key>>
  /** From then on it holds no more; one that was revoked before stays as it is. */
  revoke(id: string, at: number): Promise<void>
  /** False when there is no such key. */
  update(id: string, change: Partial<Pick<Key, 'revokedAt' | 'expiresAt' | 'lastUsedAt'>>): Promise<boolean>
}

/** A new key's text: `tt_live_` + 43 characters of base62 (256 bits). */
export function newKeyText(): string {
  return `tt_live_${randomBase62(43)}`
}

export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export const keyPrefixChars = 12

/** Another process may have revoked a key, and its clock may be ahead by the time that the measurement of a clock takes. */
const clockErrorMsMax = 1_000

/** Whether the key holds at this time: not revoked, not expired. A key that is revoked for later ends up to a second earlier. */
export function isLive(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return (
    (key.revokedAt === null || key.revokedAt > now + clockErrorMsMax) && (key.expiresAt === null || key.expiresAt > now)
  )
}

/** Whether any one of the needed permissions is held; `all` among them is what only a key with everything has. */
export function mayUse(held: Grant[], needed: readonly Grant[]): boolean {
  return held.includes('all') || needed.some((permission) => held.includes(permission))
}
