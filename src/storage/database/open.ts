import { type Kysely, sql } from 'kysely'
import type { QuotaSettings } from '../../domain/accounts/quota.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import { startDatabaseClock } from './clock.ts'
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.ts'
import { migrate, requireKnown } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'
import { createQuotaStore, createQuotas } from './sql/quotas.ts'
import { rawQuery } from './sql/raw-query.ts'
import { keepTemporaryDataInMemory, openSqlite, type SqliteOptions } from './sqlite.ts'
import { createAccountStore } from './stores/accounts.ts'
import { createActivityStore } from './stores/activity.ts'
import { createAuditStore } from './stores/audit.ts'
import { createBackgroundJobStore } from './stores/background-jobs.ts'
import { createBatchItemStore } from './stores/batch-items.ts'
import { createBatchStore } from './stores/batches.ts'
import { createBinStore } from './stores/bin.ts'
import { createBlobRemovalStore } from './stores/blob-removals.ts'
import { createBrandStore } from './stores/brands.ts'
import { createChannelStore } from './stores/channels.ts'
import { createDerivedFileStore } from './stores/derived-files.ts'
import { createDraftStore } from './stores/drafts.ts'
import { createExecutionStore } from './stores/executions.ts'
import { createFontStore } from './stores/fonts.ts'
import { createIdempotencyStore } from './stores/idempotency.ts'
import { createImageStore } from './stores/images.ts'
import { createKeyStore } from './stores/keys.ts'
import { createPreviewStore } from './stores/previews.ts'
import { createProjectStore } from './stores/projects.ts'
import { createProviderCallStore } from './stores/provider-calls.ts'
import { createServiceUrlStore } from './stores/service-urls.ts'
import { createSessionStore } from './stores/sessions.ts'
import { createSigningKeyStore } from './stores/signing-keys.ts'
import { createStepResultStore } from './stores/step-results.ts'
import { createWebhookDeliveryStore } from './stores/webhook-deliveries.ts'
import { createWebhookEndpointStore } from './stores/webhook-endpoints.ts'
import { createWorkflowStore } from './stores/workflows.ts'

/** The store of each noun. */
export type Stores = ReturnType<typeof createStores>

/** A file of this machine, or a PostgreSQL server that several processes share. */
export type DatabaseLocation = { file: string } | { url: string; connectionsMax?: number }

export interface Database {
  engine: 'sqlite' | 'postgres'
  stores: Stores
  /** The same time for all processes that have this database open. */
  clock: Clock
  /** Access for code that is not a store: the queue, exports. */
  kysely: Kysely<Schema>
  dialect: Dialect
  /** Runs the work while no other process, and no other call in this process, runs work of this name. Do not nest calls. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Migrates a database that was opened as it is: up to this migration, or to the newest. */
  migrateTo(name?: string): Promise<void>
  /** Undefined without a pool. */
  connections?(): { open: number; idle: number; waiting: number }
  /** Throws if the database does not respond. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface OpenOptions extends Pick<SqliteOptions, 'syncsInCommit'> {
  /** Leaves the schema as it is, for an import, which needs the schema of its archive. */
  asItIs?: boolean
  quotas?: QuotaSettings | undefined
}

/** Opens the database and brings it to the newest schema. Other processes may have it open. Throws `OtherVersion`. */
export async function openDatabase(
  location: DatabaseLocation,
  { asItIs = false, ...options }: OpenOptions = {},
): Promise<Database> {
  const database = 'file' in location ? await openFile(location.file, options) : await openServer(location, options)
  await orClose(database, async () => {
    if (asItIs) await requireKnown(database.kysely, Object.keys(migrations))
    else {
      await database.migrateTo()
      if ('file' in location) await keepTemporaryDataInMemory(database.kysely)
    }
  })
  return database
}

async function openFile(file: string, { quotas, ...options }: OpenOptions): Promise<Database> {
  const db = await openSqlite(file, options)
  const migrateTo: Database['migrateTo'] = (name) => migrate(db, migrationsUpTo(name))
  return {
    engine: 'sqlite',
    ...databaseOf(db, sqliteDialect, quotas),
    clock: systemClock,
    migrateTo,
    exclusively: oneAtATime(),
  }
}

async function openServer(
  { url, connectionsMax = 10 }: Extract<DatabaseLocation, { url: string }>,
  { quotas }: OpenOptions,
) {
  const { openPostgres } = await import('./postgres.ts')
  const { db, connections, migrating, exclusively } = await openPostgres(url, { connectionsMax })
  const migrateTo: Database['migrateTo'] = (name) => migrating((migrator) => migrate(migrator, migrationsUpTo(name)))
  const database = databaseOf(db, postgresDialect, quotas)
  const clock = await orClose(database, () => startDatabaseClock(rawQuery(db)))
  async function close(): Promise<void> {
    clock.stop()
    await database.close()
  }
  return { engine: 'postgres' as const, ...database, connections, clock, migrateTo, exclusively, close }
}

function migrationsUpTo(name = Object.keys(migrations).at(-1) ?? ''): typeof migrations {
  return Object.fromEntries(Object.entries(migrations).filter(([migration]) => migration <= name))
}

async function orClose<T>(database: Pick<Database, 'close'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await database.close()
    throw error
  }
}

function databaseOf(db: Kysely<Schema>, dialect: Dialect, quotas: QuotaSettings | undefined) {
  return {
    stores: createStores(db, dialect, quotas),
    kysely: db,
    dialect,
    async check() {
      await sql`select 1 from accounts limit 1`.execute(db)
    },
    close: () => db.destroy(),
  }
}

/**
 * Runs work one at a time within one process: each call waits for the previous one of the same name, whether that
 * succeeded or failed.
 */
function oneAtATime(): Database['exclusively'] {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work)
    last.set(
      name,
      result.catch(() => {}),
    )
    return result
  }
}

export function createStores(db: Kysely<Schema>, dialect: Dialect, quotaSettings: QuotaSettings = {}) {
  const quotas = createQuotas(dialect, quotaSettings)
  return {
    quotas: createQuotaStore(db, quotas),
    accounts: createAccountStore(db, dialect),
    keys: createKeyStore(db, dialect, quotas),
    signingKeys: createSigningKeyStore(db, dialect, quotas),
    projects: createProjectStore(db, dialect, quotas),
    brands: createBrandStore(db, dialect),
    workflows: createWorkflowStore(db, dialect, quotas),
    channels: createChannelStore(db, dialect),
    drafts: createDraftStore(db, dialect, quotas),
    images: createImageStore(db, dialect, quotas),
    bin: createBinStore(db),
    derivedFiles: createDerivedFileStore(db, dialect),
    fonts: createFontStore(db, dialect, quotas),
    executions: createExecutionStore(db, dialect, quotas),
    batches: createBatchStore(db, dialect, quotas),
    batchItems: createBatchItemStore(db, dialect, quotas),
    idempotency: createIdempotencyStore(db),
    blobRemovals: createBlobRemovalStore(db),
    stepResults: createStepResultStore(db),
    previews: createPreviewStore(db),
    backgroundJobs: createBackgroundJobStore(db),
    serviceUrls: createServiceUrlStore(db),
    activity: createActivityStore(db, dialect),
    providerCalls: createProviderCallStore(db, dialect),
    sessions: createSessionStore(db),
    audit: createAuditStore(db),
    webhookEndpoints: createWebhookEndpointStore(db, dialect, quotas),
    webhookDeliveries: createWebhookDeliveryStore(db, dialect),
  }
}
