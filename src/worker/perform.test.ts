import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { step } from '../../test/contract/records.ts'
import type { Step } from '../domain/executions/execution.ts'
import type { ExecutionNotice } from '../domain/executions/execution-notice.ts'
import { createRecorder } from './perform.ts'

/** The test moves the time, and decides when a write ends. */
function openSetup(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const writes: { steps: Step[]; changed: Step[]; end: PromiseWithResolvers<boolean> }[] = []
  const sent: ExecutionNotice[] = []
  const errors: unknown[] = []
  let lost = 0
  const recorder = createRecorder(
    { id: 'exec_1', attempt: 1 },
    {
      executions: {
        saveSteps(_id, _attempt, steps, changed = steps) {
          const end = Promise.withResolvers<boolean>()
          writes.push({ steps, changed, end })
          return end.promise
        },
      },
      notices: { send: (notice) => sent.push(notice) },
      onUnwritten: (error) => errors.push(error),
    },
    () => {
      lost += 1
    },
  )
  /** The quarter of a second is over. */
  const pass = async () => {
    t.mock.timers.tick(250)
    await settled()
  }
  return { recorder, writes, sent, errors, pass, lostTimes: () => lost }
}

const settled = () => new Promise((settle) => setImmediate(settle))

test('writes running steps with each that has changed since the last write', async (t) => {
  const { recorder, writes, sent, pass } = openSetup(t)
  const steps = [step({ node: 'a', status: 'running', durationMs: null }), step({ node: 'b', status: 'pending' })]
  recorder.note(steps)
  recorder.note(steps)
  assert.equal(writes.length, 0)
  await pass()
  assert.deepEqual(writes[0]?.changed, steps)
  assert.deepEqual(sent, [])
  writes[0]?.end.resolve(true)
  await settled()
  assert.deepEqual(sent, [{ kind: 'changed', executionId: 'exec_1' }])

  Object.assign(steps[0] ?? {}, { status: 'completed', durationMs: 5 })
  recorder.note(steps)
  await pass()
  assert.deepEqual(writes[1]?.changed, [steps[0]])
  assert.deepEqual(writes[1]?.steps, steps)
  writes[1]?.end.resolve(true)
  await recorder.stop()
  assert.deepEqual(recorder.changed(steps), [])
})

test('a write waits for the previous one, and writes the current state', async (t) => {
  const { recorder, writes, pass } = openSetup(t)
  const one = step({ status: 'running', durationMs: 1 })
  recorder.note([one])
  await pass()
  Object.assign(one, { durationMs: 2 })
  recorder.note([one])
  await pass()
  assert.equal(writes.length, 1)
  Object.assign(one, { durationMs: 3 })
  writes[0]?.end.resolve(true)
  await settled()
  assert.equal(writes[1]?.steps[0]?.durationMs, 3)
})

test('a change during a write is not a part of it', async (t) => {
  const { recorder, writes, pass } = openSetup(t)
  const one = step({ status: 'running', durationMs: 1 })
  recorder.note([one])
  await pass()
  Object.assign(one, { durationMs: 2 })
  for (const written of [writes[0]?.steps, writes[0]?.changed]) assert.equal(written?.[0]?.durationMs, 1)
  writes[0]?.end.resolve(true)
  await recorder.stop()
  assert.deepEqual(recorder.changed([one]), [one])
})

test('a change that could not be written stays pending, and its error is reported', async (t) => {
  const { recorder, writes, sent, errors, pass } = openSetup(t)
  const one = step()
  recorder.note([one])
  await pass()
  const away = new Error('the database is away')
  writes[0]?.end.reject(away)
  await recorder.stop()
  assert.deepEqual(recorder.changed([one]), [one])
  assert.deepEqual([sent, errors], [[], [away]])
})

test('reports a lost lease', async (t) => {
  const { recorder, writes, pass, lostTimes } = openSetup(t)
  recorder.note([step()])
  await pass()
  writes[0]?.end.resolve(false)
  await recorder.stop()
  assert.equal(lostTimes(), 1)
})
