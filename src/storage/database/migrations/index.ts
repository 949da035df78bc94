import type { LockingMigration } from '../migrate.ts'
import { init } from './2026-12-09-init.ts'
import { runningExecutions } from './2026-12-10-running-executions.ts'
import { retention } from './2026-12-11-retention.ts'
import { endingAccounts } from './2026-12-18-ending-accounts.ts'
import { expiry } from './2026-12-19-expiry.ts'
import { audit } from './2026-12-20-audit.ts'
import { redirects } from './2026-12-25-redirects.ts'
import { ends } from './2026-12-26-ends.ts'
import { quotas } from './2026-12-27-quotas.ts'
import { traces } from './2026-12-28-traces.ts'
import { editedRows } from './2026-12-29-edited-rows.ts'
import { twins } from './2026-12-30-twins.ts'
import { keyBudgets } from './2026-12-31-key-budgets.ts'
import { runLinks } from './2027-01-02-run-links.ts'
import { bin } from './2027-01-03-bin.ts'

/** History: before the first release, nine migrations made the tables of `init`. */
export const unreleased = {
  /** The last commit that reads such a database. */
  commit: 'ada3d941f9e331d089073543bec3a1875ba3b27c',
  /** Its archives have this migration last. Their tables are those of `init`. */
  lastMigration: '2026-12-08-counted-executions',
}

/**
 * Every migration, oldest first; the names sort in the order of the list. A released migration never changes, and nothing
 * migrates back. SQLite's ALTER TABLE only adds, drops and renames columns, so later migrations only add.
 */
export const migrations: Record<string, LockingMigration> = {
  '2026-12-09-init': init,
  '2026-12-10-running-executions': runningExecutions,
  '2026-12-11-retention': retention,
  '2026-12-18-ending-accounts': endingAccounts,
  '2026-12-19-expiry': expiry,
  '2026-12-20-audit': audit,
  '2026-12-25-redirects': redirects,
  '2026-12-26-ends': ends,
  '2026-12-27-quotas': quotas,
  '2026-12-28-traces': traces,
  '2026-12-29-edited-rows': editedRows,
  '2026-12-30-twins': twins,
  '2026-12-31-key-budgets': keyBudgets,
  '2027-01-02-run-links': runLinks,
  '2027-01-03-bin': bin,
}
