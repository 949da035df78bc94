import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Execution } from '../../src/domain/executions/execution.ts'
import { openDatabase, type Stores } from '../../src/storage/database/open.ts'
import { takeServeLock } from '../../src/storage/database/serve-lock.ts'
import { inherited, startProcess } from '../harness/process.ts'
import { repetitions } from '../harness/repetitions.ts'
import { startChild } from './processes/child.ts'
import { ids, lost, readAll, tenant } from './records.ts'
import { scratchFolder } from './scratch.ts'

test('processes that open one new database at the same time all find the complete schema', async (t) => {
  const file = join(scratchFolder(), 'tintype.db')
  await Promise.all(Array.from({ length: 4 }, () => startChild(t, 'open-database.ts', file).ended()))
  const { stores, close } = await openDatabase({ file })
  assert.equal((await stores.accounts.list()).length, 4)
  await close()
  assertSound(file)
})

test('two processes on one database run every execution once, and lose none', async (t) => {
  const file = join(scratchFolder(), 'tintype.db')
  const { stores, close } = await openDatabase({ file })
  const { account, workflow } = await tenant(stores)
  const children = [1, 2].map(() => startChild(t, 'run-executions.ts', file, account.id, workflow.id, '60'))
  await Promise.all(children.map((child) => child.ended()))
  const created = children.flatMap((child) => done(child.lines, 'created'))
  const claimed = children.flatMap((child) => done(child.lines, 'claimed'))
  assert.equal(created.length, 120)
  assert.deepEqual(claimed.toSorted(), created.toSorted())
  const executions = await assertNoHalves(stores, account.id)
  assert.deepEqual(ids(executions).toSorted(), created.toSorted())
  assert.ok(executions.every(({ status }) => status === 'completed'))
  await close()
  assertSound(file)
})

test('after a SIGKILL at any moment every acknowledged write exists, and none is partial', async (t) => {
  const file = join(scratchFolder(), 'tintype.db')
  const first = await openDatabase({ file })
  const { account, workflow } = await tenant(first.stores)
  await first.close()
  const lines: string[] = []
  for (let i = 0; i < repetitions(2, 4); i++) {
    const child = startChild(t, 'run-executions.ts', file, account.id, workflow.id, '1000000')
    await child.printed(30)
    await new Promise((resolve) => setTimeout(resolve, randomInt(60)))
    await child.kill()
    lines.push(...child.lines)
    const { stores, close } = await openDatabase({ file })
    await stores.executions.recover({ attemptsMax: 3, error: lost, now: 1 })
    await close()
    assertSound(file)
  }
  const { stores, close } = await openDatabase({ file })
  const executions = await assertNoHalves(stores, account.id)
  const statuses = new Map(executions.map(({ id, status }) => [id, status]))
  for (const id of done(lines, 'created')) assert.ok(statuses.has(id), `${id} was created`)
  for (const id of done(lines, 'completed')) assert.equal(statuses.get(id), 'completed')
  assert.ok(executions.every(({ status }) => status !== 'running'))
  await close()
})

test('one process at a time has the serve lock, and its death releases it', async (t) => {
  const file = join(scratchFolder(), 'serve.lock')
  const holder = startChild(t, 'hold-serve-lock.ts', file)
  await holder.printed(1)
  assert.deepEqual(holder.lines, ['held'])
  assert.equal(takeServeLock(file), undefined)
  const second = startChild(t, 'hold-serve-lock.ts', file)
  await second.printed(1)
  assert.deepEqual(second.lines, ['refused'])
  await second.kill()
  assert.equal(takeServeLock(file), undefined)
  await holder.kill()
  const lock = takeServeLock(file)
  assert.ok(lock)
  assert.equal(takeServeLock(file), undefined)
  lock.release()
  lock.release()
  const again = takeServeLock(file)
  assert.ok(again)
  again.release()
})

test('a second service on a data directory ends before it opens the database of the first', async (t) => {
  const dir = scratchFolder()
  const lock = takeServeLock(join(dir, 'serve.lock'))
  t.after(() => lock?.release())
  const env = { ...inherited(), DATA_DIR: dir, PORT: '0' }
  const second = startProcess(['serve'], { cwd: dir, env }, [])
  t.after(() => second.kill())
  assert.equal(await second.ended(), 1)
  assert.match(second.printed().join(' '), /^Another process already uses /)
  assert.equal(existsSync(join(dir, 'tintype.db')), false)
})

function done(lines: string[], action: string): string[] {
  return lines.flatMap((line) => (line.startsWith(`${action} `) ? [line.slice(action.length + 1)] : []))
}

/** A completed execution has its one image, others have none. */
async function assertNoHalves({ executions, images }: Stores, accountId: string): Promise<Execution[]> {
  const all = await readAll((page) => executions.list(accountId, page, {}), 100)
  const outputs = await readAll((page) => images.list(accountId, page, {}), 100)
  const imageIds = new Map(outputs.map(({ id, executionId }) => [executionId, id]))
  assert.equal(imageIds.size, outputs.length)
  for (const { id, output } of all) assert.equal(imageIds.get(id), output?.imageId)
  assert.equal(all.filter(({ status }) => status === 'completed').length, outputs.length)
  return all
}

function assertSound(file: string): void {
  const database = new DatabaseSync(file)
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  database.close()
}
