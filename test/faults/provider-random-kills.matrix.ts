/** The service is killed repeatedly at random during model calls for items of lists: no provider bills an item twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Document } from '../harness/documents.ts'
import { until } from '../harness/wait.ts'
import { billedFor, documentOf, environmentOf, openWays, type Way, wordsOf } from './provider-scene.ts'
import { openSetup } from './provider-setup.ts'
import { createRandom } from './random.ts'

/** In five concurrent executions, three of each. */
const randomIds = ['openai', 'fal', 'replicate', 'bfl', 'comfyui']
const items = 3
const kills = 10

test('a provider bills at most one job for each item of a node, regardless of the number of kills', async (t) => {
  const seed = Number(process.env.TINTYPE_TEST_SEED ?? Date.now() % 1_000_000)
  t.diagnostic(`TINTYPE_TEST_SEED=${seed}`)
  const random = createRandom(seed)
  const ways = (await openWays(randomIds)).filter(({ subject }) => subject.capability === 'generate')
  t.after(() => Promise.all(ways.map(({ fake }) => fake.close())))
  const setup = await openSetup(t, environmentOf(ways))
  const begun: { way: Way; number: number; id: string }[] = []
  let last = 100
  const begin = async (way: Way) => {
    const number = ++last
    begun.push({ way, number, id: await setup.execute(documentOfMany(way, number)) })
  }
  const requests = () => ways.reduce((sum, { fake }) => sum + fake.log.length, 0)
  for (let kill = 0; kill <= kills; kill++) {
    const service = await setup.start()
    // The rest continues. Executions with three attempts have failed.
    const open = await setup.open()
    const gone = ways.filter((way) => !begun.some((each) => each.way === way && open.has(each.id)))
    await Promise.all(gone.map(begin))
    if (kill === kills) break
    const enough = requests() + random.below(25)
    await until('requests', async () => requests() >= enough || (await setup.open()).size === 0 || undefined)
    await pause(random.below(100))
    await service.kill()
  }
  await setup.allEnded()
  for (const { way, number, id } of begun) {
    const { error } = await setup.look(id)
    if (error) assert.match(error.details.problem ?? error.details.reason ?? '', /^(outcome_unknown|worker_lost)$/)
    for (let item = 0; item < items; item++) {
      const billed = billedFor(way.fake, `${number}-${item}`)
      const what = `${way.name}, item ${item}, seed ${seed}`
      assert.ok(billed <= 1, `${what}: billed ${billed} times`)
      if (!error) assert.equal(billed, 1, what)
    }
  }
  const ends = await Promise.all(begun.map(async ({ id }) => (await setup.look(id)).status))
  t.diagnostic(`${begun.length} executions, ${ends.filter((status) => status === 'completed').length} completed`)
  // Those whose third attempt was killed are cancelled by a background job.
  await setup.accountsAreSettled({ givenUp: false })
})

function documentOfMany(way: Way, number: number): Document {
  const { nodes, ...document } = documentOf(way, number, 'picture')
  const { params, ...picture } = nodes.picture ?? {}
  return {
    ...document,
    nodes: {
      picture: { ...picture, each: items, params: { ...(params as object), prompt: wordsOf(`${number}-{{ index }}`) } },
      row: { type: 'stack', inputs: { images: 'picture' } },
      small: { type: 'resize', inputs: { image: 'row' }, params: { width: 16 } },
    },
  }
}
