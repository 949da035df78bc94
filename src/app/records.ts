/** Composition of the parts that need no images: records, accounts and keys. Short commands open only these. */
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config/config.ts'
import { microsOrNull } from '../domain/money.ts'
import { type Accounts, createAccounts } from '../services/accounts/accounts.ts'
import { type Activity, createActivity } from '../services/accounts/activity.ts'
import { type AuditLog, createAuditLog } from '../services/accounts/audit-log.ts'
import { createKeys, type Keys } from '../services/accounts/keys.ts'
import { createRunLinkChecks, type RunLinkChecks } from '../services/accounts/run-link-checks.ts'
import { createUsage, type Usage } from '../services/accounts/usage.ts'
import { createSigningKeys, type SigningKeys } from '../services/delivery/signing-keys.ts'
import { createVersionChooser } from '../services/workflows/version-chooser.ts'
import { OtherVersion, type UnknownMigration } from '../storage/database/migrate.ts'
import { unreleased } from '../storage/database/migrations/index.ts'
import { type Database, type DatabaseLocation, type OpenOptions, openDatabase } from '../storage/database/open.ts'
import { makePrivateFolder } from '../storage/private.ts'

export interface Records {
  database: Database
  accounts: Accounts
  keys: Keys
  runLinks: RunLinkChecks
  signingKeys: SigningKeys
  usage: Usage
  activity: Activity
  auditLog: AuditLog
  close(): Promise<void>
}

export type RecordsConfig = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databaseConnectionsMax' | 'accountBudgetUsdPerMonth' | 'executionsKeptDays'
> &
  Partial<Pick<Config, 'uploadsKeptDays' | 'outputsKeptDays' | 'quotas'>>

export async function openRecordServices(config: RecordsConfig, options?: OpenOptions): Promise<Records> {
  const database = await openRecords(config, options)
  const { clock } = database
  const versionChooser = createVersionChooser(database.stores)
  const runLinks = createRunLinkChecks({ versionChooser, images: database.stores.images })
  const { accounts, activity, audit, executions, keys, projects, providerCalls, quotas, signingKeys } = database.stores
  return {
    database,
    accounts: createAccounts({ accounts, projects, executions, clock }),
    keys: createKeys({ keys, accounts, clock }),
    runLinks,
    signingKeys: createSigningKeys({
      signingKeys,
      calls: providerCalls,
      versionChooser,
      clock,
    }),
    usage: createUsage({
      calls: providerCalls,
      clock,
      monthlyBudget: microsOrNull(config.accountBudgetUsdPerMonth),
      quotas,
      executionsKeptDays: config.executionsKeptDays,
      uploadsKeptDays: config.uploadsKeptDays,
      outputsKeptDays: config.outputsKeptDays,
    }),
    activity: createActivity({ activity, accounts, clock }),
    auditLog: createAuditLog({ audit }),
    close: () => database.close(),
  }
}

/** The database alone. Throws `ConfigError` if another version has made its tables. */
export async function openRecords(config: RecordsConfig, options?: OpenOptions): Promise<Database> {
  makeDataDir(config.dataDir)
  try {
    return await openDatabase(placeOf(config), { ...options, quotas: config.quotas })
  } catch (error) {
    throw error instanceof OtherVersion ? new ConfigError([otherVersionMessage(config, error.unknown)]) : error
  }
}

function otherVersionMessage(
  { dataDir, databaseUrl }: RecordsConfig,
  { name, isEarlier, isChanged }: UnknownMigration,
): string {
  const [database, empty] =
    databaseUrl === undefined
      ? [`The database in DATA_DIR (${JSON.stringify(dataDir)})`, 'Set DATA_DIR to an empty folder']
      : ['The database of DATABASE_URL', 'Set DATABASE_URL to an empty database']
  if (isChanged && isEarlier)
    return `${database} was created by a version of Tintype from before the first release (migration ${name}), by a commit with other tables than later ones. Export it with that commit. Its archive is old, too, and the last commit that reads it is ${unreleased.commit}: import it there, and export it again with "tintype export". ${empty}, and import the last archive with "tintype import" of this version. Or start there without these records.`
  if (isChanged)
    return `${database} was created by another commit of Tintype, in which the migration ${name} made other tables. Export it there with "tintype export". ${empty}, and import the archive with "tintype import" of this version. Or start there without these records.`
  return isEarlier
    ? `${database} was created by a version of Tintype from before the first release (migration ${name}). The last commit that reads it is ${unreleased.commit}: export it there with "tintype export". ${empty}, and import the archive with "tintype import" of this version. Or start there without these records.`
    : `${database} was used by a newer version of Tintype, which added the migration ${name}. Start that version or a later one, or restore a backup from before the update. ${empty} to start without these records.`
}

function placeOf({ dataDir, databaseUrl, databaseConnectionsMax }: RecordsConfig): DatabaseLocation {
  if (databaseUrl === undefined) return { file: databaseFile(dataDir) }
  return { url: databaseUrl, connectionsMax: databaseConnectionsMax }
}

/**
 * Throws if a command that needs existing records finds none: a mistyped DATA_DIR is an error, not a new, empty
 * database.
 */
export function requireRecords({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (databaseUrl !== undefined || existsSync(databaseFile(dataDir))) return
  throw new ConfigError([
    `DATA_DIR must be the folder of a service, but ${JSON.stringify(dataDir)} has no database. Set it to the folder of the service, or start the service once.`,
  ])
}

function databaseFile(dataDir: string): string {
  return join(dataDir, 'tintype.db')
}

/** Throws `ConfigError` if the folder can't be created or written. */
export function makeDataDir(dataDir: string): void {
  try {
    makePrivateFolder(dataDir)
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError([
      `DATA_DIR must be a folder that the service can create and write, but ${JSON.stringify(dataDir)} failed (${code}).`,
    ])
  }
}
