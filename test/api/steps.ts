/** GET /workflows/executions and GET /workflows/executions/{executionId}/steps. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution, Executions } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

interface Step {
  node: string
  operation: string
  status: string
}

type Warned = Execution & { warnings?: { node: string; message: string }[] }

area('the steps of an execution', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const sheet = { type: 'canvas', params: { width: 8, height: 6, color: 'red' } }
  const stepsOf = async (id: string): Promise<Step[]> =>
    ok(await api.get<{ steps: Step[] }>(`/workflows/executions/${id}/steps`)).steps
  const rows = (steps: Step[]): string[] =>
    steps.map(({ node, operation, status }) => `${node} ${operation} ${status}`).sort()

  test('each step has its node, operation, state and time; a node that the output does not need is not a step', async () => {
    const { id } = await save(api, {
      name: 'Steps',
      nodes: {
        sheet,
        turned: { type: 'flip', inputs: { image: 'sheet' } },
        skipped: { type: 'flip', when: '{{ false }}', inputs: { image: 'turned' } },
        lonely: sheet,
      },
      output: { node: 'skipped', format: 'png' },
    })
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    const steps = await stepsOf(executionId)
    assert.deepEqual(rows(steps), ['sheet canvas completed', 'skipped flip skipped', 'turned flip completed'])
    for (const step of steps.filter((each) => each.status === 'completed')) {
      assert.ok(
        Object.entries(step).some(([name, value]) => /duration/i.test(name) && typeof value === 'number' && value >= 0),
        JSON.stringify(step),
      )
    }
  })

  test('characters that no font has are warnings of the step and of the execution, also from the cache', async () => {
    const { id } = await save(api, {
      name: 'Boxes',
      parameters: [{ name: 'policy', type: 'string', default: 'warn' }],
      nodes: {
        words: { type: 'text', params: { text: 'Javanese: ꦗꦮ', size: 20, missingGlyphs: '{{ policy }}' } },
        turned: { type: 'flip', inputs: { image: 'words' } },
      },
      output: { node: 'turned', format: 'png' },
    })
    for (const time of [1, 2]) {
      const { executionId, warnings } = ok(await api.post<Warned>('/workflows/execute', { workflowId: id }))
      assert.deepEqual(
        warnings?.map(({ node }) => node),
        ['words'],
        `execution ${time}`,
      )
      assert.match(warnings?.[0]?.message ?? '', /ꦗ \(U\+A997\), ꦮ \(U\+A9AE\)/)
      assert.deepEqual(ok(await api.get<Warned>(`/workflows/executions/${executionId}`)).warnings, warnings)
      const steps = (await stepsOf(executionId)) as (Step & { warnings?: string[] })[]
      assert.deepEqual(
        steps.map((step) => step.warnings),
        steps.map(({ node }) => (node === 'words' ? [warnings?.[0]?.message] : undefined)),
      )
    }
    const body = { workflowId: id, parameters: { policy: 'error' } }
    const failed = await api.post<{ error?: { message: string } }>('/workflows/execute', body)
    refused(failed, 'workflow_failed')
    assert.match(JSON.stringify(failed.body), /No font has the characters ꦗ/)
  })

  test('the failing step has the state failed, and later steps did not run', async () => {
    const { id } = await save(api, {
      name: 'Fails',
      nodes: {
        load: { type: 'image', params: { source: 'img_00000000000000000000' } },
        turned: { type: 'flip', inputs: { image: 'load' } },
      },
      output: { node: 'turned' },
    })
    const { executionId = '' } = refused(await api.post('/workflows/execute', { workflowId: id }), 'workflow_failed')
    const steps = await stepsOf(executionId)
    assert.equal(steps.find((each) => each.node === 'load')?.status, 'failed')
    assert.ok(
      !['completed', 'running', 'failed'].includes(steps.find((each) => each.node === 'turned')?.status ?? 'pending'),
    )
  })

  test('executions are listed newest first, with their ids, workflows and states', async () => {
    const [good, bad] = [
      await save(api, canvas()),
      await save(api, { name: 'Bad', nodes: { a: { type: 'image', params: { source: 'x' } } }, output: { node: 'a' } }),
    ]
    const first = ok(await api.post<Execution>('/workflows/execute', { workflowId: good.id }))
    await api.post('/workflows/execute', { workflowId: bad.id })
    const listed = ok(await api.get<Executions>('/workflows/executions', { limit: 100 })).executions
    const executions = listed.filter((each) => [good.id, bad.id].includes(each.workflowId))
    assert.deepEqual(
      executions.map((each) => [each.workflowId, each.status]),
      [
        [bad.id, 'failed'],
        [good.id, 'completed'],
      ],
    )
    assert.equal(executions[1]?.executionId, first.executionId)
  })

  test('an unknown query parameter is rejected', async () => {
    const { id } = await save(api, canvas())
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    for (const path of ['', '/steps']) {
      assert.deepEqual(issuePaths(await api.get(`/workflows/executions/${executionId}${path}`, { nope: 1 })), ['nope'])
    }
  })
})
