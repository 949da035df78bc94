import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { migrate } from '../../src/storage/database/migrate.ts'
import type { OpenOptions } from '../../src/storage/database/open.ts'
import { openSqlite } from '../../src/storage/database/sqlite.ts'
import { newSqlite } from '../harness/sqlite.ts'
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
import { scratchFolder } from './scratch.ts'
import { serviceUrlsContract } from './service-urls.ts'
import { sessionsContract } from './sessions.ts'
import { stepResultsContract } from './step-results.ts'
import { totalsContract } from './totals.ts'
import { twinsContract } from './twins.ts'
import { webhooksContract } from './webhooks.ts'
import { workflowsContract } from './workflows.ts'

const open: OpenStores = async (t, options) => (await newSqlite(t, options)).stores

accountsContract('SQLite', open)
activityContract('SQLite', open)
serviceUrlsContract('SQLite', open)
keysContract('SQLite', open)
projectsContract('SQLite', open)
brandsContract('SQLite', open)
workflowsContract('SQLite', open)
channelsContract('SQLite', open)
draftsContract('SQLite', open)
imagesContract('SQLite', open)
binContract('SQLite', open)
deliveryContract('SQLite', open)
fontsContract('SQLite', open)
executionsContract('SQLite', open)
executionEventsContract('SQLite', newSqlite)
batchesContract('SQLite', open)
stepResultsContract('SQLite', newSqlite)
previewsContract('SQLite', open)
idempotencyContract('SQLite', open)
blobRemovalsContract('SQLite', open)
providerCallsContract('SQLite', open)
sessionsContract('SQLite', open)
webhooksContract('SQLite', newSqlite)
totalsContract('SQLite', newSqlite)
retentionContract('SQLite', newSqlite)
accountRemovalContract('SQLite', newSqlite)
twinsContract('SQLite', newSqlite)
auditContract('SQLite', newSqlite)
cursorsContract('SQLite', newSqlite)
quotasContract('SQLite', newSqlite)
// Two connections in one process would wait for each other's write lock without ever releasing it.
const openHandles = async (t: TestContext, count: number, options?: OpenOptions) => {
  const database = await newSqlite(t, options)
  return Array.from({ length: count }, () => database)
}
fairQueueContract('SQLite', openHandles)
quotaCallersContract('SQLite', openHandles)
migrationsContract('SQLite', async (t) => {
  const db = await openSqlite(join(scratchFolder(), 'tintype.db'))
  t.after(() => db.destroy())
  return { db, migrate: (list) => migrate(db, list) }
})
