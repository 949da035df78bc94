/** Every contract of the stores on PostgreSQL: on the server of TINTYPE_TEST_POSTGRES, or on one of its own. */
import { after } from 'node:test'
import { openDatabase } from '../../src/storage/database/open.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { accountsContract } from './accounts.ts'
import { blobRemovalsContract } from './blob-removals.ts'
import { executionsContract } from './executions.ts'
import { fontsContract } from './fonts.ts'
import { idempotencyContract } from './idempotency.ts'
import { imagesContract } from './images.ts'
import { keysContract } from './keys.ts'
import { projectsContract } from './projects.ts'
import type { OpenStores } from './records.ts'
import { workflowsContract } from './workflows.ts'

const given = process.env.TINTYPE_TEST_POSTGRES
const server = given === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())

const open: OpenStores = async (t) => {
  const database = await openDatabase({ url: await newDatabaseOn(given ?? server?.url ?? '') })
  t.after(() => database.close())
  return database.stores
}

accountsContract('PostgreSQL', open)
keysContract('PostgreSQL', open)
projectsContract('PostgreSQL', open)
workflowsContract('PostgreSQL', open)
imagesContract('PostgreSQL', open)
fontsContract('PostgreSQL', open)
executionsContract('PostgreSQL', open)
idempotencyContract('PostgreSQL', open)
blobRemovalsContract('PostgreSQL', open)
