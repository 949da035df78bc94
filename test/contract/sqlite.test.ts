import { join } from 'node:path'
import { migrate } from '../../src/storage/database/migrate.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { openSqlite } from '../../src/storage/database/sqlite.ts'
import { accountsContract } from './accounts.ts'
import { activityContract } from './activity.ts'
import { batchesContract } from './batches.ts'
import { blobRemovalsContract } from './blob-removals.ts'
import { brandsContract } from './brands.ts'
import { channelsContract } from './channels.ts'
import { deliveryContract } from './delivery.ts'
import { draftsContract } from './drafts.ts'
import { endedKeysContract } from './ended-keys.ts'
import { executionEventsContract } from './execution-events.ts'
import { executionRetentionContract } from './execution-retention.ts'
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
import { quotasContract } from './quotas.ts'
import type { OpenStores } from './records.ts'
import { scratchFolder } from './scratch.ts'
import { serviceUrlsContract } from './service-urls.ts'
import { sessionsContract } from './sessions.ts'
import { stepResultsContract } from './step-results.ts'
import { totalsContract } from './totals.ts'
import { webhooksContract } from './webhooks.ts'
import { workflowsContract } from './workflows.ts'

async function openAll(t: { after(work: () => Promise<void>): void }): Promise<Database> {
  const database = await openDatabase({ file: newFile() })
  t.after(() => database.close())
  return database
}

const open: OpenStores = async (t) => (await openAll(t)).stores

function newFile(): string {
  return join(scratchFolder(), 'tintype.db')
}

accountsContract('SQLite', open)
activityContract('SQLite', open)
serviceUrlsContract('SQLite', open)
keysContract('SQLite', open)
endedKeysContract('SQLite', open)
projectsContract('SQLite', open)
brandsContract('SQLite', open)
workflowsContract('SQLite', open)
channelsContract('SQLite', open)
draftsContract('SQLite', open)
imagesContract('SQLite', open)
deliveryContract('SQLite', open)
fontsContract('SQLite', open)
executionsContract('SQLite', open)
executionEventsContract('SQLite', openAll)
batchesContract('SQLite', open)
stepResultsContract('SQLite', openAll)
previewsContract('SQLite', open)
idempotencyContract('SQLite', open)
blobRemovalsContract('SQLite', open)
providerCallsContract('SQLite', open)
sessionsContract('SQLite', open)
webhooksContract('SQLite', openAll)
totalsContract('SQLite', openAll)
executionRetentionContract('SQLite', openAll)
quotasContract('SQLite', openAll)
// Two connections in one process would wait for each other's write lock without ever releasing it.
fairQueueContract('SQLite', async (t, count) => {
  const database = await openAll(t)
  return Array.from({ length: count }, () => database)
})
migrationsContract('SQLite', async (t) => {
  const file = newFile()
  const db = await openSqlite(file)
  t.after(() => db.destroy())
  return { db, migrate: (list) => migrate(db, list) }
})
