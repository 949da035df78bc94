import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { kill, platform } from 'node:process'
import { afterEach } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/harness/wait.ts'
import { failure } from '../errors.ts'
import { isFault } from '../imaging/raster/test-faults.ts'
import { contextFor, testProcesses } from '../imaging/raster/test-images.ts'
import { limits } from '../limits.ts'
import type { ModelImage } from './define-model.ts'
import { esrganSlim } from './esrgan.ts'
import { runModel } from './runner.ts'
import { testWithModels as test } from './test-models.ts'

const small = imageOf(32)
/** Takes a second or so. */
const large = imageOf(512)

const modelsProcessId = () => testProcesses.ids()[0]

afterEach(() => testProcesses.stop())

test('runs a model, and keeps its process for the next job', async () => {
  const first = await runModel(esrganSlim, 'x2', small, contextFor())
  const pid = modelsProcessId()
  const second = await runModel(esrganSlim, 'x2', small, contextFor())
  assert.deepEqual(first.output?.dims, [1, 3, 64, 64])
  assert.ok(pid !== undefined && pid === modelsProcessId())
  assert.deepEqual(first, second)
})

test('its process has a low priority', async () => {
  await runModel(esrganSlim, 'x2', small, contextFor())
  assert.equal(getPriority(modelsProcessId()), limits.modelNice)
})

test('cancels a running job immediately, whatever it is doing, and starts the next one in a new process', async () => {
  const controller = new AbortController()
  const running = runModel(esrganSlim, 'x2', large, contextFor({ signal: controller.signal }))
  const pid = await startedPid()
  await busy(pid)
  controller.abort(failure('timeout', 'too late'))
  await assert.rejects(running, isFault('timeout'))
  const next = await runModel(esrganSlim, 'x2', small, contextFor())
  assert.deepEqual(next.output?.dims, [1, 3, 64, 64])
  assert.notEqual(modelsProcessId(), pid)
  await waitUntilEnded(pid)
})

test('cancels a waiting job without harm to the running one', async () => {
  const controller = new AbortController()
  const running = runModel(esrganSlim, 'x2', large, contextFor())
  const waiting = runModel(esrganSlim, 'x2', small, contextFor({ signal: controller.signal }))
  const pid = await startedPid()
  controller.abort()
  await assert.rejects(waiting, isFault('cancelled'))
  assert.deepEqual((await running).output?.dims, [1, 3, 1_024, 1_024])
  assert.equal(modelsProcessId(), pid)
})

test('if the process dies, the running job runs again in a new process, and so do waiting jobs', async () => {
  const lost = runModel(esrganSlim, 'x2', large, contextFor())
  const behind = runModel(esrganSlim, 'x2', small, contextFor())
  const pid = await startedPid()
  await busy(pid)
  kill(pid, 'SIGSEGV')
  assert.deepEqual((await lost).output?.dims, [1, 3, 1_024, 1_024])
  assert.deepEqual((await behind).output?.dims, [1, 3, 64, 64])
  assert.notEqual(modelsProcessId(), pid)
})

test('a model that cannot run fails only its own job', async () => {
  await assert.rejects(runModel(esrganSlim, 'x3', small, contextFor()), isFault('internal'))
  assert.deepEqual((await runModel(esrganSlim, 'x2', small, contextFor())).output?.dims, [1, 3, 64, 64])
})

test('a process ends when its work is done, and leaves no process behind', async () => {
  const runner = new URL('./runner.ts', import.meta.url).href
  const program = `
    import { Processes } from ${JSON.stringify(new URL('../processes/processes.ts', import.meta.url).href)}
    import { runModel } from ${JSON.stringify(runner)}
    import { esrganSlim } from ${JSON.stringify(new URL('./esrgan.ts', import.meta.url).href)}
    const image = { data: new Uint8Array(32 * 32 * 3), width: 32, height: 32 }
    const processes = new Processes()
    await runModel(esrganSlim, 'x2', image, { signal: new AbortController().signal, secondsLeft: () => 60, processes })
    process.stdout.write(String(processes.ids()[0]))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
  await waitUntilEnded(Number(stdout))
})

function imageOf(side: number): ModelImage {
  return { data: Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 7) % 251), width: side, height: side }
}

/** The id of the process, once there is one. */
async function startedPid(): Promise<number> {
  return until('the process', () => modelsProcessId())
}

/** Resolves when the process works on its job. Without /proc it may still be loading. */
async function busy(pid: number): Promise<void> {
  const usedTicks = () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11])
  }
  if (platform === 'linux') await until('half a second of CPU', () => usedTicks() > 50 || undefined)
}

/** Resolves when no process has this id. */
async function waitUntilEnded(pid: number): Promise<void> {
  assert.ok(pid > 0)
  await until('the process to be gone', () => !isThere(pid) || undefined)
}

function isThere(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}
