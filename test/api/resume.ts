/** POST /workflows/executions/{executionId}/resume. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

area('resuming an execution that failed', { concurrency: 4 }, () => {
  let api: Client
  let outside: SourceHost
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
  })
  after(() => outside.close())

  /** Fails at `cut` if `left` is outside of the image, which is 64 wide. */
  const document = {
    name: 'Resumed',
    parameters: [
      { name: 'photo', type: 'string', required: true },
      { name: 'left', type: 'number', default: 1000 },
      { name: 'sigma', type: 'number', default: 2 },
    ],
    nodes: {
      photo: { type: 'image', params: { source: '{{ photo }}' } },
      grain: { type: 'grain', cache: false, inputs: { image: 'photo' } },
      soft: { type: 'blur', inputs: { image: 'grain' }, params: { sigma: '{{ sigma }}' } },
      known: { type: 'info', inputs: { image: 'soft' } },
      cut: { type: 'crop', inputs: { image: 'known' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
    },
    output: { node: 'cut', format: 'png' },
  }
  let paths = 0
  const failExecution = async () => {
    paths += 1
    const path = `/resumed-${paths}`
    const { id } = await save(api, document)
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { photo: outside.url(path) } })
    const { executionId = '' } = refused(reply, 'workflow_failed')
    return { failed: executionId, requestCount: () => outside.requested.filter((each) => each === path).length }
  }
  const resume = (id: string, body: object = {}, as = api) =>
    as.post<Execution>(`/workflows/executions/${id}/resume`, body)
  const stepsOf = async (id: string) => {
    const { steps } = ok(
      await api.get<{ steps: { node: string; status: string; servedFrom?: string }[] }>(
        `/workflows/executions/${id}/steps`,
      ),
    )
    return Object.fromEntries(steps.map(({ node, status, servedFrom }) => [node, servedFrom ?? status]))
  }

  test('with a corrected parameter it completes as a new execution, and no finished step runs again', async () => {
    const { failed, requestCount } = await failExecution()
    const { executionId, output } = ok(await resume(failed, { parameters: { left: 3 } }))
    assert.notEqual(executionId, failed)
    assert.deepEqual([output?.width, output?.height], [10, 10])
    assert.equal(requestCount(), 1)
    const finished = { photo: 'resumed', grain: 'resumed', soft: 'resumed', known: 'resumed' }
    assert.deepEqual(await stepsOf(executionId), { ...finished, cut: 'completed' })
    const record = ok(await api.get<Execution & { resumedFrom?: string }>(`/workflows/executions/${executionId}`))
    assert.equal(record.resumedFrom, failed)
    const before = ok(await api.get<Execution>(`/workflows/executions/${failed}`))
    assert.equal(before.status, 'failed')
  })

  test('steps that depend on a corrected parameter run again', async () => {
    const { failed } = await failExecution()
    const { executionId } = ok(await resume(failed, { parameters: { left: 3, sigma: 4 } }))
    const steps = await stepsOf(executionId)
    assert.deepEqual([steps.soft, steps.known, steps.cut], ['completed', 'completed', 'completed'])
  })

  test('an execution that fails again can be resumed again, and nothing is fetched twice', async () => {
    const { failed, requestCount } = await failExecution()
    const { executionId = '' } = refused(await resume(failed), 'workflow_failed')
    const { executionId: last } = ok(await resume(executionId, { parameters: { left: 0 } }))
    assert.deepEqual((await stepsOf(last)).known, 'resumed')
    assert.equal(requestCount(), 1)
  })

  test('with `async` it returns immediately with the URL for polling', async () => {
    const { failed } = await failExecution()
    const reply = await resume(failed, { parameters: { left: 3 }, async: true })
    const { executionId, status } = ok(reply, 202)
    assert.equal(status, 'pending')
    await until('its end', async () => {
      const now = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
      return now.status === 'completed' ? now : undefined
    })
  })

  test('only a failed execution can be resumed, with parameters of its workflow, by its account', async () => {
    const { failed } = await failExecution()
    const { executionId } = ok(await resume(failed, { parameters: { left: 3 } }))
    assert.deepEqual(issuePaths(await resume(executionId)), ['executionId'])
    assert.deepEqual(issuePaths(await resume(failed, { parameters: { nope: 1 } })), ['parameters.nope'])
    assert.deepEqual(issuePaths(await resume(failed, { parameter: {} })), ['parameter'])
    refused(await resume('exec_00000000000000000000'), 'not_found')
    refused(await resume(failed, {}, (await secondAccount()).api), 'not_found')
  })
})
