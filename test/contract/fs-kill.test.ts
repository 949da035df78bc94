import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { repetitions } from '../harness/repetitions.ts'
import { keysOf } from './blobs.ts'
import { startChild } from './processes/child.ts'
import { contentOf } from './processes/content.ts'
import { scratchFolder } from './scratch.ts'

test('after a SIGKILL at any moment every reported blob is complete, and so is every blob that was staged', async (t) => {
  const dir = scratchFolder()
  const committed: string[] = []
  const kills = repetitions(2, 6)
  for (let i = 0; i < kills; i++) {
    const child = startChild(t, 'store-blobs.ts', dir)
    await child.printed(20)
    await new Promise((resolve) => setTimeout(resolve, randomInt(50)))
    await child.kill()
    committed.push(...child.lines)
  }
  const blobs = createFsBlobs({ dir })
  const keys = await keysOf(blobs)
  assert.deepEqual(
    committed.filter((key) => !keys.includes(key)),
    [],
  )
  const reported = new Set(committed)
  for (const key of keys) {
    const mayBePartial = key.startsWith('step_') && !reported.has(key)
    if (!mayBePartial) assert.ok((await blobs.read(key)).equals(contentOf(key)), `${key} is not whole`)
  }
  // At each kill, at most the four blobs in progress exist without having been reported.
  assert.ok(keys.length <= committed.length + kills * 4)
})
