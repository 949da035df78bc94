import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { sqliteDialect } from './dialect.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { createStores } from './open.ts'
import { openSqlite } from './sqlite.ts'

test('every list, filter and look-up is answered by an index, without a scan of a table or a sort', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  const file = join(dir, 'tintype.db')
  const db = await openSqlite(file)
  await migrate(db, migrations)
  t.after(async () => {
    await db.destroy()
    rmSync(dir, { recursive: true })
  })

  const asked = new Set<string>()
  const record: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const compiled: CompiledQuery = db.getExecutor().compileQuery(node, queryId)
      asked.add(compiled.sql)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const stores = createStores(db.withPlugin(record), sqliteDialect)
  const { accounts, keys, projects, workflows, images, executions, idempotency } = stores
  const error = { code: 'workflow_failed', message: '', details: {} } as const
  // A page past the end asks for the count as well.
  const page = { limit: 1, offset: 1 }

  await accounts.find('a')
  await accounts.list()
  await accounts.update('a', { plan: 'pro' })
  await keys.find('k')
  await keys.findByHash('h')
  await keys.list()
  await keys.list('a')
  await keys.update('k', { revokedAt: 1 })
  await projects.find('a', 'p')
  await projects.findDefault('a')
  await projects.list('a', page)
  await workflows.find('a', 'w')
  await workflows.findByName('a', 'n')
  await workflows.list('a', page, {})
  await workflows.list('a', page, { projectId: 'p' })
  await workflows.findVersion('w', 1)
  await workflows.findOwner('w')
  await workflows.listVersions('w', page)
  await workflows.remove('a', 'w', 1)
  await images.find('a', 'i')
  await images.findPublic('i')
  await images.findByHash('a', 'h')
  await images.list('a', page, {})
  await images.list('a', page, { projectId: 'p' })
  await images.remove('a', 'i')
  await executions.find('a', 'e')
  await executions.list('a', page, {})
  await executions.list('a', page, { workflowId: 'w' })
  await executions.list('a', page, { status: 'failed' })
  await executions.list('a', page, { workflowId: 'w', status: 'failed' })
  await executions.listSteps('e')
  await executions.countPending()
  await executions.claimNext(1)
  await executions.saveSteps('e', 1, [])
  await executions.fail('e', 1, { error, steps: [], completedAt: 1 })
  await executions.failPending('e', { error, completedAt: 1 })
  await executions.release('e', 1)
  await executions.recover({ attemptsMax: 1, error, now: 1 })
  await idempotency.finish('a', 'k', { status: 200, headers: {}, body: '' })
  await idempotency.abandon('a', 'k')
  await idempotency.sweep(1)

  const explainer = new DatabaseSync(file)
  t.after(() => explainer.close())
  const slow: string[] = []
  for (const text of asked) {
    for (const row of explainer.prepare(`explain query plan ${text}`).all()) {
      const detail = String(row.detail)
      const isWholeList = /^SCAN \w+ USING (COVERING )?INDEX (accounts_oldest|keys_newest|executions_\w+ing)$/.test(
        detail,
      )
      if (/TEMP B-TREE/.test(detail) || (/^SCAN/.test(detail) && !isWholeList)) slow.push(`${detail}: ${text}`)
    }
  }
  assert.ok(asked.size >= 40, `only ${asked.size} statements were seen`)
  assert.deepEqual(slow, [])
})
