/** Converts webhook endpoints and secrets to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { WebhookEndpoint, WebhookSecret } from '../../../domain/webhooks/webhook.ts'

export function endpointRecord(endpoint: WebhookEndpoint) {
  const { id, url, description, eventTypes, disabledAt, disabledReason, failingSince } = endpoint
  return {
    id,
    url,
    description,
    ...(eventTypes === null ? {} : { eventTypes }),
    disabled: disabledAt !== null,
    ...(disabledAt === null ? {} : { disabledAt: timestamp(disabledAt) }),
    ...(disabledReason === null ? {} : { disabledReason }),
    ...(failingSince === null ? {} : { failingSince: timestamp(failingSince) }),
    createdAt: timestamp(endpoint.createdAt),
    updatedAt: timestamp(endpoint.updatedAt),
  }
}

export function secretRecord({ secret, previousUntil }: WebhookSecret) {
  return { secret, ...(previousUntil === null ? {} : { previousSecretUntil: timestamp(previousUntil) }) }
}
