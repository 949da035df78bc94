/** API keys: permissions, text and stored facts. */
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import { randomBase62 } from '../ids.ts'
import type { Micros } from '../models/model.ts'
import type { CountedPage, PageRequest } from '../page.ts'
import type { Account } from './account.ts'

export const permissions = {
  'workflows:read': 'List and get workflows and executions',
  'workflows:execute': 'Execute workflows; read the executions of that account',
  'workflows:write': 'Save, change and delete workflows',
  'workflows:draft': 'Create and save drafts of workflows, without publishing them',
  'storage:read': 'List and get images',
  'storage:write': 'Upload and delete images',
  'projects:read': 'List projects',
  'projects:write': 'Create projects',
  'webhooks:read': 'List webhook endpoints and deliveries',
  'webhooks:write': 'Create, change, test and delete webhook endpoints; read their secrets; send deliveries again',
  'audit:read': 'Read the audit log',
} as const

export type Permission = keyof typeof permissions

/** Permissions that change what live keys see, or let live keys and other services act. Test keys have no use of them. */
const liveOnly: ReadonlySet<Grant> = new Set<Grant>([
  'workflows:write',
  'projects:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'all',
])

/** Whether everything that these permissions allow needs a live key, if one of them is enough. */
export function needsLiveKey(required: readonly Grant[]): boolean {
  return required.length > 0 && required.every((permission) => liveOnly.has(permission))
}

/** The permissions of a key, or all of them. */
export type Grant = Permission | 'all'

export const grants: Grant[] = [...(Object.keys(permissions) as Permission[]), 'all']

export interface Key {
  id: string
  accountId: string
  name: string
  /** The first 12 characters of the key: the only part that is shown again. */
  prefix: string
  /** SHA-256 of the entire key, in hex. The key itself is not stored. */
  hash: string
  permissions: Grant[]
  /** The most that its executions may spend on models in a day (UTC). Null: no limit of the key. */
  dailyBudget: Micros | null
  /** The same for a calendar month (UTC). */
  monthlyBudget: Micros | null
  /** The budgets that it shares with the keys that it replaced: the id of the first of them. */
  budgetId: string
  /** The only workflow that it can run: it is the key of a run link, and has no permissions. Null: an ordinary key. */
  workflowId: string | null
  /** The most executions that a run link starts per minute. Null for an ordinary key. */
  executionsPerMinute: number | null
  /** The image that the page of a run link shows before its first execution. Null: none. */
  exampleImageId: string | null
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

/** The settings that can be changed. */
export type KeySettings = Pick<Key, 'name' | 'dailyBudget' | 'monthlyBudget' | 'executionsPerMinute' | 'exampleImageId'>

/** Settings after a change. Without `expiresAt`, the expiry stays, also if another request changes it at the same time. */
export type ChangedSettings = KeySettings & { expiresAt?: number | undefined }

/** Maximum of a run link. */
export const executionsPerMinuteMax = limits.runLinkExecutionsPerMinuteMax

/** The fields of an ordinary key. */
export const noRunLink = { workflowId: null, executionsPerMinute: null, exampleImageId: null } as const

/** The caller: its key and account. The id of the key is undefined for a command of the operator. */
export interface Caller {
  key: Pick<Key, 'permissions' | 'expiresAt' | 'dailyBudget' | 'monthlyBudget' | keyof typeof noRunLink> & {
    id: Key['id'] | undefined
  }
  account: Account
  /** Set if the console sent the request. */
  sessionId?: string
}

/** The id of the key of a request. Commands of the operator have no key, and no session. */
export function keyIdOf({ key: { id } }: Caller): string {
  if (id === undefined) throw new Error('a command of the operator has no key')
  return id
}

/** Counts a key in the quota of valid keys. */
export type KeyBounds = Record<string, never>

export interface KeyStore {
  /** Throws `QuotaReached` if the account has the maximum of valid keys, with `bounds`. With `record`: see `KeyTaken`. */
  create(key: Key, bounds?: KeyBounds, record?: NewIdempotencyRecord): Promise<void>
  /**
   * Creates a key, and ends the valid key `oldId` at `until` in the same transaction, unless it ends before. False,
   * with nothing written, if the old key is no longer valid.
   */
  replace(oldId: string, until: number, key: Key, bounds?: KeyBounds, record?: NewIdempotencyRecord): Promise<boolean>
  /** The key with this hash and its account, valid or not. */
  findByHash(hash: string): Promise<{ key: Key; account: Account } | undefined>
  find(id: string): Promise<Key | undefined>
  /** Newest first; of one account, or of all accounts. */
  list(accountId?: string): Promise<Key[]>
  /** Newest first. With `workflowId`: the run links of this workflow. */
  listPage(accountId: string, page: PageRequest, workflowId?: string): Promise<CountedPage<Key>>
  /** False if the key doesn't exist. */
  update(id: string, settings: ChangedSettings): Promise<boolean>
  /** Revokes the key at this time. A key that was revoked before stays as it is. */
  revoke(id: string, at: number): Promise<void>
  noteUse(id: string, at: number): Promise<void>
}

const prefixes = { live: 'tt_live_', test: 'tt_test_', 'run link': 'tt_link_' }

/** The text of a new key: its prefix, and 43 characters of base62 (256 bits). */
export function newKeyText(kind: keyof typeof prefixes): string {
  return `${prefixes[kind]}${randomBase62(43)}`
}

/** Whether it is a test key: its executions are free, call no provider and have marked outputs. */
export function isTestKey({ prefix }: Pick<Key, 'prefix'>): boolean {
  return prefix.startsWith(prefixes.test)
}

export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export const keyPrefixChars = 12

/** The clocks of two processes differ by at most this much: another process may have revoked the key. */
const clockErrorMsMax = 1_000

/**
 * Whether the key is valid at this time: not revoked and not expired. A key that is revoked for a later time ends up to a second
 * earlier.
 */
export function isLive(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return (
    (key.revokedAt === null || key.revokedAt > now + clockErrorMsMax) && (key.expiresAt === null || key.expiresAt > now)
  )
}

/** Whether a budget limits the key. */
export function hasBudget({ dailyBudget, monthlyBudget }: Pick<Key, 'dailyBudget' | 'monthlyBudget'>): boolean {
  return dailyBudget !== null || monthlyBudget !== null
}

/** Whether the caller has one of the needed permissions. `all` is a permission that only a key with all permissions has. */
export function mayUse(granted: Grant[], required: readonly Grant[]): boolean {
  return granted.includes('all') || required.some((permission) => granted.includes(permission))
}
