import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { pageAt } from './paging.ts'
import type { Schemas } from './types.ts'

export type SigningKeyRecord = Schemas['SigningKey']
/** Includes the secret. No other response has it. */
export type NewSigningKey = Schemas['NewSigningKey']

const pageSize = 100

/** One page, newest first. */
export const signingKeysQuery = (cursor?: string) =>
  queryOptions({
    queryKey: ['signing-keys', cursor],
    queryFn: ({ signal }) => unwrap(api.GET('/signing-keys', { params: { query: pageAt(pageSize, cursor) }, signal })),
  })

export function createSigningKey(body: {
  name?: string
  workflows?: string[]
  images?: boolean
  monthlyBudgetUsd?: number
  expiresInDays?: number
}): Promise<NewSigningKey> {
  return unwrap(api.POST('/signing-keys', { body }))
}

export function revokeSigningKey(keyId: string): Promise<SigningKeyRecord> {
  return unwrap(api.DELETE('/signing-keys/{keyId}', { params: { path: { keyId } } }))
}

/** Creates a key with the same settings. URLs of the old key stay valid for `overlapSeconds`. */
export function rotateSigningKey(keyId: string, overlapSeconds: number): Promise<NewSigningKey> {
  return unwrap(api.POST('/signing-keys/{keyId}/rotate', { params: { path: { keyId } }, body: { overlapSeconds } }))
}
