/** `write` and `describe` with a schema: one call returns several texts, and templates read them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AiExecution, callsOf, micros, useAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import type { ErrorBody, ErrorDetails, Image } from '../harness/types.ts'
import { idInUrl, save, upload } from '../harness/workflows.ts'

const card = {
  type: 'object',
  required: ['headline', 'tags'],
  additionalProperties: false,
  properties: {
    headline: { type: 'string', maxLength: 20, description: 'Without a full stop.' },
    color: { type: 'string', format: 'color' },
    tags: { type: 'array', minItems: 2, maxItems: 4, items: { type: 'string', maxLength: 9 } },
    place: { type: 'object', properties: { city: { type: 'string', maxLength: 6 } } },
  },
}
const model = 'openai/gpt-4.1-mini'

area('structured text', {}, () => {
  const current = useAiService()
  const written = (params: object = {}, name = '{{ nodes.copy.result.headline }}'): Document => ({
    ...canvas({}, { name }),
    nodes: {
      ...canvas().nodes,
      copy: { type: 'write', params: { prompt: 'A café', schema: card, model, ...params } },
    },
  })
  const execute = (id: string, parameters = {}) =>
    current.api.post<AiExecution>('/workflows/execute', { workflowId: id, parameters })
  const run = async (document: Document) => ok(await execute((await save(current.api, document)).id))
  const nameOf = async ({ output }: AiExecution) =>
    ok(await current.api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`)).name.replace(/\.png$/, '')
  const outcomesOf = async (id: string) =>
    (await callsOf(current.api, id)).copy?.map(({ model: used, outcome }) => `${used} ${outcome}`)

  test('one call gives several texts, and a list of them is a list of nodes', async () => {
    const { ai, api } = current
    const name =
      '{{ nodes.copy.result.headline }}-{{ nodes.copy.result.color }}-{{ nodes.copy.result.place.city }}-{{ nodes.tag.count }}'
    const { id } = await save(api, {
      ...written({}, name),
      nodes: {
        ...written().nodes,
        tag: {
          type: 'text',
          each: '{{ nodes.copy.result.tags }}',
          params: { text: '{{ item }}', size: 12, box: { width: 60, height: 20 } },
        },
        all: { type: 'stack', inputs: { images: ['sheet', 'tag'] } },
      },
      output: { node: 'all', format: 'png', name },
    })
    const done = ok(await execute(id))
    assert.equal(await nameOf(done), 'FAKE openai gpt-4.1--#123456-FAKE o-2')
    assert.equal(ai.openai.billed().length, 1)
    const [{ fields } = { fields: {} }] = ai.openai.log
    const { response_format: format } = fields as {
      response_format?: { type: string; json_schema: { strict: boolean } }
    }
    assert.deepEqual([format?.type, format?.json_schema.strict], ['json_schema', true])
    const calls = (await callsOf(api, done.executionId)).copy ?? []
    assert.deepEqual([calls.length, micros(calls[0]?.costUsd)], [1, micros(done.cost?.usd)])
  })

  test('a response that does not match is requested once more, and both calls are paid', async () => {
    const { ai, api } = current
    ai.openai.script({ do: 'mismatch' })
    const done = await run(written())
    assert.deepEqual(await outcomesOf(done.executionId), [`${model} mismatch`, `${model} done`])
    assert.equal(ai.openai.billed().length, 2)
    const calls = (await callsOf(api, done.executionId)).copy ?? []
    assert.ok(calls.every(({ costUsd }) => (costUsd ?? 0) > 0))
    assert.equal(
      micros(done.cost?.usd),
      calls.reduce((sum, { costUsd }) => sum + micros(costUsd), 0),
    )
    assert.match(
      JSON.stringify(ai.openai.log[1]?.fields),
      /did not match the schema: headline is required; tags is required; unexpected is not/,
    )
  })

  test('after the second one the execution fails with the difference, and can be resumed', async () => {
    const { ai, api } = current
    ai.openai.script([{ do: 'mismatch' }, { do: 'mismatch' }])
    const { id } = await save(api, written())
    const reply = await execute(id)
    const {
      reason,
      executionId = '',
      ...details
    } = refused(reply, 'workflow_failed') as ErrorDetails & { problem?: string }
    assert.deepEqual([reason, details.node, details.problem], ['provider_unavailable', 'copy', 'mismatch'])
    assert.match(
      (reply.body as unknown as ErrorBody).error.message,
      /gpt-4\.1-mini returned a response that does not match the schema: headline is required; tags is required/,
    )
    assert.deepEqual(await outcomesOf(executionId), [`${model} mismatch`, `${model} mismatch`])
    const resumed = ok(await api.post<AiExecution>(`/workflows/executions/${executionId}/resume`, {}))
    assert.equal(await nameOf(resumed), 'FAKE openai gpt-4.1-')
    assert.equal(ai.openai.billed().length, 3)
  })

  test('the next model is called after two responses that do not match', async () => {
    const { ai } = current
    ai.openai.script([{ do: 'mismatch' }, { do: 'mismatch' }])
    const done = await run(written({ fallback: ['openai/gpt-4o'] }))
    assert.deepEqual(await outcomesOf(done.executionId), [
      `${model} mismatch`,
      `${model} mismatch`,
      'openai/gpt-4o done',
    ])
    assert.equal(await nameOf(done), 'FAKE openai gpt-4o:')
  })

  test('a description is cached with its fields, for the same schema only', async () => {
    const { ai, api } = current
    const photo = await upload(api, await plain('png'))
    const seen = (schema: object): Document => ({
      ...canvas({}, { name: '{{ nodes.seen.result[0].alt }}' }),
      nodes: {
        photo: { type: 'image', params: { source: photo.id } },
        seen: { type: 'describe', inputs: { image: 'photo' }, params: { schema, model } },
      },
      output: { node: 'seen', format: 'png', name: '{{ nodes.seen.result[0].alt }}' },
    })
    const list = { type: 'array', items: { type: 'object', properties: { alt: { type: 'string', maxLength: 8 } } } }
    const first = await run(seen(list))
    const second = await run(seen(list))
    assert.deepEqual([await nameOf(first), await nameOf(second)], ['FAKE ope', 'FAKE ope'])
    assert.equal(ai.openai.billed().length, 1)
    await run(seen({ ...list, maxItems: 3 }))
    assert.equal(ai.openai.billed().length, 2)
  })

  test('a resumed execution reads the fields without another call', async () => {
    const { ai, api } = current
    const crop = { type: 'crop', inputs: { image: 'sheet' }, params: { x: '{{ left }}', y: 0, width: 2, height: 2 } }
    const document = {
      ...written({ seed: 7 }),
      parameters: [{ name: 'left', type: 'number' }],
      nodes: { ...written({ seed: 7 }).nodes, named: { ...crop, when: '{{ nodes.copy.result.headline }}' } },
      output: {
        node: 'named',
        format: 'png',
        name: '{{ nodes.copy.result.tags | join: "-" }}{{ nodes.copy.result.place.city }}',
      },
    }
    const { id } = await save(api, document)
    const { executionId = '' } = refused(await execute(id, { left: 500 }), 'workflow_failed')
    const resumed = ok(
      await api.post<AiExecution>(`/workflows/executions/${executionId}/resume`, { parameters: { left: 1 } }),
    )
    assert.equal(await nameOf(resumed), 'FAKE open-FAKE openFAKE o')
    assert.equal(ai.openai.billed().length, 1)
  })

  test('the estimate includes the second request', async () => {
    const estimated = async (document: Document) =>
      ok(await current.api.post<{ cost: { minUsd: number; maxUsd: number } }>('/workflows/validate', { document })).cost
    const one = await estimated(written({ schema: undefined }, '{{ nodes.copy.text }}'))
    const two = await estimated(written())
    assert.equal(micros(two.maxUsd), 2 * micros(one.maxUsd))
    assert.equal(two.minUsd, one.minUsd)
  })

  const mistakes: [what: string, params: object, path: string, name?: string][] = [
    ['a field that the schema does not have', {}, 'output.name', '{{ nodes.copy.result.hedline }}'],
    ['the item of a list by a name', {}, 'output.name', '{{ nodes.copy.result.tags.first.text }}'],
    ['the result without a schema', { schema: undefined }, 'output.name'],
    [
      'a template in the schema',
      { schema: { ...card, description: '{{ x }}' } },
      'nodes.copy.params.schema.description',
    ],
    ['a schema of a text', { schema: { type: 'string' } }, 'nodes.copy.params.schema.type'],
    ['an unknown keyword', { schema: { ...card, oneOf: [] } }, 'nodes.copy.params.schema.oneOf'],
    [
      'an image',
      { schema: { type: 'array', items: { type: 'string', format: 'image' } } },
      'nodes.copy.params.schema.items.format',
      '{{ nodes.copy.text }}',
    ],
    ['a schema that is not an object', { schema: [card] }, 'nodes.copy.params.schema'],
  ]
  for (const [label, params, path, name] of mistakes)
    test(`${label} is rejected when the workflow is saved`, async () => {
      assert.deepEqual(issuePaths(await current.api.post('/workflows', written(params, name))), [path])
    })

  test('a schema for a model that accepts no question is rejected', async () => {
    const seen = {
      type: 'describe',
      inputs: { image: 'sheet' },
      params: { schema: card, model: 'fal/fal-ai/florence-2-large/more-detailed-caption' },
    }
    const document = { ...canvas(), nodes: { ...canvas().nodes, seen }, output: { node: 'seen', format: 'png' } }
    assert.deepEqual(issuePaths(await current.api.post('/workflows', document)), ['nodes.seen.params.schema'])
  })
})
