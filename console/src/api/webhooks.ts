/** Webhook endpoints, their secrets, and the log of deliveries. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { pageAt, withoutUndefined } from './paging.ts'
import type { Schemas } from './types.ts'

export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type WebhookEndpointInput = Schemas['WebhookEndpointInput']
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint']
export type WebhookSecret = Schemas['WebhookSecret']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookDeliveryDetails = Schemas['WebhookDeliveryDetails']
export type WebhookEventType = NonNullable<WebhookEndpointInput['eventTypes']>[number]
export type DeliveryStatus = WebhookDelivery['status']

/** The endpoints, at most 20. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'endpoints'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/webhook-endpoints', { params: { query: { limit: 100 } }, signal }))).endpoints,
})

export interface DeliveryFilter {
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
}

const pageSize = 20

/** One page, newest first.  Read again often while a delivery of the page waits, because its status changes soon. */
export const deliveriesQuery = (filter: DeliveryFilter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', filter, cursor],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/webhook-deliveries', {
          params: { query: { ...withoutUndefined(filter), ...pageAt(pageSize, cursor) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isWaiting) ? 2_000 : 10_000),
  })

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/webhook-deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal })),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? 2_000 : false),
  })

function isWaiting({ status }: Pick<WebhookDelivery, 'status'>): boolean {
  return status === 'pending'
}

export function createEndpoint(body: WebhookEndpointInput): Promise<NewWebhookEndpoint> {
  return unwrap(api.POST('/webhook-endpoints', { body }))
}

export function replaceEndpoint(endpointId: string, body: WebhookEndpointInput): Promise<WebhookEndpoint> {
  return unwrap(api.PUT('/webhook-endpoints/{endpointId}', { params: { path: { endpointId } }, body }))
}

/** The settings of an endpoint, to change some of them. */
export function settingsOf({ url, description, eventTypes, disabled }: WebhookEndpoint): WebhookEndpointInput {
  return { url, description, disabled, ...(eventTypes ? { eventTypes } : {}) }
}

export async function deleteEndpoint(endpointId: string): Promise<void> {
  await unwrap(api.DELETE('/webhook-endpoints/{endpointId}', { params: { path: { endpointId } } }))
}

export function endpointSecret(endpointId: string): Promise<WebhookSecret> {
  return unwrap(api.GET('/webhook-endpoints/{endpointId}/secret', { params: { path: { endpointId } } }))
}

export function rotateEndpointSecret(endpointId: string, overlapSeconds: number): Promise<WebhookSecret> {
  return unwrap(
    api.POST('/webhook-endpoints/{endpointId}/secret/rotate', {
      params: { path: { endpointId } },
      body: { overlapSeconds },
    }),
  )
}

export function testEndpoint(endpointId: string): Promise<WebhookDelivery> {
  return unwrap(api.POST('/webhook-endpoints/{endpointId}/test', { params: { path: { endpointId } } }))
}

export function replayDelivery(deliveryId: string): Promise<WebhookDelivery> {
  return unwrap(api.POST('/webhook-deliveries/{deliveryId}/replay', { params: { path: { deliveryId } } }))
}
