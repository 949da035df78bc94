import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTimeLimit } from './process-limits.ts'

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process that has started. */
async function started(program: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `console.log('started'); ${program}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

const skip = existsSync('/proc/self/stat') ? false : 'the system reports no CPU time'

test('the time limit of a process counts its CPU time, and four times as many elapsed seconds', { skip }, async (t) => {
  let ms = 0
  mock.method(performance, 'now', () => ms)
  t.after(() => mock.restoreAll())

  const waiting = createTimeLimit(await started('setInterval(() => {}, 60_000)'), 1)
  ms = 3_999
  assert.equal(waiting(), undefined)
  ms = 4_000
  assert.equal(waiting(), 4)

  const busy = createTimeLimit(await started('for (;;);'), 0.2)
  while (busy() === undefined) await nextTurn()
  assert.equal(busy(), 0.2)
})

test('an execution without time left ends its process earlier', async (t) => {
  let ms = 0
  mock.method(performance, 'now', () => ms)
  t.after(() => mock.restoreAll())
  const limit = createTimeLimit(await started('setInterval(() => {}, 60_000)'), 1, 0.5)
  assert.equal(limit(), undefined)
  ms = 500
  assert.equal(limit(), 0.5)
})
