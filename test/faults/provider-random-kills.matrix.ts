/** The service is killed repeatedly at random during model calls for items of lists: no provider bills an item twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Document } from '../harness/documents.ts'
import { until } from '../harness/wait.ts'
import { countBilledJobs, documentOf, environmentOf, type FakeModel, promptOf, startFakeModels } from './fake-models.ts'
import { openSetup } from './provider-setup.ts'
import { createRandom } from './random.ts'

/** Providers in five concurrent executions, three of each. */
const randomIds = ['openai', 'fal', 'replicate', 'bfl', 'comfyui']
const items = 3
const kills = 10

test('a provider bills at most one job for each item of a node, regardless of the number of kills', async (t) => {
  const seed = Number(process.env.TINTYPE_TEST_SEED ?? Date.now() % 1_000_000)
  t.diagnostic(`TINTYPE_TEST_SEED=${seed}`)
  const random = createRandom(seed)
  const models = (await startFakeModels(randomIds)).filter(({ subject }) => subject.capability === 'generate')
  t.after(() => Promise.all(models.map(({ fake }) => fake.close())))
  const setup = await openSetup(t, environmentOf(models))
  const executions: { model: FakeModel; number: number; id: string }[] = []
  let last = 100
  const startExecution = async (model: FakeModel) => {
    const number = ++last
    executions.push({ model, number, id: await setup.execute(documentOfMany(model, number)) })
  }
  const requests = () => models.reduce((sum, { fake }) => sum + fake.log.length, 0)
  for (let kill = 0; kill <= kills; kill++) {
    const service = await setup.start()
    // The rest continues. Executions with three attempts have failed.
    const open = await setup.openExecutions()
    const idle = models.filter((model) => !executions.some((each) => each.model === model && open.has(each.id)))
    await Promise.all(idle.map(startExecution))
    if (kill === kills) break
    const requestsMin = requests() + random.below(25)
    await until(
      'requests',
      async () => requests() >= requestsMin || (await setup.openExecutions()).size === 0 || undefined,
    )
    await pause(random.below(100))
    await service.kill()
  }
  await setup.waitForExecutions()
  for (const { model, number, id } of executions) {
    const { error } = await setup.getExecution(id)
    if (error) assert.match(error.details.problem ?? error.details.reason ?? '', /^(outcome_unknown|worker_lost)$/)
    for (let item = 0; item < items; item++) {
      const billed = countBilledJobs(model.fake, `${number}-${item}`)
      const label = `${model.name}, item ${item}, seed ${seed}`
      assert.ok(billed <= 1, `${label}: billed ${billed} times`)
      if (!error) assert.equal(billed, 1, label)
    }
  }
  const ends = await Promise.all(executions.map(async ({ id }) => (await setup.getExecution(id)).status))
  t.diagnostic(`${executions.length} executions, ${ends.filter((status) => status === 'completed').length} completed`)
  // Those whose third attempt was killed are cancelled by a background job.
  await setup.checkCosts({ givenUp: false })
})

function documentOfMany(model: FakeModel, number: number): Document {
  const { nodes, ...document } = documentOf(model, number, 'picture')
  const { params, ...pictureNode } = nodes.picture ?? {}
  return {
    ...document,
    nodes: {
      picture: {
        ...pictureNode,
        each: items,
        params: { ...(params as object), prompt: promptOf(`${number}-{{ index }}`) },
      },
      row: { type: 'stack', inputs: { images: 'picture' } },
      small: { type: 'resize', inputs: { image: 'row' }, params: { width: 16 } },
    },
  }
}
