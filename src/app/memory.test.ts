import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { createCollector } from './memory.ts'

test('garbage is collected when the released bytes reach an eighth of the memory, once for all of them', () => {
  let collections = 0
  const planned: (() => void)[] = []
  const release = createCollector(
    8_000,
    () => collections++,
    (work) => planned.push(work),
  )
  release(900)
  assert.equal(planned.length, 0)
  release(100)
  release(5_000)
  assert.equal(planned.length, 1)
  planned.pop()?.()
  assert.equal(collections, 1)
  release(999)
  assert.equal(planned.length, 0)
  release(1)
  assert.equal(planned.length, 1)
})

test('the memory of an unused buffer returns to the system', async () => {
  const bytes = 256 * 1024 * 1024
  const allocate = () => Buffer.alloc(bytes, 1).length
  const before = process.memoryUsage().arrayBuffers
  assert.equal(allocate(), bytes)
  createCollector(bytes, undefined, (work) => work())(bytes)
  // V8 frees the buffers of a collection in another thread.
  await until('the memory to be free', async () => process.memoryUsage().arrayBuffers < before + bytes / 2 || undefined)
})
