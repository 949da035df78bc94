/** Webhook endpoints of an account, their secrets, and the log of deliveries. */
import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { CountedPage, Page, PageRequest } from '../../domain/page.ts'
import {
  type DeliveryDetails,
  type DeliveryFilter,
  newWebhookSecret,
  testEventType,
  type WebhookDelivery,
  type WebhookDeliveryStore,
  type WebhookEndpoint,
  type WebhookEndpointStore,
  type WebhookEventType,
  type WebhookSecret,
} from '../../domain/webhooks/webhook.ts'
import { Fault, invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { bodyWith } from './webhook-messages.ts'

export interface EndpointSettings {
  url: string
  description?: string | undefined
  /** Default: all types. */
  eventTypes?: WebhookEventType[] | undefined
  disabled?: boolean | undefined
}

export interface Webhooks {
  list(accountId: string, page: PageRequest): Promise<CountedPage<WebhookEndpoint>>
  find(accountId: string, id: string): Promise<WebhookEndpoint>
  /** Throws `invalid_request` if the URL isn't allowed, and `forbidden` if the account has too many endpoints. */
  create(accountId: string, settings: EndpointSettings, once?: IdempotentCreate): Promise<WebhookEndpoint>
  /** Replaces the settings. An endpoint that is enabled again, or has another URL, starts without failures. */
  replace(accountId: string, id: string, settings: EndpointSettings): Promise<WebhookEndpoint>
  remove(accountId: string, id: string): Promise<void>
  /** The old secret signs for `overlapSeconds`, too. Throws `invalid_request` while the secret before it still signs, unless `overlapSeconds` is 0. */
  rotate(accountId: string, id: string, overlapSeconds: number, once?: IdempotentCreate): Promise<WebhookEndpoint>
  /** The secret that signs the URLs of executions. */
  accountSecret(accountId: string): Promise<WebhookSecret>
  rotateAccountSecret(accountId: string, overlapSeconds: number, once?: IdempotentCreate): Promise<WebhookSecret>
  /** Sends a test event to the endpoint. */
  test(accountId: string, id: string, once?: IdempotentCreate): Promise<WebhookDelivery>
  listDeliveries(accountId: string, page: PageRequest, filter: DeliveryFilter): Promise<Page<WebhookDelivery>>
  findDelivery(accountId: string, id: string): Promise<DeliveryDetails>
  /** Sends it again, with the same id and body. */
  replay(accountId: string, id: string, once?: IdempotentCreate): Promise<WebhookDelivery>
  /** Throws `invalid_request` with this path if webhooks can't be sent to the URL. */
  requireUrl(url: string, path: string): void
}

interface Dependencies {
  endpoints: WebhookEndpointStore
  deliveries: WebhookDeliveryStore
  clock: Clock
  /** See `WebhookHttp`. */
  problemOf(url: string): string | undefined
}

export function createWebhooks({ endpoints, deliveries, clock, problemOf }: Dependencies): Webhooks {
  function requireUrl(url: string, path: string): void {
    const message = problemOf(url)
    if (message !== undefined) throw invalidRequest([{ path, message }])
  }

  async function find(accountId: string, id: string): Promise<WebhookEndpoint> {
    const endpoint = await endpoints.find(accountId, id)
    if (endpoint === undefined) throw notFound('webhook endpoint', id)
    return endpoint
  }

  async function findDelivery(accountId: string, id: string): Promise<DeliveryDetails> {
    const found = await deliveries.find(accountId, id)
    if (found === undefined) throw notFound('webhook delivery', id)
    return found
  }

  function rotated(before: WebhookSecret, overlapSeconds: number): WebhookSecret {
    const now = clock.now()
    if (overlapSeconds === 0) return { secret: newWebhookSecret(), ...noPrevious }
    if (before.previousUntil !== null && before.previousUntil > now) throw overlapping(before.previousUntil)
    return { secret: newWebhookSecret(), previous: before.secret, previousUntil: now + overlapSeconds * 1_000 }
  }

  return {
    requireUrl,
    find,
    findDelivery,
    list: (accountId, page) => endpoints.list(accountId, page),

    async create(accountId, { url, description = '', eventTypes, disabled = false }, once) {
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      requireUrl(url, 'url')
      const now = clock.now()
      const endpoint: WebhookEndpoint = {
        id: newId('whe', now),
        accountId,
        url,
        description,
        eventTypes: distinct(eventTypes),
        secret: newWebhookSecret(),
        ...noPrevious,
        disabledAt: disabled ? now : null,
        disabledReason: disabled ? 'caller' : null,
        failingSince: null,
        createdAt: now,
        updatedAt: now,
      }
      await endpoints.create(endpoint, once?.record)
      return endpoint
    },

    async replace(accountId, id, { url, description = '', eventTypes, disabled = false }) {
      requireUrl(url, 'url')
      const now = clock.now()
      const endpoint = await endpoints.update(accountId, id, (before) => {
        const wasDisabled = before.disabledAt !== null
        const state = disabled
          ? wasDisabled
            ? {}
            : { disabledAt: now, disabledReason: 'caller' as const }
          : { disabledAt: null, disabledReason: null, ...(wasDisabled ? { failingSince: null } : {}) }
        // Failures of the former receiver don't disable the endpoint.
        const moved = url === before.url ? {} : { failingSince: null }
        return { url, description, eventTypes: distinct(eventTypes), updatedAt: now, ...state, ...moved }
      })
      if (endpoint === undefined) throw notFound('webhook endpoint', id)
      return endpoint
    },

    async remove(accountId, id) {
      if (!(await endpoints.remove(accountId, id))) throw notFound('webhook endpoint', id)
    },

    async rotate(accountId, id, overlapSeconds, once) {
      if (once?.createdId !== undefined) return find(accountId, id)
      const change = (before: WebhookEndpoint) => ({ ...rotated(before, overlapSeconds), updatedAt: clock.now() })
      const endpoint = await endpoints.update(accountId, id, change, once?.record)
      if (endpoint === undefined) throw notFound('webhook endpoint', id)
      return endpoint
    },

    accountSecret: (accountId) => endpoints.accountSecret(accountId, newWebhookSecret()),

    async rotateAccountSecret(accountId, overlapSeconds, once) {
      const initial = newWebhookSecret()
      if (once?.createdId !== undefined) return endpoints.accountSecret(accountId, initial)
      const change = (before: WebhookSecret) => rotated(before, overlapSeconds)
      return endpoints.changeAccountSecret(accountId, initial, change, once?.record)
    },

    async test(accountId, id, once) {
      if (once?.createdId !== undefined) return (await findDelivery(accountId, once.createdId)).delivery
      const { url, disabledAt } = await find(accountId, id)
      if (disabledAt !== null)
        throw invalidRequest([{ path: 'endpointId', message: 'is the id of a disabled endpoint. Enable it first.' }])
      const now = clock.now()
      const event = { type: testEventType, createdAt: now }
      const body = bodyWith(event, { endpointId: id, message: 'This is a test event of Tintype.' })
      const delivery = await deliveries.add(
        {
          id: newId('whd', now),
          accountId,
          endpointId: id,
          url,
          eventId: newId('evt', now),
          eventType: testEventType,
          status: 'pending',
          attempts: 0,
          nextAttemptAt: now,
          problem: null,
          createdAt: now,
          endedAt: null,
        },
        body,
        once?.record,
      )
      if (delivery === undefined) {
        const limit = limits.webhookDeliveriesWaitingMax
        const message = `Too many deliveries are waiting: at most ${limit} for an endpoint, and ${limits.webhookWaitingBytesMax} bytes for an account. Retry later.`
        throw new Fault('rate_limited', message, { limit, retryAfterSeconds: 60 })
      }
      return delivery
    },

    listDeliveries: (accountId, page, filter) => deliveries.list(accountId, page, filter),

    async replay(accountId, id, once) {
      const { delivery } = await findDelivery(accountId, id)
      if (once?.createdId !== undefined) return delivery
      if (delivery.endpointId !== null) {
        const endpoint = await endpoints.find(accountId, delivery.endpointId)
        if (endpoint === undefined || endpoint.disabledAt !== null) {
          const problem = endpoint === undefined ? 'deleted' : 'disabled'
          const message = `is the id of a delivery to an endpoint that is ${problem}, so it can't be sent again.`
          throw invalidRequest([{ path: 'deliveryId', message }])
        }
      }
      // A delivery that waits is sent anyway.
      await deliveries.replay(accountId, id, clock.now(), once?.record)
      return (await findDelivery(accountId, id)).delivery
    },
  }
}

function overlapping(previousUntil: number): Fault {
  const message = `must be 0, because the secret was rotated before, and the one before it signs until ${new Date(previousUntil).toISOString()}. Retry then, or end both with 0.`
  return invalidRequest([{ path: 'overlapSeconds', message }])
}

const noPrevious = { previous: null, previousUntil: null }

/** Null: all types. */
function distinct(eventTypes: readonly WebhookEventType[] | undefined): WebhookEventType[] | null {
  return eventTypes === undefined ? null : [...new Set(eventTypes)]
}
