import type { Migration } from 'kysely/migration'
import { init } from './2026-11-30-init.ts'
import { endedWebhooks } from './2026-12-01-ended-webhooks.ts'
import { webhookEndings } from './2026-12-02-webhook-endings.ts'
import { webhookBodies } from './2026-12-03-webhook-bodies.ts'
import { webhookTotals } from './2026-12-04-webhook-totals.ts'
import { storedBytes } from './2026-12-05-stored-bytes.ts'
import { endedKeys } from './2026-12-06-ended-keys.ts'
import { stepResultTotals } from './2026-12-07-step-result-totals.ts'
import { countedExecutions } from './2026-12-08-counted-executions.ts'

/**
 * Every migration, oldest first; the names sort in the order of the list. A released migration never changes, and nothing
 * migrates back. SQLite's ALTER TABLE only adds, drops and renames columns, so later migrations only add.
 */
export const migrations: Record<string, Migration> = {
  '2026-11-30-init': init,
  '2026-12-01-ended-webhooks': endedWebhooks,
  '2026-12-02-webhook-endings': webhookEndings,
  '2026-12-03-webhook-bodies': webhookBodies,
  '2026-12-04-webhook-totals': webhookTotals,
  '2026-12-05-stored-bytes': storedBytes,
  '2026-12-06-ended-keys': endedKeys,
  '2026-12-07-step-result-totals': stepResultTotals,
  '2026-12-08-counted-executions': countedExecutions,
}
