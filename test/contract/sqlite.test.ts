import { join } from 'node:path'
import { openDatabase } from '../../src/storage/database/open.ts'
import { accountsContract } from './accounts.ts'
import { blobRemovalsContract } from './blob-removals.ts'
import { executionsContract } from './executions.ts'
import { fontsContract } from './fonts.ts'
import { idempotencyContract } from './idempotency.ts'
import { imagesContract } from './images.ts'
import { keysContract } from './keys.ts'
import { projectsContract } from './projects.ts'
import type { OpenStores } from './records.ts'
import { scratchFolder } from './scratch.ts'
import { workflowsContract } from './workflows.ts'

const open: OpenStores = async (t) => {
  const database = await openDatabase({ file: join(scratchFolder(), 'tintype.db') })
  t.after(() => database.close())
  return database.stores
}

accountsContract('SQLite', open)
keysContract('SQLite', open)
projectsContract('SQLite', open)
workflowsContract('SQLite', open)
imagesContract('SQLite', open)
fontsContract('SQLite', open)
executionsContract('SQLite', open)
idempotencyContract('SQLite', open)
blobRemovalsContract('SQLite', open)
