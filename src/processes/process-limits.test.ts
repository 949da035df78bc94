import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cpuSeconds, createTimeLimit, isWaitingForCore } from './process-limits.ts'

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

test('the time limit of a process counts its CPU time, and another limit is for a busy machine', {
  skip,
}, async (t) => {
  let ms = 0
  mock.method(performance, 'now', () => ms)
  t.after(() => mock.restoreAll())

  const waiting = createTimeLimit(await started('setInterval(() => {}, 60_000)'), 1)
  ms = 11_999
  assert.equal(waiting(), undefined)
  ms = 12_000
  assert.equal(waiting()?.kind, 'busy')

  const working = createTimeLimit(await started('for (;;);'), 0.2)
  while (working() === undefined) await nextTurn()
  assert.equal(working()?.kind, 'work')
})

test('a process whose caller has no time left ends earlier', { skip }, async (t) => {
  let ms = 0
  mock.method(performance, 'now', () => ms)
  t.after(() => mock.restoreAll())
  const limit = createTimeLimit(await started('setInterval(() => {}, 60_000)'), 1, 0.5)
  assert.equal(limit(), undefined)
  ms = 500
  assert.equal(limit()?.kind, 'deadline')
})

test('only a process that would run, and has used little CPU, waits for a core', { skip }, async () => {
  const looping = await started('for (;;);')
  const since = { cpuBefore: cpuSeconds(looping) ?? 0, seconds: 0.2 }
  while (!isWaitingForCore(looping, since)) await nextTurn()
  while (isWaitingForCore(looping, since)) await nextTurn()
  assert.ok((cpuSeconds(looping) ?? 0) - since.cpuBefore >= 0.2)
  const idle = await started('setInterval(() => {}, 60_000)')
  while (isWaitingForCore(idle, { cpuBefore: 0, seconds: 1_000 })) await nextTurn()
})
