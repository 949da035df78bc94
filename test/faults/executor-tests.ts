/** Tests of crashes of the executor, for each database. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { limits } from '../../src/limits.ts'
import { crash, executorId } from '../harness/executor.ts'
import { repetitions } from '../harness/repetitions.ts'
import type { Hold } from '../harness/source-host.ts'
import { until } from '../harness/wait.ts'
import { type Caller, openExecutorSetup, type Setup } from './executor-setup.ts'

/**
 * Tests crashes; each round has executions of two accounts, an upload and a comparison, and two crashes in the middle
 * of them.
 */
export async function testCrashes(t: TestContext, environment: Record<string, string> = {}): Promise<void> {
  const setup = await openExecutorSetup(t, environment)
  const callers = await Promise.all(['one', 'two'].map((name) => setup.newCaller(name)))
  const watch = setup.watch()
  const accepted = new Map<Caller, string[]>(callers.map((caller) => [caller, []]))
  // A round always stops the process at the same two places. Rounds differ only in what the executions are doing then.
  const rounds = repetitions(3, 10)
  for (let round = 0; round < rounds; round++) {
    await setup.ready()
    const heldSource: Hold[] = []
    const synchronous = callers.map((caller) => caller.executeAndWait())
    for (const caller of callers) {
      heldSource.push(setup.outside.hold())
      const ids = [await caller.executeHeld(heldSource.at(-1)?.url ?? ''), await caller.executeHeavy()]
      accepted.get(caller)?.push(...ids)
    }
    await Promise.all(heldSource.map((each) => each.waiting()))
    await crashAmongRequests(setup, callers, round % 2 === 0 ? 'SIGSEGV' : 'SIGKILL')
    await until(
      'the second attempts',
      () => heldSource.every(({ url }) => setup.timesRequested(url) === 2) || undefined,
    )
    await setup.crashOnce()
    for (const each of heldSource) each.release()
    for (const [i, request] of synchronous.entries()) {
      const { status, bytes } = await request
      // 202: the client polls.
      assert.ok(status === 200 || status === 202, `${status} ${bytes}`)
      accepted.get(callers[i] ?? assert.fail())?.push(JSON.parse(bytes.toString()).executionId)
    }
    for (const [caller, ids] of accepted) {
      for (const id of ids) {
        const ended = await caller.ended(id)
        assert.equal(ended.status, 'completed', `round ${round}: ${JSON.stringify(ended)}`)
      }
    }
  }
  const [one, two] = callers
  assert.equal(await two?.countImages(), accepted.get(two ?? assert.fail())?.length, 'each execution made one image')
  const uploads = rounds
  assert.equal(await one?.countImages(), (accepted.get(one ?? assert.fail())?.length ?? 0) + uploads)
  const checks = await watch.end()
  t.diagnostic(`${rounds * 2} crashes, ${checks} checks of the service`)
}

/** Ends the process during an upload and a comparison. Neither request fails. */
async function crashAmongRequests(setup: Setup, callers: Caller[], signal: NodeJS.Signals): Promise<void> {
  const pid = await executorId(setup.servicePid)
  // So that neither can end before.
  process.kill(pid, 'SIGSTOP')
  const [one, two] = callers
  assert.ok(one && two)
  const responses = [one.upload(), two.compare()]
  let hasUploaded = false
  const noteUploaded = () => {
    hasUploaded = true
  }
  responses[0]?.then(noteUploaded, noteUploaded)
  let polls = 0
  await until('the bytes of the upload', () => {
    const isStopped = polls % 25 !== 24
    if (hasUploaded || (isStopped && setup.hasStaged())) return true
    polls += 1
    // It was possibly stopped within a transaction, whose lock the upload waits for: it runs between two polls of 25.
    process.kill(pid, polls % 25 === 24 ? 'SIGCONT' : 'SIGSTOP')
    return undefined
  })
  // The service hands the jobs on within a few turns of its event loop.
  for (let i = 0; i < 5; i++) await one.send('GET', '/workflows')
  await crash(pid, signal)
  const [uploaded, compared] = await Promise.all(responses)
  assert.equal(uploaded?.status, 201, `${uploaded?.bytes}\n${setup.problems()}`)
  assert.equal(compared?.status, 200, `${compared?.bytes}\n${setup.problems()}`)
}

/** One execution runs during each crash: its last attempt runs alone, and fails alone. */
export async function testRepeatedCrashes(t: TestContext, environment: Record<string, string> = {}): Promise<void> {
  const setup = await openExecutorSetup(t, environment)
  const [crashing, other] = await Promise.all(['crashing', 'other'].map((name) => setup.newCaller(name)))
  assert.ok(crashing && other)
  const watch = setup.watch()
  const crashingSource = setup.outside.hold()
  const others = [setup.outside.hold(), setup.outside.hold()]
  const crashingId = await crashing.executeHeld(crashingSource.url)
  const otherIds = await Promise.all(others.map(({ url }) => other.executeHeld(url)))
  const all = [crashingSource, ...others]
  for (let attempt = 1; attempt < limits.executionAttemptsMax; attempt++) {
    await until(
      `attempt ${attempt} of each`,
      () => all.every(({ url }) => setup.timesRequested(url) === attempt) || undefined,
    )
    await setup.crashOnce()
  }
  for (const each of others) each.release()
  await until(
    'the last attempt',
    () => setup.timesRequested(crashingSource.url) === limits.executionAttemptsMax || undefined,
  )
  await setup.ready()
  const upload = other.upload()
  await setup.crashOnce()
  const failed = await crashing.ended(crashingId)
  assert.deepEqual([failed.status, failed.error?.details.reason], ['failed', 'worker_lost'])
  for (const id of otherIds) assert.equal((await other.ended(id)).status, 'completed')
  assert.equal((await upload).status, 201)
  await watch.end()
}
