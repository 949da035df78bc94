/**
 * Crashes of the process count for executions that were working, and not for those that only waited. A call with unknown
 * outcome is reported.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { polls } from '../contract/providers-faults.ts'
import { until } from '../harness/wait.ts'
import { billedFor, documentOf, environmentOf, openWays } from './provider-scene.ts'
import { openSetup, type Setup } from './provider-setup.ts'

async function scene(t: TestContext) {
  const [way] = await openWays(['fal'])
  assert.ok(way)
  t.after(() => way.fake.close())
  return { way, setup: await openSetup(t, environmentOf([way])) }
}

async function rowOf({ kysely }: Setup, id: string) {
  return kysely.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test('an execution that waits for a paid job survives any number of crashes of its process', async (t) => {
  const { way, setup } = await scene(t)
  let { kill } = await setup.start()
  const hold = () => way.fake.script({ when: polls, do: 'hang' })
  let asked = way.fake.log.length
  hold()
  const id = await setup.execute(documentOf(way, 1, 'picture'))
  const crashes = limits.executionAttemptsMax + 2
  for (let n = 0; n < crashes; n++) {
    await until(`attempt ${n + 1} to wait`, async () => {
      const { parked, attempt } = await rowOf(setup, id)
      const isHeld = way.fake.log.slice(asked).some(({ fault }) => fault === 'hang')
      return (isHeld && parked === 1 && attempt === n + 1) || undefined
    })
    await kill()
    asked = way.fake.log.length
    if (n < crashes - 1) hold()
    ;({ kill } = await setup.start())
  }
  await setup.allEnded()
  const ended = await setup.look(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.equal(billedFor(way.fake, 1), 1)
  await setup.accountsAreSettled()
})

test('a last attempt that is lost during a call reports that it may have been billed, and resuming pays once more', async (t) => {
  const { way, setup } = await scene(t)
  const halting = await setup.startHalting()
  const earlier = documentOf(way, 2, 'accept_before')
  const id = await setup.execute(earlier)
  await until('the call to be sent', () => halting.halted.has(id) || undefined)
  await setup.kysely
    .updateTable('executions')
    .set({ attempt: limits.executionAttemptsMax })
    .where('id', '=', id)
    .execute()
  await halting.kill()

  await setup.start()
  const { status, error, cost } = await setup.look(id)
  const { reason, problem } = error?.details ?? {}
  assert.deepEqual([status, reason, problem], ['failed', 'worker_lost', 'outcome_unknown'])
  const { node, billed, model }: Record<string, unknown> = error?.details ?? {}
  assert.deepEqual([node, billed, model], ['accept_before', 'unknown', way.name])
  assert.match(error?.message ?? '', /may have been carried out and billed/)
  const [row] = await setup.callsOf(id)
  assert.equal(row?.state, 'unknown')
  assert.equal(Math.round((cost?.usd ?? 0) * 1e6), row?.reserved_micros)
  assert.ok(row && row.reserved_micros > 0)
  assert.equal(cost?.unknown, 1)
  const { steps } = await setup.call<{ steps: { node: string; calls?: { outcome: string }[] }[] }>(
    'GET',
    `/workflows/executions/${id}/steps`,
  )
  const calls = steps.find((step) => step.node === 'accept_before')?.calls
  assert.deepEqual(
    calls?.map(({ outcome }) => outcome),
    ['outcome_unknown'],
  )

  const resumed = await setup.resume(id)
  await setup.allEnded()
  assert.equal((await setup.look(resumed)).status, 'completed')
  assert.equal(billedFor(way.fake, 2), 2)
  await setup.accountsAreSettled()
})
