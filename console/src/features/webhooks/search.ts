/** The URL parameters of the webhooks page: the filters of the deliveries, and the delivery that is open. */
import type { DeliveryStatus } from '../../api/webhooks.ts'
import { type CursorSearch, cursorSearch } from '../../ui/cursors.ts'

export const statuses: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

export interface WebhooksSearch extends CursorSearch {
  endpoint?: string
  status?: DeliveryStatus
  delivery?: string
}

export function webhooksSearch({ endpoint, status, cursor, delivery }: Record<string, unknown>): WebhooksSearch {
  return {
    ...(typeof endpoint === 'string' ? { endpoint } : {}),
    ...(statuses.includes(status as DeliveryStatus) ? { status: status as DeliveryStatus } : {}),
    ...cursorSearch(cursor),
    ...(typeof delivery === 'string' ? { delivery } : {}),
  }
}
