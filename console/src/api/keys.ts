import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { pageAt } from './paging.ts'
import type { Schemas } from './types.ts'

export type KeyRecord = Schemas['ApiKey']
/** Includes the secret text of the key. No other response has it. */
export type NewKey = Schemas['NewApiKey']
export type Permission = KeyRecord['permissions'][number]

const pageSize = 100

/** One page, newest first. */
export const keysQuery = (cursor?: string) =>
  queryOptions({
    queryKey: ['keys', cursor],
    queryFn: ({ signal }) => unwrap(api.GET('/keys', { params: { query: pageAt(pageSize, cursor) }, signal })),
  })

/** The newest run links of a workflow, also those that have ended. */
export const runLinksQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['keys', 'run-links', workflowId],
    queryFn: async ({ signal }) => {
      const query = { ...pageAt(pageSize, undefined), workflowId }
      return (await unwrap(api.GET('/keys', { params: { query }, signal }))).keys
    },
  })

/** Settings without a value are removed. */
export interface KeySettings {
  name?: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
  /** Only of a run link. */
  executionsPerMinute?: number
  exampleImageId?: string
}

/** `expiresInDays`: only of a run link. Without it, the expiry stays. */
export function updateKey(keyId: string, body: KeySettings & { expiresInDays?: number }): Promise<KeyRecord> {
  return unwrap(api.PUT('/keys/{keyId}', { params: { path: { keyId } }, body }))
}

export function createKey(
  body: KeySettings & {
    permissions?: Permission[]
    expiresInDays?: number
    test?: boolean
    /** Creates a run link. */
    workflowId?: string
  },
): Promise<NewKey> {
  return unwrap(api.POST('/keys', { body }))
}

export function revokeKey(keyId: string): Promise<KeyRecord> {
  return unwrap(api.DELETE('/keys/{keyId}', { params: { path: { keyId } } }))
}

/** Creates a new key. The old key stays valid for `overlapSeconds`. */
export function rotateKey(keyId: string, overlapSeconds: number): Promise<NewKey> {
  return unwrap(api.POST('/keys/{keyId}/rotate', { params: { path: { keyId } }, body: { overlapSeconds } }))
}

interface Ends {
  revokedAt?: string
  expiresAt?: string
}

/** Why a key is not valid any more; undefined for a valid key. */
export function inactiveReason({ revokedAt, expiresAt }: Ends, now: Date): 'revoked' | 'expired' | undefined {
  if (revokedAt !== undefined && new Date(revokedAt) <= now) return 'revoked'
  if (expiresAt !== undefined && new Date(expiresAt) <= now) return 'expired'
  return undefined
}
