/** `Idempotency-Key`: the same key and body give the first answer again for 24 hours. */
import { createHash } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import type { IdempotencyStore, IdempotentResponse } from '../domain/idempotency.ts'
import { Fault, invalidRequest } from '../errors.ts'

export interface IdempotentRequest {
  accountId: string
  /** What the caller sent as `Idempotency-Key`. */
  key: string
  method: string
  path: string
  /** All that makes two requests the same; hashed with its keys in order. */
  content: unknown
  /** The id that an execution of this request will have; null for requests that execute nothing. */
  executionId: string | null
}

export interface Idempotency {
  /**
   * Does the work once for this key of the account and replays its answer to whoever sends the same again. An answer that
   * `keep` does not want (a refused request) leaves the key free. Duplicates at the same time, and after a crash, are
   * given the first one's `executionId`, so that they join its execution. Throws `invalid_request` for another request
   * under the same key.
   */
  once(
    request: IdempotentRequest,
    work: (executionId: string | null) => Promise<IdempotentResponse>,
    keep: (response: IdempotentResponse) => boolean,
  ): Promise<{ response: IdempotentResponse; replayed: boolean }>
}

const keptMs = 24 * 60 * 60 * 1000
const pollMs = 50

interface Dependencies {
  store: IdempotencyStore
  clock: Clock
  /** How long a duplicate waits for the first one's answer. */
  waitSeconds: number
}

export function createIdempotency({ store, clock, waitSeconds }: Dependencies): Idempotency {
  const startedAt = clock.now()
  let sweptAt = 0

  return {
    async once({ accountId, key, method, path, content, executionId }, work, keep) {
      if (clock.now() - sweptAt > keptMs / 24) {
        sweptAt = clock.now()
        await store.sweep(sweptAt - keptMs)
      }
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(sorted(content)))
        .digest('hex')
      const record = { accountId, key, method, path, fingerprint, executionId, createdAt: clock.now() }
      let shared = executionId
      for (let waitedMs = 0; ; waitedMs += pollMs) {
        const found = await store.begin(record)
        if (found === 'new') break
        if (found.method !== method || found.path !== path || found.fingerprint !== fingerprint) {
          throw invalidRequest([
            { path: 'Idempotency-Key', message: 'was used for another request in the last 24 hours' },
          ])
        }
        if (found.response !== null) return { response: found.response, replayed: true }
        if (found.executionId !== null) {
          shared = found.executionId
          break
        }
        // Begun by a process that died before it answered.
        if (found.createdAt < startedAt) await store.abandon(accountId, key, found.createdAt)
        else if (waitedMs > waitSeconds * 1000) {
          throw new Fault('unavailable', 'The first request with this Idempotency-Key is still under way.')
        } else await new Promise((settle) => setTimeout(settle, pollMs))
      }
      try {
        const response = await work(shared)
        if (keep(response)) await store.finish(accountId, key, response)
        else await store.abandon(accountId, key)
        return { response, replayed: false }
      } catch (error) {
        await store.abandon(accountId, key)
        throw error
      }
    },
  }
}

/** With the keys of every object in order. What comes in was parsed from JSON of bounded depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
