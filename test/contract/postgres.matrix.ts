/** Every contract of the stores on PostgreSQL: on the server of TINTYPE_TEST_POSTGRES, or on a separate one. */
import { after, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '../../src/storage/database/migrate.ts'
import { createStores, type Database, type OpenOptions, openDatabase } from '../../src/storage/database/open.ts'
import { openPostgres } from '../../src/storage/database/postgres.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { accountRemovalContract } from './account-removal.ts'
import { accountsContract } from './accounts.ts'
import { activityContract } from './activity.ts'
import { auditContract } from './audit.ts'
import { batchesContract } from './batches.ts'
import { binContract } from './bin.ts'
import { blobRemovalsContract } from './blob-removals.ts'
import { brandsContract } from './brands.ts'
import { channelsContract } from './channels.ts'
import { cursorsContract } from './cursors.ts'
import { deliveryContract } from './delivery.ts'
import { draftsContract } from './drafts.ts'
import { executionEventsContract } from './execution-events.ts'
import { executionsContract } from './executions.ts'
import { fairQueueContract } from './fair-queue.ts'
import { fontsContract } from './fonts.ts'
import { idempotencyContract } from './idempotency.ts'
import { imagesContract } from './images.ts'
import { keysContract } from './keys.ts'
import { migrationsContract } from './migrations.ts'
import { previewsContract } from './previews.ts'
import { projectsContract } from './projects.ts'
import { providerCallsContract } from './provider-calls.ts'
import { quotaCallersContract } from './quota-callers.ts'
import { quotasContract } from './quotas.ts'
import type { OpenStores } from './records.ts'
import { retentionContract } from './retention.ts'
import { serviceUrlsContract } from './service-urls.ts'
import { sessionsContract } from './sessions.ts'
import { stepResultsContract } from './step-results.ts'
import { totalsContract } from './totals.ts'
import { twinsContract } from './twins.ts'
import { webhooksContract } from './webhooks.ts'
import { workflowsContract } from './workflows.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())

const newDatabase = () => newDatabaseOn(serverUrl ?? server?.url ?? '')

/** One database for all tests that need only an empty one, because creating one takes longer than most tests. */
const shared = await openDatabase({ url: await newDatabase() })
after(() => shared.close())
const tables = (await shared.kysely.introspection.getTables()).map(({ name }) => name)

async function openAll(_?: unknown, { quotas }: OpenOptions = {}): Promise<Database> {
  await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(shared.kysely)
  return quotas === undefined ? shared : { ...shared, stores: createStores(shared.kysely, shared.dialect, quotas) }
}

const open: OpenStores = async (...of) => (await openAll(...of)).stores

accountsContract('PostgreSQL', open)
activityContract('PostgreSQL', open)
serviceUrlsContract('PostgreSQL', open)
keysContract('PostgreSQL', open)
projectsContract('PostgreSQL', open)
brandsContract('PostgreSQL', open)
workflowsContract('PostgreSQL', open)
channelsContract('PostgreSQL', open)
draftsContract('PostgreSQL', open)
imagesContract('PostgreSQL', open)
binContract('PostgreSQL', open)
deliveryContract('PostgreSQL', open)
fontsContract('PostgreSQL', open)
executionsContract('PostgreSQL', open)
executionEventsContract('PostgreSQL', openAll)
batchesContract('PostgreSQL', open)
idempotencyContract('PostgreSQL', open)
blobRemovalsContract('PostgreSQL', open)
providerCallsContract('PostgreSQL', open)
sessionsContract('PostgreSQL', open)
webhooksContract('PostgreSQL', openAll)
totalsContract('PostgreSQL', openAll)
retentionContract('PostgreSQL', openAll)
accountRemovalContract('PostgreSQL', openAll)
twinsContract('PostgreSQL', openAll)
auditContract('PostgreSQL', openAll)
cursorsContract('PostgreSQL', openAll)
quotasContract('PostgreSQL', openAll)
const openHandles = async (t: TestContext, count: number, options?: OpenOptions) => {
  const url = await newDatabase()
  const open = () => openDatabase({ url, connectionsMax: 5 }, options)
  const handles = await Promise.all(Array.from({ length: count }, open))
  t.after(() => Promise.all(handles.map((each) => each.close())))
  return handles
}
fairQueueContract('PostgreSQL', openHandles)
quotaCallersContract('PostgreSQL', openHandles)
stepResultsContract('PostgreSQL', openAll)
previewsContract('PostgreSQL', open)
migrationsContract('PostgreSQL', async (t) => {
  const url = await newDatabase()
  const { db, migrating } = await openPostgres(url, { connectionsMax: 2 })
  t.after(() => db.destroy())
  return {
    db,
    migrate: (list) => migrating((migrator) => migrate(migrator, list)),
  }
})
