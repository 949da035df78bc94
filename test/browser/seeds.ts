/** An AI node has a seed only if its model accepts one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleTests } from './harness/console.ts'
import { addNode, card, draftWith, field, newDraft, select } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

consoleTests('seeds of models', (of) => {
  const generate = (params: Record<string, unknown>) => ({
    name: 'A door',
    nodes: { door: { type: 'generate', params: { prompt: 'A red door', ...params } } },
    output: { node: 'door', format: 'png' },
  })
  const model = 'nodes.door.params.model'
  const withSeed = 'fal/fal-ai/flux/schnell'
  const withoutSeed = 'openai/gpt-image-1-mini'

  test('the field is there for a model that accepts a seed, and only for such a model', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, generate({}))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'door').waitFor()
      await select(page, 'door')
      const seed = field(page, 'nodes.door.params.seed')
      // The default model of the service has no seed.
      await page.getByPlaceholder(/^Default: GPT Image/).waitFor()
      await field(page, 'nodes.door.params.prompt').waitFor()
      assert.equal(await seed.count(), 0)
      await fill(page, model, withSeed)
      await seed.waitFor()
      await fill(page, model, withoutSeed)
      await seed.waitFor({ state: 'detached' })
      await fill(page, model, withSeed)
      await fill(page, 'nodes.door.params.seed', 7)
      await draftWith(api, workflowId, 'the seed', ({ nodes }) => nodes.door?.params?.seed === 7)
    })
  })

  test('a seed that the model does not accept stays visible with its problem, and can be removed', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, generate({ model: withoutSeed, seed: 7 }))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'door').waitFor()
      await select(page, 'door')
      const seed = field(page, 'nodes.door.params.seed')
      await seed.getByText(/^Seed is not supported by openai\/gpt-image-1-mini\./).waitFor()
      await seed.getByRole('button', { name: 'Reset to the default: Seed' }).click()
      await draftWith(api, workflowId, 'no seed', ({ nodes }) => nodes.door?.params?.seed === undefined)
      // Not from under the cursor.
      await seed.waitFor()
      await addNode(page, 'Blur')
      await select(page, 'door')
      await field(page, 'nodes.door.params.prompt').waitFor()
      assert.equal(await seed.count(), 0)
    })
  })
})
