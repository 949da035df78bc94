import { type Kysely, sql } from 'kysely'
import type { AccountStore } from '../../domain/account.ts'
import type { ExecutionStore } from '../../domain/execution.ts'
import type { FontStore } from '../../domain/font.ts'
import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { ImageStore } from '../../domain/image.ts'
import type { KeyStore } from '../../domain/key.ts'
import type { ProjectStore } from '../../domain/project.ts'
import type { WorkflowStore } from '../../domain/workflow.ts'
import { createAccountStore } from './accounts.ts'
import { type Dialect, sqliteDialect } from './dialect.ts'
import { createExecutionStore } from './executions.ts'
import { createFontStore } from './fonts.ts'
import { createIdempotencyStore } from './idempotency.ts'
import { createImageStore } from './images.ts'
import { createKeyStore } from './keys.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { createProjectStore } from './projects.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'
import { createWorkflowStore } from './workflows.ts'

export interface Stores {
  accounts: AccountStore
  keys: KeyStore
  projects: ProjectStore
  workflows: WorkflowStore
  images: ImageStore
  fonts: FontStore
  executions: ExecutionStore
  idempotency: IdempotencyStore
}

export interface Database {
  stores: Stores
  /** Throws when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Opens the database in `file`, made and brought to the newest schema as needed. Other processes may have it open. */
export async function openDatabase({ file }: { file: string }): Promise<Database> {
  const db = await openSqlite(file)
  try {
    await migrate(db, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    stores: createStores(db, sqliteDialect),
    async check() {
      await sql`select 1 from accounts limit 1`.execute(db)
    },
    close: () => db.destroy(),
  }
}

export function createStores(db: Kysely<Schema>, dialect: Dialect): Stores {
  return {
    accounts: createAccountStore(db, dialect),
    keys: createKeyStore(db, dialect),
    projects: createProjectStore(db, dialect),
    workflows: createWorkflowStore(db, dialect),
    images: createImageStore(db, dialect),
    fonts: createFontStore(db, dialect),
    executions: createExecutionStore(db, dialect),
    idempotency: createIdempotencyStore(db),
  }
}
