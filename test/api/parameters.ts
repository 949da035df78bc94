/** The body of POST /workflows/execute: rejected values and their paths. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { naming } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution, Executions, Image } from '../harness/types.ts'
import { idInUrl, run, save } from '../harness/workflows.ts'

area('parameters of an execution', { concurrency: 4 }, () => {
  let api: Client
  let workflowId: string
  before(async () => {
    api = await firstAccount()
    const document = naming('{{ title }}|{{ tone }}|{{ size }}|{{ free }}', [
      { name: 'title', type: 'string', required: true },
      { name: 'tone', type: 'string', default: 'warm', enum: ['warm', 'cold'] },
      { name: 'size', type: 'number', default: 3, minimum: 1, maximum: 10 },
      { name: 'free', type: 'string', default: 'none' },
    ])
    workflowId = (await save(api, document)).id
  })

  const execute = (body: unknown) => api.post<Execution>('/workflows/execute', body)
  const nameOf = async (parameters: Record<string, unknown>): Promise<string> => {
    const { url } = await run(api, workflowId, parameters)
    return ok(await api.get<Image>(`/storage/images/${idInUrl(url)}`)).name
  }

  test('a parameter that is not passed has its default', async () => {
    assert.match(await nameOf({ title: 'a' }), /^a\|warm\|3\|none/)
  })

  test('null means that a parameter is not passed', async () => {
    assert.match(await nameOf({ title: 'a', tone: null, size: null, free: null }), /^a\|warm\|3\|none/)
  })

  test('passed values are used, including the minimum and maximum', async () => {
    assert.match(await nameOf({ title: 'b', tone: 'cold', size: 10, free: '' }), /^b\|cold\|10\|/)
    assert.match(await nameOf({ title: 'b', size: 1 }), /^b\|warm\|1\|/)
    assert.match(await nameOf({ title: 'b', size: 2.5 }), /^b\|warm\|2\.5\|/)
  })

  const wrong: [what: string, parameters: unknown, paths: string[]][] = [
    ['a required parameter that is missing', {}, ['parameters.title']],
    ['a parameter that is not declared', { title: 'a', tilte: 'b' }, ['parameters.tilte']],
    ['a number for a string', { title: 5 }, ['parameters.title']],
    ['true for a string', { title: true }, ['parameters.title']],
    ['null for a string', { title: null }, ['parameters.title']],
    ['a list for a string', { title: ['a'] }, ['parameters.title']],
    ['an object for a string', { title: { a: 1 } }, ['parameters.title']],
    ['digits in quotes for a number', { title: 'a', size: '5' }, ['parameters.size']],
    ['an empty string for a number', { title: 'a', size: '' }, ['parameters.size']],
    ['true for a number', { title: 'a', size: true }, ['parameters.size']],
    ['a number below the minimum', { title: 'a', size: 0.999 }, ['parameters.size']],
    ['a number above the maximum', { title: 'a', size: 10.001 }, ['parameters.size']],
    ['a string outside its enum', { title: 'a', tone: 'Warm' }, ['parameters.tone']],
    ['a list instead of parameters', ['a'], ['parameters']],
    ['a string instead of parameters', 'title=a', ['parameters']],
    ['null instead of parameters', null, ['parameters.title']],
    [
      'four invalid parameters, all reported together,',
      { tilte: 'x', tone: 'hot', size: 99 },
      ['parameters.size', 'parameters.tilte', 'parameters.title', 'parameters.tone'],
    ],
  ]
  for (const [label, parameters, paths] of wrong) {
    test(`${label} is rejected with the path of the problem`, async () => {
      assert.deepEqual(issuePaths(await execute({ workflowId, parameters })), paths)
    })
  }

  test('a rejected execution leaves no record', async () => {
    const { id } = await save(api, naming('{{ title }}', [{ name: 'title', type: 'string', required: true }]))
    issuePaths(await api.post('/workflows/execute', { workflowId: id, async: true }))
    const accepted = ok(
      await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { title: 'a' }, async: true }),
      202,
    )
    const { executions } = ok(await api.get<Executions>('/workflows/executions', { workflowId: id }))
    assert.deepEqual(
      executions.map(({ executionId }) => executionId),
      [accepted.executionId],
    )
  })

  const wrongBodies: [what: string, body: unknown, paths: string[]][] = [
    ['no workflowId', { parameters: {} }, ['workflowId']],
    ['a number for workflowId', { workflowId: 5 }, ['workflowId']],
    ['a string for async', { workflowId: 'wf_a', async: 'true' }, ['async']],
    ['a number for async', { workflowId: 'wf_a', async: 1 }, ['async']],
    ['null for workflowId', { workflowId: null, async: null }, ['workflowId']],
    ['a field that is not in the specification', { workflowId: 'wf_a', workflow_id: 'x' }, ['workflow_id']],
    [
      'three invalid fields, all reported together,',
      { async: 1, nope: 1, parameters: 5 },
      ['async', 'nope', 'parameters', 'workflowId'],
    ],
  ]
  for (const [label, body, paths] of wrongBodies) {
    test(`a body with ${label} is rejected with the path of the problem`, async () => {
      assert.deepEqual(issuePaths(await execute(body)), paths)
    })
  }

  for (const body of [[], 'text', 5, true, null]) {
    test(`the body ${JSON.stringify(body)} is rejected because it is not an object`, async () => {
      issuePaths(await execute(body))
    })
  }
})
