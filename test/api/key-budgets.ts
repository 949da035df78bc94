/** Budgets of API keys by day and by month, over each way to start an execution. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import OpenAI from 'openai'
import { type AiExecution, drawn, micros, startAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { type Client, createClient, issuePaths, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import type { Document } from '../harness/documents.ts'
import { call, connectMcp, dataOf, saidIn } from '../harness/mcp.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

interface KeyRecord {
  id: string
  key: string
  name: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
  spentTodayUsd?: number
  spentThisMonthUsd?: number
}

/** Each image has the same price, which is known before the call. */
const paid = (): Document =>
  ({
    ...drawn({ model: 'fal/fal-ai/flux/schnell' }),
    mcp: { description: 'Draws a picture.' },
    openai: { prompt: 'prompt' },
  }) as Document

area('budgets of API keys', {}, () => {
  let ai: Awaited<ReturnType<typeof startAiService>>
  let api: Client
  let workflowId: string
  /** The cost of an image, and the amount that is reserved for it, in dollars. */
  let price: number
  let reserved: number
  before(async () => {
    ai = await startAiService()
    api = (await ai.tenant()).api
    workflowId = (await save(api, paid())).id
    ok(await api.put(`/workflows/${workflowId}/slug`, { slug: 'picture' }))
    price = ok(await api.post<AiExecution>('/workflows/execute', { workflowId })).cost?.usd ?? 0
    const { cost } = ok(await api.post<{ cost: { maxUsd: number } }>('/workflows/validate', { workflowId }))
    reserved = cost.maxUsd
    assert.ok(price > 0 && price <= reserved && reserved < 0.1, `${price} ${reserved}`)
  })
  after(() => ai.close())

  async function withBudget(body: object): Promise<KeyRecord & { as: Client }> {
    const created = ok(await api.post<KeyRecord>('/keys', body), 201)
    createdKeys.push(created.key)
    return { ...created, as: await createClient(ai.service, created.key) }
  }
  const find = async (id: string) => ok(await api.get<KeyRecord>(`/keys/${id}`))
  /** Sufficient for this number of images, one after another. */
  const budgetOf = (count: number) => Number((price * (count - 1) + reserved).toFixed(6))
  const costOf = (count: number) => micros(price) * count
  const execute = (as: Client, prompt: string) =>
    as.post<AiExecution>('/workflows/execute', { workflowId, parameters: { prompt } })

  test('many concurrent executions of a key never exceed its budget, and those that are refused name it', async () => {
    const { id, as } = await withBudget({ permissions: ['workflows:execute'], dailyBudgetUsd: reserved * 3 })
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => execute(as, `Concurrent ${n}`)))
    const failures = replies.filter(({ status }) => status !== 200)
    const paid = replies.length - failures.length
    assert.ok(paid >= 3 && costOf(paid) <= micros(reserved * 3), String(paid))
    for (const reply of failures) {
      const { reason, problem, budget, billed } = refused(reply, 'workflow_failed') as {
        reason?: string
        problem?: string
        budget?: string
        billed?: string
      }
      assert.deepEqual([reason, problem, budget, billed], ['limit_exceeded', 'budget', 'key day', 'no'])
      assert.match(reply.text, /of the budget of the API key for this day \(\$/)
    }
    const { spentTodayUsd, spentThisMonthUsd } = await find(id)
    assert.deepEqual([micros(spentTodayUsd), micros(spentThisMonthUsd)], [costOf(paid), costOf(paid)])
    assert.equal((await execute(api, 'Another key')).status, 200)
  })

  test('executions over /mcp, over /openai and of a batch count in the budget of their key', async () => {
    const permissions = ['workflows:read', 'workflows:write', 'workflows:execute', 'storage:read']
    const { id, as } = await withBudget({ permissions, monthlyBudgetUsd: budgetOf(3) })
    const client = await connectMcp(ai.service, as.key ?? '')
    try {
      assert.ok(!(await call(client, 'run_picture', { prompt: 'By an agent' })).isError)
      const openai = new OpenAI({ apiKey: as.key ?? '', baseURL: `${ai.service.origin}/openai/v1`, maxRetries: 0 })
      await openai.images.generate({ model: 'picture', prompt: 'By a chat' })
      const batch = ok(await as.post<{ id: string }>('/batches', { workflowId }), 201)
      const headers = { 'content-type': 'text/csv' }
      ok(
        await as.call('PUT', `/batches/${batch.id}/items`, {
          body: Buffer.from('key,prompt\na,By a batch\n'),
          headers,
        }),
      )
      ok(await as.post(`/batches/${batch.id}/start`))
      await until('the end of the batch', async () => {
        const { counts } = ok(await as.get<{ counts: Record<string, number> }>(`/batches/${batch.id}`))
        return (counts.completed === 1 && counts) || undefined
      })
      assert.equal(micros((await find(id)).spentThisMonthUsd), costOf(3))
      const over = await call(client, 'run_picture', { prompt: 'One too many' })
      assert.equal(over.isError, true)
      const { error } = dataOf<{ error: { details: { budget: string } } }>(over)
      assert.equal(error.details.budget, 'key month')
      assert.match(saidIn(over), /Report it: a person can raise it/)
      await assert.rejects(
        openai.images.generate({ model: 'picture', prompt: 'Two too many' }),
        /budget of the API key/,
      )
    } finally {
      await client.close()
    }
  })

  test('a change of the budget applies to the next call, and a request without it removes it', async () => {
    const { id, as } = await withBudget({ name: 'Agent', permissions: ['workflows:execute'], dailyBudgetUsd: 0 })
    assert.equal((await execute(as, 'Nothing')).status, 500)
    const changed = ok(
      await api.put<KeyRecord>(`/keys/${id}`, { name: 'Agent 2', dailyBudgetUsd: 1, monthlyBudgetUsd: 5 }),
    )
    assert.deepEqual([changed.name, changed.dailyBudgetUsd, changed.monthlyBudgetUsd], ['Agent 2', 1, 5])
    assert.equal((await execute(as, 'Something')).status, 200)
    assert.equal(micros((await find(id)).spentTodayUsd), micros(price))
    const { name, ...free } = ok(await api.put<KeyRecord>(`/keys/${id}`, {}))
    assert.equal(name, '')
    for (const field of ['dailyBudgetUsd', 'monthlyBudgetUsd', 'spentTodayUsd', 'spentThisMonthUsd'])
      assert.ok(!(field in free), field)
  })

  test('a key that replaces another continues its budgets', async () => {
    const { id } = await withBudget({ permissions: ['workflows:execute'], monthlyBudgetUsd: budgetOf(1) })
    const rotated = ok(await api.post<KeyRecord & { replaced: KeyRecord }>(`/keys/${id}/rotate`, {}), 201)
    createdKeys.push(rotated.key)
    assert.equal(rotated.monthlyBudgetUsd, budgetOf(1))
    const as = await createClient(ai.service, rotated.key)
    assert.equal((await execute(as, 'Rotated')).status, 200)
    assert.equal(micros((await find(id)).spentThisMonthUsd), micros(price))
    assert.equal((await execute(as, 'Rotated again')).status, 500)
  })

  test('a key with a budget can read keys, and can’t create, change or rotate one', async () => {
    const { id, as } = await withBudget({ permissions: ['all'], dailyBudgetUsd: 1 })
    assert.equal(ok(await as.get<KeyRecord>(`/keys/${id}`)).dailyBudgetUsd, 1)
    refused(await as.post('/keys', {}), 'forbidden')
    refused(await as.put(`/keys/${id}`, { dailyBudgetUsd: 100 }), 'forbidden')
    refused(await as.post(`/keys/${id}/rotate`, {}), 'forbidden')
    refused(await as.post('/signing-keys', { monthlyBudgetUsd: 1 }), 'forbidden')
    const { id: signing } = ok(await as.post<{ id: string }>('/signing-keys', {}), 201)
    refused(await as.put(`/signing-keys/${signing}`, { monthlyBudgetUsd: 1 }), 'forbidden')
  })

  test('wrong budgets and unknown keys are refused', async () => {
    for (const [body, paths] of [
      [{ dailyBudgetUsd: -1 }, ['dailyBudgetUsd']],
      [{ monthlyBudgetUsd: 1_000_001 }, ['monthlyBudgetUsd']],
      [{ dailyBudgetUsd: '5', monthlyBudgetUsd: [] }, ['dailyBudgetUsd', 'monthlyBudgetUsd']],
    ] as const) {
      assert.deepEqual(issuePaths(await api.post('/keys', body)).sort(), paths)
      assert.deepEqual(issuePaths(await api.put('/keys/key_00000000000000000000', body)).sort(), paths)
    }
    refused(await api.put('/keys/key_00000000000000000000', {}), 'not_found')
    const other = (await ai.tenant()).api
    const { id } = await withBudget({ dailyBudgetUsd: 1 })
    refused(await other.put(`/keys/${id}`, {}), 'not_found')
  })

  test('the command creates and changes a key with budgets', async () => {
    const { accountId } = await ai.tenant()
    const created = await runCommand<KeyRecord>(
      ...([ai.service, 'keys', 'create', '--account', accountId, '--name', 'Agent', '--daily-budget', '2'] as const),
      ...['--monthly-budget', '20.5'],
    )
    createdKeys.push(created.key)
    assert.deepEqual([created.dailyBudgetUsd, created.monthlyBudgetUsd], [2, 20.5])
    const changed = await runCommand<KeyRecord>(ai.service, 'keys', 'update', created.id, '--monthly-budget', '7')
    assert.deepEqual([changed.name, changed.dailyBudgetUsd, changed.monthlyBudgetUsd], ['', null, 7])
  })
})
