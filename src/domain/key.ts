/** API keys: their permissions, their text, and what is kept of them. */
import { createHash } from 'node:crypto'
import type { Account } from './account.ts'
import { randomBase62 } from './ids.ts'

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
  key: Pick<Key, 'id' | 'permissions'>
  account: Account
}

export interface KeyStore {
  create(key: Key): Promise<void>
  /** The key with this hash and its account, whether or not it still holds. */
  findByHash(hash: string): Promise<{ key: Key; account: Account } | undefined>
  find(id: string): Promise<Key | undefined>
  /** Newest first; of one account, or of all. */
  list(accountId?: string): Promise<Key[]>
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

/** Whether the key holds at this time: not revoked, not expired. */
export function isLive(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return (key.revokedAt === null || key.revokedAt > now) && (key.expiresAt === null || key.expiresAt > now)
}

/** Whether any one of the needed permissions is held. */
export function mayUse(held: Grant[], needed: readonly Permission[]): boolean {
  return held.includes('all') || needed.some((permission) => held.includes(permission))
}
