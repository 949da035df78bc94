/** Delivers webhooks: takes events from the outbox, and attempts the deliveries that are due. */
import { setTimeout } from 'node:timers/promises'
import { withGrace } from '../domain/abortable.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import { type Clock, elapsedSince, monotonicMs } from '../domain/clock.ts'
import { randomFraction } from '../domain/ids.ts'
import { currentTrace, type ObservedWork, observe } from '../domain/observed.ts'
import { retryAfterMs } from '../domain/retry-after.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  type DeliveryAttempt,
  nextAttemptAt,
  type WebhookDeliveryStore,
  type WebhookEvent,
  type WebhookQueue,
} from '../domain/webhooks/webhook.ts'
import { limits } from '../limits.ts'
import { messageBody, shortBody, signedHeaders, type WebhookPresenter } from '../services/webhooks/webhook-messages.ts'

interface Dependencies {
  deliveries: Pick<WebhookDeliveryStore, 'dispatch' | 'claim' | 'endSome' | 'record'>
  /** See `WebhookHttp`. */
  post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; body: string; retryAfter: string | undefined }>
  present: WebhookPresenter
  clock: Clock
  onDisabled(endpointId: string, reason: string): void
  /** The record of an event can't be converted: a short message is sent. Once a minute. */
  onUnreadable(error: unknown, eventId: string): void
  onError(error: unknown): void
}

export interface WebhookSender {
  /** Takes all events, and starts all attempts that are due and have room. Starts to end deliveries that can't be sent. */
  look(): Promise<void>
  /** Resolves when no attempt is in flight, and no delivery is left to end. */
  idle(): Promise<void>
  /** Starts nothing more. Attempts that last longer are aborted, and repeated by another process or after the next start. */
  stop(graceSeconds: number): Promise<void>
}

/** Events of one transaction: other writers wait for it on SQLite. */
const eventsAtOnce = 20
const pollMs = 1_000
/**
 * Pause between two parts of deliveries that end: three times as long as the part took, so that others have most of the
 * time.
 */
const pauseParts = 3
const pauseMsMax = 250

export function createWebhookSender(dependencies: Dependencies): WebhookSender {
  const { deliveries, post, present, clock, onDisabled, onUnreadable, onError } = dependencies
  const reportUnreadable = atMostEvery(60_000, onUnreadable)
  const running = new Map<ClaimedDelivery, Promise<void>>()
  const aborted = new AbortController()
  let isStopping = false

  function bodyOf(event: WebhookEvent): string {
    try {
      return messageBody(event, present)
    } catch (error) {
      reportUnreadable(error, event.id)
      return shortBody(event)
    }
  }

  /** Attempts in flight of a queue and of its account. */
  function inFlight({ accountId, endpointId }: WebhookQueue, others: readonly WebhookQueue[]) {
    const all = [...running.keys(), ...others].filter((queue) => queue.accountId === accountId)
    return { ofAccount: all.length, ofQueue: all.filter((queue) => queue.endpointId === endpointId).length }
  }

  /** The last attempts are for accounts that have none in flight. */
  function perAccountMax(claimed: readonly WebhookQueue[]): number {
    const unreserved = limits.webhookAttemptsRunningMax - limits.webhookAttemptsReserved
    return running.size + claimed.length < unreserved ? limits.webhookAttemptsPerAccountMax : 1
  }

  function roomFor(queue: WebhookQueue, claimed: readonly WebhookQueue[]): number {
    const { ofAccount, ofQueue } = inFlight(queue, claimed)
    return Math.min(perAccountMax(claimed) - ofAccount, limits.webhookAttemptsPerEndpointMax - ofQueue)
  }

  async function claim(): Promise<ClaimedDelivery[]> {
    const max = limits.webhookAttemptsRunningMax - running.size
    if (max <= 0 || isStopping) return []
    const queues = [...running.keys()]
    const full = queues.filter((queue) => roomFor(queue, []) <= 0)
    const fullAccounts = full
      .filter((queue) => inFlight(queue, []).ofAccount >= perAccountMax([]))
      .map(({ accountId }) => accountId)
    return deliveries.claim(clock.now(), {
      max,
      leaseMs: limits.webhookLeaseSeconds * 1_000,
      exceptQueues: distinct(full),
      exceptAccounts: [...new Set(fullAccounts)],
      roomFor,
    })
  }

  function attempt(delivery: ClaimedDelivery): Promise<void> {
    const facts: ObservedWork['webhook'] = { delivery }
    return observe('webhook', facts, () => send(delivery, facts))
  }

  async function send(delivery: ClaimedDelivery, facts: ObservedWork['webhook']): Promise<void> {
    const at = clock.now()
    const startMs = monotonicMs()
    let attempted: Omit<DeliveryAttempt, 'at' | 'durationMs'>
    let retryAfter: string | undefined
    try {
      const headers = { ...signedHeaders(delivery, at), ...currentTrace() }
      const response = await post(delivery.url, headers, delivery.body, aborted.signal)
      retryAfter = response.retryAfter
      const isSuccess = response.status >= 200 && response.status < 300
      const problem = isSuccess ? null : `returned status ${response.status}`
      attempted = { status: response.status, response: response.body, problem }
    } catch (error) {
      // Nothing is recorded: it is due again at the end of its lease.
      if (aborted.signal.aborted) return
      attempted = { status: null, response: '', problem: error instanceof Error ? error.message : String(error) }
    }
    const durationMs = Math.round(elapsedSince(startMs))
    const result = resultOf(delivery, attempted, at + durationMs, retryAfter)
    facts.status = attempted.status
    if (result.kind === 'delivered') facts.lagMs = at + durationMs - delivery.createdAt
    facts.outcome = result.kind === 'delivered' ? 'delivered' : result.retryAt === null ? 'failed' : 'retry'
    const reason = await deliveries.record(delivery, { at, durationMs, ...attempted }, result)
    if (reason !== undefined && delivery.endpointId !== null) onDisabled(delivery.endpointId, reason)
  }

  /** Again if an attempt ended in the meantime. */
  async function claimWhileRoom(): Promise<void> {
    while (hasRoom) {
      hasRoom = false
      await sendDue()
    }
  }

  /** Claims until nothing is due that has room. */
  async function sendDue(): Promise<void> {
    for (;;) {
      const claimed = await claim()
      if (claimed.length === 0) return
      for (const delivery of claimed) {
        const work = attempt(delivery)
          .catch(onError)
          .finally(() => {
            running.delete(delivery)
            void claimMore()
          })
        running.set(delivery, work)
      }
    }
  }

  let claiming: Promise<void> | undefined
  let hasRoom = false
  /** One at a time: claims of the same moment would count the same attempts. */
  function claimMore(): Promise<void> {
    hasRoom = true
    claiming ??= claimWhileRoom()
      .catch(onError)
      .finally(() => {
        claiming = undefined
      })
    return claiming
  }

  let ending: Promise<void> | undefined
  function endMore(): void {
    ending ??= endAll()
      .catch(onError)
      .finally(() => {
        ending = undefined
      })
  }

  /** A deleted endpoint can have tens of thousands of deliveries. */
  async function endAll(): Promise<void> {
    while (!isStopping) {
      const startMs = monotonicMs()
      if ((await deliveries.endSome(clock.now())) === undefined) return
      await setTimeout(Math.min(pauseMsMax, pauseParts * elapsedSince(startMs)))
    }
  }

  return {
    async look() {
      let taken: number
      do {
        taken = isStopping ? 0 : await deliveries.dispatch(eventsAtOnce, clock.now(), bodyOf)
        // An account may have events without end: due deliveries don't wait for the last one.
        await claimMore()
        endMore()
      } while (taken > 0)
    },
    async idle() {
      while (running.size > 0 || (claiming ?? ending) !== undefined)
        await Promise.all([claiming, ending, ...running.values()])
    },
    async stop(graceSeconds) {
      isStopping = true
      await Promise.all([claiming, ending])
      await withGrace(Promise.all(running.values()), graceSeconds)
      aborted.abort()
      await Promise.all(running.values())
    },
  }
}

function resultOf(
  { attempt }: ClaimedDelivery,
  { status, problem }: Pick<DeliveryAttempt, 'status' | 'problem'>,
  now: number,
  retryAfter: string | undefined,
): AttemptResult {
  if (problem === null) return { kind: 'delivered' }
  const notBefore = now + (retryAfterMs((name) => (name === 'retry-after' ? retryAfter : undefined), now) ?? 0)
  const isGone = status === 410
  const retryAt = isGone ? null : nextAttemptAt(attempt, now, randomFraction(), notBefore)
  return { kind: 'failed', retryAt, isGone }
}

function distinct(queues: readonly WebhookQueue[]): WebhookQueue[] {
  const known = new Map(
    queues.map(({ accountId, endpointId }) => [`${accountId} ${endpointId}`, { accountId, endpointId }]),
  )
  return [...known.values()]
}

/** Looks every second for events and due deliveries. */
export function startSending(
  sender: WebhookSender,
  onError: (error: unknown) => void,
): { stop(graceSeconds: number): Promise<void> } {
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void sender
      .look()
      .catch(onError)
      .finally(() => {
        looking = false
      })
  }, pollMs)
  timer.unref()
  return {
    stop(graceSeconds) {
      clearInterval(timer)
      return sender.stop(graceSeconds)
    },
  }
}
