/** `Idempotency-Key`: the same key and body return the first response for 24 hours. */
import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { dayMs } from '../domain/accounts/activity.ts'
import type { Clock } from '../domain/clock.ts'
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
  type IdempotencyStore,
  type IdempotentCreate,
  type IdempotentResponse,
} from '../domain/idempotency.ts'
import { invalidRequest } from '../errors.ts'
import { limits } from '../limits.ts'

export interface IdempotentRequest {
  accountId: string
  /** The `Idempotency-Key` of the caller. */
  key: string
  method: string
  path: string
  /** The content that two equal requests share. Hashed with its keys in order. */
  content: unknown
}

export interface Idempotency {
  /**
   * Does the work once for this key of the account, and replays its response. The resource is written in one transaction with the
   * key, so of concurrent duplicates in any process only one creates it. The others, and those after a crash, get its id to
   * respond with. A response that `keep` rejects (of a refused request) leaves the key unused. Throws `invalid_request` if the
   * key belongs to another request.
   */
  once(
    request: IdempotentRequest,
    work: (once: IdempotentCreate) => Promise<IdempotentResponse>,
    keep: (response: IdempotentResponse) => boolean,
  ): Promise<{ response: IdempotentResponse; replayed: boolean }>
}

/** Keys are valid until the background job removes them, and at most for a day longer: the clock can be wrong by a day. */
export const idempotencyValidMs = limits.idempotencyKeptSeconds * 1_000 + dayMs

interface Dependencies {
  store: IdempotencyStore
  clock: Clock
}

export function createIdempotency({ store, clock }: Dependencies): Idempotency {
  /** The record of the key, if it has not expired. */
  async function look(accountId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const found = await store.find(accountId, key)
    const oldest = clock.now() - idempotencyValidMs
    if (found === undefined || found.createdAt >= oldest) return found
    // The background job that deletes old keys has not run.
    await store.remove(accountId, key, oldest)
    return undefined
  }

  return {
    async once({ accountId, key, method, path, content }, work, keep) {
      const fingerprint = hash('sha256', stringify(content) ?? '')
      for (;;) {
        const found = await look(accountId, key)
        if (found && (found.method !== method || found.path !== path || found.fingerprint !== fingerprint)) {
          throw invalidRequest([
            {
              path: 'Idempotency-Key',
              message: 'was already used for a different request in the last 24 hours. Send a new key.',
            },
          ])
        }
        if (found?.response) return { response: found.response, replayed: true }
        const record = { accountId, key, method, path, fingerprint, createdAt: clock.now() }
        try {
          const response = await work(found?.resourceId ? { createdId: found.resourceId } : { record })
          // The first stored response counts for all.
          if (!keep(response) || (await store.finish(record, response))) return { response, replayed: false }
        } catch (error) {
          if (!(error instanceof IdempotencyKeyTaken)) throw error
        }
      }
    },
  }
}
