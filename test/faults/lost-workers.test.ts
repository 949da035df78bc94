/**
 * Crashes of the process count for executions that were working, and not for those that only waited. A call with unknown
 * outcome is reported.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { polls } from '../contract/providers-faults.ts'
import { until } from '../harness/wait.ts'
import { countBilledJobs, documentOf, environmentOf, startFakeModels } from './fake-models.ts'
import { openSetup, type Setup } from './provider-setup.ts'

async function openModelSetup(t: TestContext) {
  const [fakeModel] = await startFakeModels(['fal'])
  assert.ok(fakeModel)
  t.after(() => fakeModel.fake.close())
  return { fakeModel, setup: await openSetup(t, environmentOf([fakeModel])) }
}

async function rowOf({ kysely }: Setup, id: string) {
  return kysely.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test('an execution that waits for a paid job survives any number of crashes of its process', async (t) => {
  const { fakeModel, setup } = await openModelSetup(t)
  let { kill } = await setup.start()
  const hold = () => fakeModel.fake.script({ when: polls, do: 'hang' })
  let requestsBefore = fakeModel.fake.log.length
  hold()
  const id = await setup.execute(documentOf(fakeModel, 1, 'picture'))
  const crashes = limits.executionAttemptsMax + 2
  for (let n = 0; n < crashes; n++) {
    await until(`attempt ${n + 1} to wait`, async () => {
      const { parked, attempt } = await rowOf(setup, id)
      const isHeld = fakeModel.fake.log.slice(requestsBefore).some(({ fault }) => fault === 'hang')
      return (isHeld && parked === 1 && attempt === n + 1) || undefined
    })
    await kill()
    requestsBefore = fakeModel.fake.log.length
    if (n < crashes - 1) hold()
    ;({ kill } = await setup.start())
  }
  await setup.waitForExecutions()
  const ended = await setup.getExecution(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.equal(countBilledJobs(fakeModel.fake, 1), 1)
  await setup.checkCosts()
})

test('a last attempt that is lost during a call reports that it may have been billed, and resuming pays once more', async (t) => {
  const { fakeModel, setup } = await openModelSetup(t)
  const halting = await setup.startHaltingService()
  const document = documentOf(fakeModel, 2, 'accept_before')
  const id = await setup.execute(document)
  await until('the call to be sent', () => halting.halted.has(id) || undefined)
  await setup.kysely
    .updateTable('executions')
    .set({ attempt: limits.executionAttemptsMax })
    .where('id', '=', id)
    .execute()
  await halting.kill()

  await setup.start()
  // The executor fails it, which may open after the service.
  await setup.waitForExecutions()
  const { status, error, cost } = await setup.getExecution(id)
  const { reason, problem } = error?.details ?? {}
  assert.deepEqual([status, reason, problem], ['failed', 'worker_lost', 'outcome_unknown'])
  const { node, billed, model }: Record<string, unknown> = error?.details ?? {}
  assert.deepEqual([node, billed, model], ['accept_before', 'unknown', fakeModel.name])
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
  await setup.waitForExecutions()
  assert.equal((await setup.getExecution(resumed)).status, 'completed')
  assert.equal(countBilledJobs(fakeModel.fake, 2), 2)
  await setup.checkCosts()
})
