import type { Migration } from 'kysely/migration'
import { init } from './2026-11-21-init.ts'
import { uploadedFonts } from './2026-11-21-uploaded-fonts.ts'
import { vacatedBlobs } from './2026-11-21-vacated-blobs.ts'
import { wholeRequests } from './2026-11-21-whole-requests.ts'
import { windowsOfRates } from './2026-11-21-windows-of-rates.ts'
import { writtenTotals } from './2026-11-21-written-totals.ts'
import { yieldsOfSteps } from './2026-11-21-yields-of-steps.ts'
import { addresses } from './2026-11-22-addresses.ts'
import { begunAgain } from './2026-11-22-begun-again.ts'
import { callsOfProviders } from './2026-11-22-calls-of-providers.ts'
import { drafts } from './2026-11-23-drafts.ts'
import { logsOfExecutions } from './2026-11-23-logs-of-executions.ts'
import { previews } from './2026-11-23-previews.ts'
import { sessions } from './2026-11-23-sessions.ts'
import { sumsOfDays } from './2026-11-23-sums-of-days.ts'
import { parkedAttempts } from './2026-11-24-parked-attempts.ts'
import { turnsOfAccounts } from './2026-11-24-turns-of-accounts.ts'

/**
 * Every migration ever released, oldest first; the names sort as the list does. Forward only: one that was released
 * never changes, and there is no way down. SQLite's ALTER TABLE only adds, drops and renames columns, so additive ones.
 */
export const migrations: Record<string, Migration> = {
  '2026-11-21-init': init,
  '2026-11-21-uploaded-fonts': uploadedFonts,
  '2026-11-21-vacated-blobs': vacatedBlobs,
  '2026-11-21-whole-requests': wholeRequests,
  '2026-11-21-windows-of-rates': windowsOfRates,
  '2026-11-21-written-totals': writtenTotals,
  '2026-11-21-yields-of-steps': yieldsOfSteps,
  '2026-11-22-addresses': addresses,
  '2026-11-22-begun-again': begunAgain,
  '2026-11-22-calls-of-providers': callsOfProviders,
  '2026-11-23-drafts': drafts,
  '2026-11-23-logs-of-executions': logsOfExecutions,
  '2026-11-23-previews': previews,
  '2026-11-23-sessions': sessions,
  '2026-11-23-sums-of-days': sumsOfDays,
  '2026-11-24-parked-attempts': parkedAttempts,
  '2026-11-24-turns-of-accounts': turnsOfAccounts,
}
