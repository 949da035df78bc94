import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '../../test/contract/scratch.ts'
import { openDatabase } from './database/open.ts'
import { makePrivateFile, makePrivateFolder } from './private.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

test('only the owner can open a new folder and a new file', () => {
  const dir = join(scratchFolder(), 'data')
  makePrivateFolder(dir)
  makePrivateFile(join(dir, 'a'))
  assert.deepEqual([modeOf(dir), modeOf(join(dir, 'a'))], [0o700, 0o600])
})

test('removes the access of other users to existing files, and keeps that of a group', () => {
  const dir = join(scratchFolder(), 'data')
  mkdirSync(dir)
  for (const [before, after] of [
    [0o755, 0o700],
    [0o750, 0o750],
    [0o700, 0o700],
  ] as const) {
    chmodSync(dir, before)
    makePrivateFolder(dir)
    assert.equal(modeOf(dir), after)
  }
})

test('only the owner can read the database and its log, even if an earlier release created them', async () => {
  const file = join(scratchFolder(), 'tintype.db')
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  const database = await openDatabase({ file })
  try {
    for (const each of [file, `${file}-wal`, `${file}-shm`]) assert.equal(modeOf(each), 0o600, each)
  } finally {
    await database.close()
  }
})
