/** Nodes that run over a list: `each`. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

area('a node that runs over a list', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const columns = {
    name: 'Columns',
    parameters: [{ name: 'heights', type: 'string', default: '5,9,7' }],
    nodes: {
      bars: {
        type: 'canvas',
        each: '{{ heights | split: "," }}',
        params: { width: 4, height: '{{ item }}', color: 'red' },
      },
      framed: { type: 'extend', inputs: { image: 'bars' }, params: { left: '{{ index | plus: 1 }}' } },
      row: { type: 'stack', inputs: { images: 'framed' }, params: { direction: 'horizontal' } },
    },
    output: { node: 'row', format: 'png' },
  }

  test('returns one image for each value, and a node with several inputs combines them', async () => {
    const { id } = await save(api, columns)
    const { output, executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }), 200)
    assert.deepEqual([output?.width, output?.height], [3 * 4 + 1 + 2 + 3, 9])
    const { steps } = ok(
      await api.get<{ steps: { node: string; count?: number; height?: number }[] }>(
        `/workflows/executions/${executionId}/steps`,
      ),
    )
    assert.deepEqual(
      steps.map(({ node, count, height }) => [node, count, height]),
      [
        ['bars', 3, 5],
        ['framed', 3, 5],
        ['row', undefined, 9],
      ],
    )
  })

  test('an invalid value is rejected before anything runs, at the path of its param', async () => {
    const { id } = await save(api, columns)
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { heights: '5,-1' } })
    assert.deepEqual(issuePaths(reply), ['nodes.bars.params.height'])
    const many = Array.from({ length: 101 }, () => 1).join(',')
    const over = await api.post('/workflows/execute', { workflowId: id, parameters: { heights: many } })
    assert.deepEqual(issuePaths(over), ['nodes.bars.each'])
  })

  test('a list as the output is rejected when the workflow is saved', async () => {
    const reply = await api.post('/workflows', { ...columns, output: { node: 'framed' } })
    assert.deepEqual(issuePaths(reply), ['output.node'])
  })
})
