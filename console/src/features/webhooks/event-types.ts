import type { WebhookEventType } from '../../api/webhooks.ts'

/** Every type, with its label in forms. */
export const eventTypes: Record<WebhookEventType, string> = {
  'execution.completed': 'An execution completed',
  'execution.failed': 'An execution failed or was cancelled',
  'batch.completed': 'All rows of a batch have ended',
  'workflow.published': 'A version of a workflow was published',
  'budget.reached': '80 % or 100 % of the budget is spent',
  'key.expiring': 'An API key expires in seven days',
  'webhook.disabled': 'Another endpoint was disabled after failures',
}

export const disabledTexts = {
  gone: 'Disabled: the receiver returned 410.',
  failing: 'Disabled: no delivery succeeded for five days.',
  backlog: 'Disabled: too many deliveries were waiting.',
  caller: 'Disabled',
} as const
