/** GET /workflows/{workflowId}/openapi.json: the request that executes one workflow. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { type OpenApiDocument, readOpenApi } from '../harness/openapi.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import { save } from '../harness/workflows.ts'

interface Document extends OpenApiDocument {
  info: { title: string; version: string; description?: string }
}

const preset = '{"$ref":"#/components/__proto__/polluted","a":{"$ref":"#/components/schemas/Batch"}}'

const card = {
  name: 'Sized card',
  description: 'A card of any width.',
  slug: 'openapi-card',
  parameters: [
    { name: 'width', type: 'number' as const, required: true, minimum: 1, maximum: 100 },
    { name: 'color', type: 'string' as const, format: 'color', default: 'red', description: 'Of the paper.' },
    // A text in a default isn't a reference.
    { name: 'facts', type: 'string' as const, format: 'json', default: preset, schema: { type: 'object' as const } },
  ],
  nodes: { paper: { type: 'canvas', params: { width: '{{ width }}', height: 9, color: '{{ color }}' } } },
  output: { node: 'paper', format: 'png' as const },
  outputs: { small: { node: 'paper', format: 'webp' as const }, large: { node: 'paper', format: 'jpeg' as const } },
}

area('the OpenAPI document of a workflow', {}, () => {
  let api: Client
  let id: string
  before(async () => {
    api = await firstAccount()
    ;({ id } = await save(api, card))
  })
  const read = async (query: Record<string, string | number> = {}) =>
    ok(await api.get<Document>(`/workflows/${id}/openapi.json`, query))

  /** Whether the request body of the document accepts a body. */
  function acceptsBy(document: Document): (body: unknown) => boolean {
    const ajv = new Ajv2020({ strict: false, validateSchema: false })
    ajv.addSchema({ ...document, $id: 'workflow' })
    const validate = ajv.compile({ $ref: 'workflow#/components/schemas/ExecuteRequest' })
    return (body) => validate(body) === true
  }

  test('describes this workflow only, and every reference has its component', async () => {
    const document = await read()
    assert.deepEqual([document.info.title, document.info.version], ['Sized card', '1'])
    assert.equal(document.info.description, 'A card of any width.')
    assert.deepEqual(document.servers, [{ url: `${api.service.origin}/v1` }])
    assert.deepEqual(Object.keys(document.paths), ['/workflows/execute'])
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer)
    assert.ok(references.length > 20, text)
    assert.ok(!('polluted' in {}))
    for (const pointer of references) {
      if (preset.includes(`#/${pointer}"`)) continue
      const target = pointer.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document)
      assert.equal(typeof target, 'object', pointer)
    }
    assert.ok(text.length < 40_000, `${text.length} characters`)
  })

  test('accepts the bodies that the service accepts, and no others', async () => {
    const accepts = acceptsBy(await read())
    const bodies: [body: Record<string, unknown>, isValid: boolean][] = [
      [{ workflowId: id, parameters: { width: 4 } }, true],
      [{ workflowId: 'openapi-card', parameters: { width: 4, color: '#123456', facts: { a: [1] } } }, true],
      [{ workflowId: id, parameters: { width: 4, color: null } }, true],
      [{ workflowId: id, parameters: { width: 4 }, async: true }, true],
      [{ workflowId: id }, false],
      [{ workflowId: id, parameters: {} }, false],
      [{ workflowId: id, parameters: { width: 400 } }, false],
      [{ workflowId: id, parameters: { width: 4, colour: 'red' } }, false],
      [{ workflowId: id, parameters: { width: 4, color: 'no color' } }, false],
      [{ workflowId: id, parameters: { width: 4, facts: 3 } }, false],
    ]
    for (const [body, isValid] of bodies) {
      const reply = await api.post('/workflows/execute', body)
      assert.equal(accepts(body), isValid, JSON.stringify(body))
      if (isValid) assert.ok(reply.status === 200 || reply.status === 202, reply.text)
      else assert.ok(issuePaths(reply).length > 0)
    }
    assert.ok(!accepts({ workflowId: 'another', parameters: { width: 4 } }))
  })

  test('the result has the names of the outputs', async () => {
    const document = await read()
    const { schemas } = document.components as { schemas: Record<string, { properties: Record<string, unknown> }> }
    assert.deepEqual(schemas.NamedOutput?.properties.name, { type: 'string', enum: ['small', 'large'] })
    // The response fits its schema.
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { width: 4 } })
    const operation = readOpenApi(document).find('POST', '/v1/workflows/execute')
    const validate = operation?.responses.get(200)?.mediaTypes.get('application/json')?.()
    assert.ok(validate?.(ok(reply)), JSON.stringify(validate?.errors))
    const { id: plain } = await save(api, { ...card, slug: undefined, outputs: undefined } as never)
    const other = ok(await api.get<Document>(`/workflows/${plain}/openapi.json`))
    assert.ok(!JSON.stringify(other).includes('NamedOutput'))
  })

  test('a version or a channel is part of the requests', async () => {
    const { id } = await save(api, { ...card, slug: 'openapi-versions' } as never)
    ok(
      await api.put(`/workflows/${id}`, { ...card, slug: 'openapi-versions', parameters: card.parameters.slice(0, 2) }),
    )
    ok(await api.put(`/workflows/${id}/channels/live`, { version: 1 }))
    const [newest, first, live] = await Promise.all(
      [{}, { version: 1 }, { channel: 'live' }].map(async (query) => {
        const reply = await api.get<Document>(`/workflows/${id}/openapi.json`, query)
        return { document: ok(reply), etag: reply.headers.etag }
      }),
    )
    assert.deepEqual([newest?.etag, first?.etag, live?.etag], ['"2"', '"1"', '"1"'])
    const body = { workflowId: id, parameters: { width: 4, facts: {} } }
    for (const [read, pin] of [
      [first, { version: 1 }],
      [live, { channel: 'live' }],
    ] as const) {
      assert.ok(read)
      assert.ok(acceptsBy(read.document)({ ...body, ...pin }))
      assert.ok(!acceptsBy(read.document)(body))
      assert.ok(!acceptsBy(read.document)({ ...body, version: 7 }))
    }
    assert.ok(newest && !acceptsBy(newest.document)(body))
    assert.ok(acceptsBy(newest.document)({ workflowId: id, parameters: { width: 4 } }))
  })

  test('is not found for another account, an unknown version or an unknown channel', async () => {
    refused(await (await secondAccount()).api.get(`/workflows/${id}/openapi.json`), 'not_found')
    refused(await api.get(`/workflows/${id}/openapi.json`, { version: 9 }), 'not_found')
    refused(await api.get(`/workflows/${id}/openapi.json`, { channel: 'none' }), 'not_found')
    assert.deepEqual(issuePaths(await api.get(`/workflows/${id}/openapi.json`, { version: 1, channel: 'live' })), [
      'channel',
    ])
  })
})
