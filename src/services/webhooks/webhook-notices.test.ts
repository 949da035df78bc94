import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewNotice } from '../../domain/webhooks/webhook.ts'
import { createWebhookNotices } from './webhook-notices.ts'

test('an event that cannot be written keeps no others waiting', async () => {
  const lost = new Error('a statement took too long')
  const written: string[] = []
  const budget = { budgetMicros: 100, spentMicros: 85 }
  const key = { accountId: 'acct_2', name: 'K', prefix: 'tt_', expiresAt: 2_000 }
  const notices = createWebhookNotices({
    deliveries: {
      budgets: async () => ['acct_1', 'acct_2'].map((accountId) => ({ ...budget, accountId })),
      expiringKeys: async () => ['key_1', 'key_2'].map((id) => ({ ...key, id })),
      async notify({ id }: NewNotice) {
        if (id.startsWith('budget_acct_1') || id.startsWith('key_key_1')) throw lost
        written.push(id)
        return true
      },
    },
    clock: { now: () => 1_000 },
    monthlyBudget: null,
  })
  await assert.rejects(notices.send(), lost)
  assert.deepEqual(written, ['budget_acct_2_1970-01_80', 'key_key_2_2000'])
})
