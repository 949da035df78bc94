import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { failure, MachineBusy } from '../errors.ts'
import { isFault } from '../imaging/raster/test-faults.ts'
import { createProcessPool, type PoolContext } from './process-pool.ts'
import { Processes } from './processes.ts'
import type { TestJob, TestResult } from './test-program.ts'

const program = new URL('./test-program.ts', import.meta.url)
const pool = createProcessPool<TestJob, TestResult, PoolContext, string>({
  program,
  seconds: 1,
  memoryBytes: () => 300_000_000,
  schedule: (_, work) => work(),
  tooLong: () => failure('limit_exceeded', 'too long'),
  tooLarge: () => failure('limit_exceeded', 'too large'),
  ended: (cause) => failure('input_invalid', 'ended', { cause }),
})
const processes = new Processes()

const context = (signal = new AbortController().signal): PoolContext => ({ signal, secondsLeft: () => 60, processes })
const run = (job: TestJob) => pool.run(job, context(), async (question) => `the answer to ${question}`)

test('a process does one job after the other', async () => {
  const first = await run({ do: 'pid' })
  assert.deepEqual(await run({ do: 'pid' }), first)
})

test('the data of several results arrive complete and in order', async () => {
  for (const bytes of [0, 1, 5_000_000, 3]) {
    const result = await run({ do: 'send', bytes })
    assert.ok('data' in result && result.data.equals(Buffer.alloc(bytes, 7)), `${bytes}`)
  }
})

test('a job gets an answer to its question', async () => {
  assert.deepEqual(await run({ do: 'ask' }), { answer: 'the answer to what?' })
})

/** Reason to skip: without /proc, neither memory nor processes can be seen. */
const skip = existsSync('/proc/self/stat') ? false : 'the system has no /proc'

const harmful: [TestJob['do'], RegExp][] = [
  ['crash', /^ended$/],
  ['hang', /^too long$/],
  ['grow', /^too large$/],
]
for (const [what, message] of harmful) {
  test(`a job that makes its process ${what} fails alone`, async () => {
    const others = Array.from({ length: 2 }, () => run({ do: 'ask' }))
    await assert.rejects(run({ do: what } as TestJob), (error: Error) => message.test(error.message))
    await Promise.all(others)
    await run({ do: 'pid' })
  })
}

test('a job that gets too little CPU runs again, once, and then fails with the name of the cause', {
  skip,
}, async (t) => {
  let aheadMs = 0
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + aheadMs)
  let questions = 0
  const slowly = (times: number) => async (question: string) => {
    questions += 1
    if (questions > times) return `the answer to ${question}`
    aheadMs += 13_000
    return new Promise<never>(() => {})
  }
  assert.deepEqual(await pool.run({ do: 'ask' }, context(), slowly(1)), { answer: 'the answer to what?' })
  assert.equal(questions, 2)
  questions = 0
  await assert.rejects(pool.run({ do: 'ask' }, context(), slowly(9)), (error: unknown) => {
    assert.ok(error instanceof MachineBusy)
    assert.match(
      error.message,
      /^The machine is busy: in 1\d s, this work got only 0\.\d s of CPU time, twice\. .*Repeat it\.$/,
    )
    return true
  })
  assert.equal(questions, 2)
})

test('an aborted job ends its process immediately', async () => {
  const ending = new AbortController()
  const hanging = pool.run({ do: 'hang' }, context(ending.signal))
  ending.abort(failure('cancelled', 'gone'))
  await assert.rejects(hanging, isFault('cancelled', /gone/))
})

test('an app that stops its processes ends no job of another app in this process', async () => {
  const [own, other] = [new Processes(), new Processes()]
  const answered = Promise.withResolvers<string>()
  const working = pool.run({ do: 'ask' }, { ...context(), processes: other }, () => answered.promise)
  await pool.run({ do: 'pid' }, { ...context(), processes: own })
  own.stop()
  assert.deepEqual(own.ids(), [])
  answered.resolve('late')
  assert.deepEqual(await working, { answer: 'late' })
})

test('a busy process ends when the service is gone', { skip }, async () => {
  const service = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { fork } from 'node:child_process'
       const child = fork(${JSON.stringify(fileURLToPath(program))}, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'] })
       child.on('message', () => {
         child.send({ job: { do: 'hang' } }, () => process.stdout.write(String(child.pid)))
       })
       child.send({ job: { do: 'pid' } })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [pid] = await once(service.stdout, 'data')
  service.kill('SIGKILL')
  while (existsSync(`/proc/${pid}/stat`)) await setImmediate()
})
