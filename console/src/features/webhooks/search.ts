/** The URL parameters of the webhooks page: the filters of the deliveries, and the delivery that is open. */
import type { DeliveryStatus } from '../../api/webhooks.ts'

export const statuses: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

export interface WebhooksSearch {
  endpoint?: string
  status?: DeliveryStatus
  /** Page number from 2. */
  page?: number
  delivery?: string
}

export function webhooksSearch({ endpoint, status, page, delivery }: Record<string, unknown>): WebhooksSearch {
  const number = Number(page)
  return {
    ...(typeof endpoint === 'string' ? { endpoint } : {}),
    ...(statuses.includes(status as DeliveryStatus) ? { status: status as DeliveryStatus } : {}),
    ...(Number.isInteger(number) && number > 1 ? { page: number } : {}),
    ...(typeof delivery === 'string' ? { delivery } : {}),
  }
}
