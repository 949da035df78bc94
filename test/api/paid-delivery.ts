/** GET /i/<file> of workflows whose AI models cost money. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type AiExecution, type AiService, drawn, micros, startAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { deliver, deliveryUrl, newSigningKey, type SigningKey } from '../harness/signed-urls.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Listed } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'

/** Each image has the same price, which is known before the call. */
const model = 'fal/fal-ai/flux/schnell'

area('delivery URLs that cost money', {}, () => {
  let ai: AiService
  let api: Client
  let host: SourceHost
  before(async () => {
    // Longer than an execution takes on a busy machine.
    ai = await startAiService({ DELIVERY_WAIT_SECONDS: '60', FETCH_ALLOW: 'localhost' })
    host = await startSourceHost()
  })
  after(async () => {
    await ai.close()
    await host.close()
  })
  beforeEach(async () => {
    ai.fal.reset()
    api = (await ai.tenant()).api
  })

  const paid = async (delivery: object = {}, owner = api) =>
    (
      await save(owner, {
        ...drawn({ model }),
        delivery: { parameters: ['prompt'], paid: true, ...delivery },
      } as Document)
    ).id
  const spentBy = async ({ id }: SigningKey) => {
    const { signingKeys } = ok(await api.get<Listed & { signingKeys: SigningKey[] }>('/signing-keys'))
    return micros(signingKeys.find((key) => key.id === id)?.spentUsd)
  }
  const executionsOf = async (workflowId: string) =>
    ok(await api.get<Listed & { executions: AiExecution[] }>('/workflows/executions', { workflowId })).executions
  /** The price of one image, in dollars. */
  async function price(): Promise<number> {
    const key = await newSigningKey(api, { monthlyBudgetUsd: 1 })
    ok(await deliver(api, deliveryUrl(key, `${await paid()}.png`, { prompt: 'A blue door' })))
    const usd = (await spentBy(key)) / 1_000_000
    assert.ok(usd > 0 && usd < 0.1, String(usd))
    ai.fal.reset()
    return usd
  }

  test('many concurrent requests of one URL pay once, and later requests pay nothing', async () => {
    const key = await newSigningKey(api, { monthlyBudgetUsd: 1 })
    const id = await paid()
    const url = deliveryUrl(key, `${id}.png`)
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(api, url)))
      for (const reply of replies) {
        ok(reply)
        assert.equal((await sizeOf(reply.bytes)).width, 64)
      }
    }
    assert.equal(ai.fal.billed().length, 1)
    const [execution, ...others] = await executionsOf(id)
    assert.equal(others.length, 0)
    assert.equal(await spentBy(key), micros(execution?.cost?.usd))
  })

  test('a crawler gets the fallback image of a card that takes long, and the card with its next request, paid once', async () => {
    const key = await newSigningKey(api, { monthlyBudgetUsd: 1 })
    const { id: fallback } = await upload(api, await plain('png', 3, 3))
    const document = drawn({ model })
    const { id } = await save(api, {
      ...document,
      parameters: [...(document.parameters ?? []), { name: 'photo', type: 'string', required: true }],
      nodes: {
        ...document.nodes,
        photo: { type: 'image', params: { source: '{{ photo }}' } },
        card: { type: 'stack', inputs: { images: ['small', 'photo'] } },
      },
      output: { node: 'card', format: 'png' },
      delivery: { parameters: ['photo'], sources: ['localhost'], paid: true, fallback },
    } as Document)
    // It responds when the test says so: without a fallback image, the requests would wait for a minute.
    const held = host.hold()
    const url = deliveryUrl(key, `${id}.png`, { photo: held.url })
    const crawlers = await Promise.all(Array.from({ length: 5 }, () => deliver(api, url)))
    for (const reply of crawlers) {
      const { headers } = reply
      assert.deepEqual([reply.status, headers['tintype-status'], headers.location], [200, 'pending', undefined])
      assert.equal(headers['cache-control'], 'public, max-age=10')
      assert.equal(headers['content-type'], 'image/png')
      assert.equal((await sizeOf(reply.bytes)).width, 3)
    }
    held.release()
    const card = await until('the card', async () => {
      const reply = await deliver(api, url)
      return reply.headers['tintype-status'] === undefined ? reply : undefined
    })
    assert.equal(card.status, 200)
    assert.ok((await sizeOf(card.bytes)).width >= 64)
    assert.deepEqual([(await executionsOf(id)).length, ai.fal.billed().length], [1, 1])
  })

  test('a file that was paid for is denied to a key without a budget', async () => {
    const [rich, poor] = [await newSigningKey(api, { monthlyBudgetUsd: 1 }), await newSigningKey(api)]
    const id = await paid()
    ok(await deliver(api, deliveryUrl(rich, `${id}.png`)))
    refused(await deliver(api, deliveryUrl(poor, `${id}.png`)), 'forbidden')
  })

  test('concurrent requests of different URLs do not exceed the budget of their key together', async () => {
    const budget = Number(((await price()) * 2.5).toFixed(6))
    const key = await newSigningKey(api, { monthlyBudgetUsd: budget })
    const id = await paid()
    const prompts = ['one', 'two', 'three', 'four', 'five', 'six']
    const replies = await Promise.all(prompts.map((prompt) => deliver(api, deliveryUrl(key, `${id}.png`, { prompt }))))
    const made = replies.filter(({ status }) => status === 200)
    assert.ok(made.length === 1 || made.length === 2, `${made.length} images`)
    assert.equal(ai.fal.billed().length, made.length)
    assert.ok((await spentBy(key)) <= micros(budget))
  })

  test('without a rest of the budget, the response is 503, uncacheable, or the fallback, for some seconds, and nothing is paid', async () => {
    const usd = await price()
    const key = await newSigningKey(api, { monthlyBudgetUsd: Number((usd * 1.5).toFixed(6)) })
    const id = await paid()
    const { id: fallback } = await upload(api, await plain('png', 3, 3))
    const covered = await paid({ fallback })
    const first = deliveryUrl(key, `${id}.png`, { prompt: 'A first door' })
    ok(await deliver(api, first))
    for (let i = 0; i < 2; i += 1) {
      const reply = await deliver(api, deliveryUrl(key, `${id}.png`, { prompt: 'A second door' }))
      refused(reply, 'unavailable')
      assert.deepEqual([reply.headers['tintype-status'], reply.headers['cache-control']], ['failed', 'no-store'])
      const other = await deliver(api, deliveryUrl(key, `${covered}.png`, { prompt: 'A second door' }))
      assert.deepEqual(
        [other.status, other.headers['tintype-status'], other.headers['cache-control']],
        [200, 'failed', 'public, max-age=10'],
      )
      assert.equal((await sizeOf(other.bytes)).width, 3)
    }
    assert.equal(ai.fal.billed().length, 1)
    const [failed, ...others] = await executionsOf(id)
    assert.equal(others.length, 1)
    const { reason, problem, budget } = (failed?.error?.details ?? {}) as Record<string, unknown>
    assert.deepEqual([reason, problem, budget], ['limit_exceeded', 'budget', 'signing key'])
    // A file that exists stays, and a larger budget applies from the next request on.
    const kept = await deliver(api, first)
    assert.deepEqual([kept.status, kept.headers['tintype-status']], [200, undefined])
    ok(await api.put(`/signing-keys/${key.id}`, { monthlyBudgetUsd: 1 }))
    ok(await deliver(api, deliveryUrl(key, `${id}.png`, { prompt: 'A third door' })))
  })

  test('the budget of the account applies, too', async () => {
    const { api: poor } = await ai.tenant({ budget: '0' })
    const key = await newSigningKey(poor, { monthlyBudgetUsd: 1 })
    const reply = await deliver(poor, deliveryUrl(key, `${await paid({}, poor)}.png`))
    refused(reply, 'unavailable')
    assert.deepEqual([reply.headers['tintype-status'], reply.headers['cache-control']], ['failed', 'no-store'])
    assert.equal(ai.fal.billed().length, 0)
  })
})
