/** GET /usage, and budgets. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  type AiExecution,
  type AiService,
  type AiTenant,
  drawn,
  micros,
  startAiService,
  type UsageBody,
  usageOf,
} from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, issuePaths, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { canvas } from '../harness/documents.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { firstAccount, newAccount } from '../harness/shared.ts'
import type { ErrorDetails, Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

area('the cost of AI models', {}, () => {
  let ai: AiService
  /** A budget of zero. */
  let poor: AiTenant
  before(async () => {
    ai = await startAiService()
    poor = await ai.tenant({ budget: '0' })
  })
  after(() => ai.close())
  beforeEach(() => {
    ai.openai.reset()
    ai.fal.reset()
  })

  const execute = (api: Client, workflowId: string, parameters = {}) =>
    api.post<AiExecution>('/workflows/execute', { workflowId, parameters })

  test('calls are summed up by workflow, key, model, day and month, and all sums agree', async () => {
    const tenant = await ai.tenant()
    const created = await runCommand<{ id: string; key: string }>(
      ai.service,
      'keys',
      'create',
      '--account',
      tenant.accountId,
    )
    createdKeys.push(created.key)
    const other = tenant.api.as(created.key)
    const [one, two] = [
      await save(tenant.api, drawn()),
      await save(tenant.api, drawn({ model: 'fal/fal-ai/flux/schnell' })),
    ]
    const done = [
      ok(await execute(tenant.api, one.id)),
      ok(await execute(tenant.api, two.id)),
      ok(await execute(other, one.id, { prompt: 'A green door' })),
    ]
    refused(await execute(other, one.id, { prompt: '#moderated' }), 'workflow_failed')
    const costs = done.map(({ cost }) => micros(cost?.usd))
    const [a = 0, b = 0, c = 0] = costs

    const usage = await usageOf(tenant.api)
    const today = usage.to
    assert.equal(usage.from, `${today.slice(0, 7)}-01`)
    const sums = ({ calls, failures, costUsd, unknownCosts }: UsageBody['totals']) => [
      calls,
      failures,
      micros(costUsd),
      unknownCosts,
    ]
    const all = [3, 1, a + b + c, 0]
    assert.deepEqual(sums(usage.totals), all)
    assert.deepEqual(
      usage.months.map((row) => [row.month, ...sums(row)]),
      [[today.slice(0, 7), ...all]],
    )
    assert.deepEqual(
      usage.days.map((row) => [row.day, ...sums(row)]),
      [[today, ...all]],
    )
    const byId = (rows: unknown[][]) => rows.toSorted(([x], [y]) => (String(x) < String(y) ? -1 : 1))
    assert.deepEqual(
      byId(usage.workflows.map((row) => [row.workflowId, ...sums(row)])),
      byId([
        [one.id, 2, 1, a + c, 0],
        [two.id, 1, 0, b, 0],
      ]),
    )
    assert.deepEqual(
      byId(usage.keys.map((row) => [row.keyId, ...sums(row)])),
      byId([
        [tenant.keyId, 2, 0, a + b, 0],
        [created.id, 1, 1, c, 0],
      ]),
    )
    assert.deepEqual(byId(usage.models.map((row) => [row.model, ...sums(row)])), [
      ['fal/fal-ai/flux/schnell', 1, 0, b, 0],
      ['openai/gpt-image-1-mini', 2, 1, a + c, 0],
    ])
    assert.deepEqual(
      [usage.budget.monthUsd, micros(usage.budget.spentUsd), usage.budget.reservedUsd],
      [null, a + b + c, 0],
    )

    assert.deepEqual(sums((await usageOf(tenant.api, { workflowId: two.id })).totals), [1, 0, b, 0])
    assert.deepEqual(sums((await usageOf(tenant.api, { keyId: created.id })).totals), [1, 1, c, 0])
    assert.deepEqual(sums((await usageOf(tenant.api, { from: '2020-01-01', to: '2020-01-31' })).totals), [0, 0, 0, 0])

    const reported = await tintypeJson<UsageBody>(
      ai.service,
      'usage',
      '--account',
      tenant.accountId,
      '--month',
      today.slice(0, 7),
    )
    assert.deepEqual(reported.totals, usage.totals)
    const text = await tintype(ai.service, 'usage', '--account', tenant.accountId)
    assert.match(text.stdout, /for 3 calls, and 1 that failed/)
  })

  fullOnly('usage includes only calls of the account', async () => {
    const tenant = await ai.tenant()
    ok(await execute(tenant.api, (await save(tenant.api, drawn())).id))
    const { totals, workflows } = await usageOf(tenant.api)
    assert.deepEqual([totals.calls, workflows.length], [1, 1])
    const usage = await usageOf(poor.api)
    assert.equal(usage.activity?.totals.executions, 0)
    assert.deepEqual([usage.totals.calls, usage.workflows, usage.models, usage.budget.spentUsd], [0, [], [], 0])
  })

  fullOnly('an invalid query is rejected with all its issues', async () => {
    const api = await firstAccount()
    const wrong: [Record<string, string>, string[]][] = [
      [{ from: '2026-02-30', to: 'soon' }, ['from', 'to']],
      [{ from: '2026-1-1' }, ['from']],
      [{ from: '2026-03-02', to: '2026-03-01' }, ['from']],
      [{ from: '2024-01-01', to: '2026-01-01' }, ['from']],
      [{ month: '2026-01' }, ['month']],
    ]
    for (const [query, paths] of wrong)
      assert.deepEqual(issuePaths(await api.get('/usage', query)), paths, JSON.stringify(query))
    ok(await api.get('/usage', { from: '2025-01-01', to: '2026-01-01' }))
  })

  test('a call that would exceed the budget of its execution is not sent', async () => {
    const { api } = await ai.tenant()
    // Also one after the other, they would cost more than an execution may.
    const calls = 24
    const nodes = Object.fromEntries(
      Array.from({ length: calls }, (_, i) => [
        `n${i}`,
        { type: 'generate', params: { prompt: `Door ${i}`, model: 'openai/gpt-image-1' } },
      ]),
    )
    const { id } = await save(api, {
      name: 'Too much at once',
      nodes: { ...nodes, all: { type: 'stack', inputs: { images: Object.keys(nodes) }, params: {} } },
      output: { node: 'all', format: 'png' },
    })
    const details = refused(await execute(api, id), 'workflow_failed') as ErrorDetails & { problem?: string }
    assert.deepEqual([details.reason, details.problem], ['limit_exceeded', 'budget'])
    // Calls that were on their way when the execution failed end later.
    const { budget } = await until('the end of its calls', async () => {
      const usage = await usageOf(api)
      return usage.budget.reservedUsd === 0 ? usage : undefined
    })
    assert.ok(budget.spentUsd <= 0.8, String(budget.spentUsd))
    assert.ok(ai.openai.billed().length < calls)
  })

  fullOnly('concurrent calls never exceed the budget of an account', async () => {
    const tenant: AiTenant = await ai.tenant({ budget: '0.20' })
    const { id } = await save(tenant.api, drawn())
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => execute(tenant.api, id, { prompt: `Door ${i}` })),
    )
    const done = replies.filter(({ status }) => status === 200)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      const details = refused(reply, 'workflow_failed') as ErrorDetails & { problem?: string; billed?: string }
      assert.deepEqual([details.reason, details.problem, details.billed], ['limit_exceeded', 'budget', 'no'])
    }
    assert.ok(done.length >= 1 && done.length < 30, `${done.length} were done`)
    const { budget, totals } = await usageOf(tenant.api)
    assert.equal(budget.monthUsd, 0.2)
    assert.ok(budget.spentUsd <= 0.2, String(budget.spentUsd))
    assert.equal(budget.reservedUsd, 0)
    // A call of another test can reach the provider late, and has another model.
    const billed = ai.openai.billed().filter(({ model }) => model === 'gpt-image-1-mini')
    assert.equal(billed.length, done.length)
    assert.equal(totals.calls, done.length)
    assert.equal(
      micros(budget.spentUsd),
      done.reduce((sum, { body }) => sum + micros(body.cost?.usd), 0),
    )
  })

  fullOnly('the command sets a budget, removes it and restores the default', async () => {
    const { id } = await save(poor.api, drawn())
    refused(await execute(poor.api, id), 'workflow_failed')
    assert.equal(ai.openai.log.length, 0)
    const set = (budget: string) =>
      tintypeJson<{ budgetUsdPerMonth: unknown }>(ai.service, 'accounts', 'budget', poor.accountId, budget)
    assert.equal((await set('none')).budgetUsdPerMonth, 'none')
    ok(await execute(poor.api, id))
    assert.equal((await set('default')).budgetUsdPerMonth, 'default')
    assert.equal((await usageOf(poor.api)).budget.monthUsd, null)
    assert.equal((await tintype(ai.service, 'accounts', 'budget', poor.accountId, 'plenty')).code, 2)
    assert.equal((await tintype(ai.service, 'accounts', 'budget', 'acct_none', '1')).code, 1)
  })
})

area('the activity of an account', {}, () => {
  /** Two API processes write their counts every few seconds. */
  const counted = (api: Client, least: { requests: number; refused: number }) =>
    until('the counts of requests', async () => {
      const { activity, to } = await usageOf(api)
      assert.ok(activity)
      const { requests, refused } = activity.totals
      return requests >= least.requests && refused >= least.refused ? { ...activity, today: to } : undefined
    })
  const missing = {
    name: 'Missing',
    nodes: { load: { type: 'image', params: { source: 'img_00000000000000000000' } } },
    output: { node: 'load' },
  }

  test('requests, executions, failures by reason and durations are counted by day and in total', async () => {
    const tenant = await newAccount()
    const { api } = tenant
    const idle = await usageOf(api)
    assert.deepEqual(idle.activity?.totals, {
      requests: 0,
      refused: 0,
      executions: 0,
      completed: 0,
      failed: 0,
      failures: [],
      duration: null,
    })
    const [good, bad] = [await save(api, canvas()), await save(api, missing)]
    const done: number[] = []
    for (let i = 0; i < 3; i++) {
      const { duration } = ok(await api.post<Execution>('/workflows/execute', { workflowId: good.id }))
      done.push(duration ?? Number.NaN)
    }
    refused(await api.post('/workflows/execute', { workflowId: bad.id }), 'workflow_failed')
    refused(await api.post('/workflows/execute', { workflowId: bad.id }), 'workflow_failed')
    refused(await api.get('/workflows/wf_00000000000000000000'), 'not_found')
    refused(await api.get('/nothing'), 'not_found')
    refused(await api.get('/projects', { limit: 0 }), 'invalid_request')
    refused(await api.as(`${api.key}x`).get('/projects'), 'unauthorized')

    // The first request, two workflows, five executions, three rejections: all but the unauthenticated one.
    const { totals, days, today } = await counted(api, { requests: 11, refused: 3 })
    assert.ok(totals.requests >= 11)
    assert.equal(totals.refused, 3)
    assert.deepEqual([totals.executions, totals.completed, totals.failed], [5, 3, 2])
    assert.deepEqual(totals.failures, [{ reason: 'input_not_found', count: 2 }])
    assert.ok(totals.duration)
    const { median, p95 } = totals.duration
    assert.ok(
      median <= p95 && median >= Math.min(...done) * 0.99 && p95 <= Math.max(...done) * 1.01,
      `${median} ${p95}`,
    )
    assert.deepEqual(
      days.map(({ day }) => day),
      Array.from({ length: days.length }, (_, i) => `${today.slice(0, 8)}${String(i + 1).padStart(2, '0')}`),
    )
    assert.equal(days.at(-1)?.day, today)
    assert.deepEqual(
      [days.reduce((sum, { executions }) => sum + executions, 0), days.reduce((sum, { refused }) => sum + refused, 0)],
      [5, 3],
    )

    const reported = await tintypeJson<UsageBody>(api.service, 'usage', '--account', tenant.accountId)
    assert.deepEqual(reported.activity?.totals.failures, totals.failures)
    assert.deepEqual(reported.activity?.days.length, days.length)
    const { stdout } = await tintype(api.service, 'usage', '--account', tenant.accountId)
    assert.match(stdout, /3 of them refused; 5 executions, 3 completed, 2 failed/)
    assert.match(stdout, /input_not_found 2/)
  })

  fullOnly('each day of the longest range has one row, also days without activity', async () => {
    const { activity } = await usageOf(await firstAccount(), { from: '2024-01-01', to: '2024-12-31' })
    const days = activity?.days.map(({ day }) => day) ?? []
    assert.equal(new Set(days).size, 366)
    assert.deepEqual([days[0], days[59], days.at(-1)], ['2024-01-01', '2024-02-29', '2024-12-31'])
  })

  fullOnly('is omitted if the query filters by workflow or key', async () => {
    const api = await firstAccount()
    for (const query of [{ workflowId: 'wf_1' }, { keyId: 'key_1' }] as Record<string, string>[])
      assert.equal((await usageOf(api, query)).activity, undefined)
  })

  fullOnly('never includes another account', async () => {
    const [one, two] = [(await newAccount()).api, (await newAccount()).api]
    const { id } = await save(one, canvas())
    ok(await one.post('/workflows/execute', { workflowId: id }))
    assert.equal((await counted(one, { requests: 2, refused: 0 })).totals.executions, 1)
    const { activity } = await usageOf(two)
    assert.deepEqual([activity?.totals.executions, activity?.totals.requests], [0, 0])
  })

  fullOnly('survives an orderly stop', async () => {
    let service = await startWithoutExamples()
    const { key } = service
    try {
      const api = await createClient(service, key)
      for (let i = 0; i < 20; i++) ok(await api.get('/projects'))
      await service.stop()
      service = await service.restart()
      const { activity } = await usageOf(await createClient(service, key))
      assert.ok((activity?.totals.requests ?? 0) >= 20, `${activity?.totals.requests}`)
    } finally {
      await service.remove()
    }
  })
})
