/** Converts webhook deliveries to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { DeliveryDetails, WebhookDelivery } from '../../../domain/webhooks/webhook.ts'

export function deliveryRecord(delivery: WebhookDelivery) {
  const { id, endpointId, url, eventId, eventType, status, attempts, nextAttemptAt, problem, endedAt } = delivery
  return {
    id,
    ...(endpointId === null ? {} : { endpointId }),
    url,
    eventId,
    eventType,
    status,
    attempts,
    ...(nextAttemptAt === null ? {} : { nextAttemptAt: timestamp(nextAttemptAt) }),
    ...(problem === null ? {} : { problem }),
    createdAt: timestamp(delivery.createdAt),
    ...(endedAt === null ? {} : { endedAt: timestamp(endedAt) }),
  }
}

export function deliveryDetails({ delivery, body, log }: DeliveryDetails) {
  const attempts = log.map(({ at, durationMs, status, response, problem }) => ({
    at: timestamp(at),
    duration: durationMs,
    ...(status === null ? {} : { status }),
    response,
    ...(problem === null ? {} : { problem }),
  }))
  return { ...deliveryRecord(delivery), body, log: attempts }
}
