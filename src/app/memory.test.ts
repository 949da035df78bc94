import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { createCollector } from './memory.ts'

test('garbage is collected when the released bytes reach an eighth of the memory, once for all of them', () => {
  let collections = 0
  const planned: (() => void)[] = []
  const release = createCollector(
    8_000,
    () => 1_000,
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

test('garbage is collected after 256 MiB of released bytes on a large machine, if buffers occupy as much', () => {
  let collections = 0
  let held = 2 ** 28 - 1
  const release = createCollector(
    64 * 2 ** 30,
    () => held,
    () => collections++,
    (work) => work(),
  )
  release(2 ** 28 - 1)
  release(1)
  assert.equal(collections, 0)
  held += 1
  release(1)
  assert.equal(collections, 1)
})

test('the memory of an unused buffer returns to the system', async () => {
  const bytes = 256 * 1024 * 1024
  const allocate = () => Buffer.alloc(bytes, 1).length
  const before = process.memoryUsage().arrayBuffers
  assert.equal(allocate(), bytes)
  createCollector(bytes, undefined, undefined, (work) => work())(bytes)
  // V8 frees the buffers of a collection in another thread.
  await until('the memory to be free', async () => process.memoryUsage().arrayBuffers < before + bytes / 2 || undefined)
})

test('buffers of 1.2 GB that are dropped immediately cause few full collections', () => {
  const setHeap = `(await import(${JSON.stringify(import.meta.resolve('./memory.ts'))})).configureHeap()`
  const byDefault = fullCollections('')
  assert.ok(byDefault >= 5, `${byDefault} collections by default`)
  assert.ok(fullCollections(setHeap) <= byDefault / 3)
})

/** Counts collections in a process with 40 MB of objects, which allocates the buffers. */
function fullCollections(before: string): number {
  const code = `
    import { GCProfiler } from 'node:v8'
    ${before}
    const objects = Array.from({ length: 400_000 }, (_, i) => ({ i, text: 'number ' + i }))
    const profiler = new GCProfiler()
    profiler.start()
    for (let i = 0; i < 300; i++) {
      Buffer.alloc(4 * 2 ** 20, 1)
      await new Promise(setImmediate)
    }
    const { statistics } = profiler.stop()
    console.log(statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').length, objects.length)`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  return Number(printed.split(' ', 1)[0])
}
