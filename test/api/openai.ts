/** The OpenAI-compatible API, with the official client of OpenAI. */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import OpenAI, { type APIError, AuthenticationError, BadRequestError, NotFoundError, toFile } from 'openai'
import { drawn, useAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, type OpenAiError, ok, type Reply, refused } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { field, file, type Part } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { newAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Listed, Workflow } from '../harness/types.ts'
import { fetchImage, save } from '../harness/workflows.ts'

interface Generated {
  created: number
  data: { url?: string; b64_json?: string; executionId: string; cost?: { usd: number } }[]
}

const clientOf = (api: Client, options: object = {}) =>
  new OpenAI({ apiKey: api.key ?? '', baseURL: `${api.service.origin}/openai/v1`, maxRetries: 0, ...options })

/** Draws a canvas of the requested size. Its name is the prompt. */
const card = (openai: object = {}): Document => ({
  ...canvas({ width: '{{ w }}', height: '{{ h }}' }, { name: '{{ headline }}' }),
  name: 'Card',
  parameters: [
    { name: 'headline', type: 'string', required: true },
    { name: 'w', type: 'number', default: 8, minimum: 1, maximum: 400 },
    { name: 'h', type: 'number', default: 6, minimum: 1, maximum: 400 },
  ],
  openai: { prompt: 'headline', width: 'w', height: 'h', n: 3, ...openai },
})

/** Scales an image, and ignores the prompt. */
const scaled = (): Document => ({
  ...scale(),
  parameters: [...(scale().parameters ?? []), { name: 'note', type: 'string', default: '' }],
  openai: { prompt: 'note', image: 'source' },
})

const withSlug = async (api: Client, document: Document, slug: string): Promise<string> => {
  const { id } = await save(api, document)
  ok(await api.put(`/workflows/${id}/slug`, { slug }))
  return id
}

const executionsOf = async (api: Client): Promise<number> =>
  ok(await api.get<Listed & { executions: unknown[] }>('/workflows/executions', { limit: 100 })).executions.length

const errorOf = (reply: Reply<unknown>): OpenAiError['error'] => (reply.body as OpenAiError).error

area('the OpenAI-compatible API', { concurrency: 4 }, () => {
  let api: Client
  let openai: OpenAI
  let cardId: string
  let png: Buffer
  before(async () => {
    api = (await newAccount()).api
    openai = clientOf(api)
    png = await plain('png', 40, 30)
    cardId = await withSlug(api, card(), 'card')
    await withSlug(api, scaled(), 'scaled')
    await withSlug(api, { ...card(), output: { node: 'sheet', format: 'png' } }, 'plain')
  })

  const generate = (body: object, headers: Record<string, string> = {}, by: Client = api) =>
    by.post<Generated>('/openai/v1/images/generations', { model: 'card', prompt: 'Hello', ...body }, headers)
  const edit = (parts: Part[], by: Client = api) => by.call<Generated>('POST', '/openai/v1/images/edits', { parts })
  const image = (): Part => ({ ...file(png), field: 'image' })
  const record = async (executionId: string) =>
    ok(await api.get<Execution & { parameters: Record<string, unknown> }>(`/workflows/executions/${executionId}`))

  test('the client generates an image of the prompt and the size, by URL', async () => {
    const response = await openai.images.generate({ model: 'card', prompt: 'Hello', size: '32x24' as '1024x1024' })
    const [{ url, executionId } = {}] = response.data as Generated['data']
    assert.ok(Math.abs(response.created - Date.now() / 1_000) < 3_600)
    const { output, parameters } = await record(executionId ?? '')
    assert.deepEqual([output?.width, output?.height, output?.url], [32, 24, url])
    assert.deepEqual(parameters, { headline: 'Hello', w: 32, h: 24 })
    assert.ok((await fetchImage(api, url ?? '')).length > 0)
  })

  test('the client gets the bytes of the image in base64, also of a large file', async () => {
    const large = await withSlug(
      api,
      {
        ...card(),
        nodes: { sheet: { type: 'canvas', params: { width: 400, height: 400 } } },
        output: { node: 'sheet', format: 'tiff' },
      },
      'large',
    )
    for (const model of ['card', large]) {
      const response = await openai.images.generate({ model, prompt: 'Hello', n: 2, response_format: 'b64_json' })
      const data = (response.data ?? []) as Generated['data']
      assert.equal(data.length, 2)
      for (const { b64_json = '', url, executionId } of data) {
        assert.equal(url, undefined)
        const { output } = await record(executionId)
        const bytes = Buffer.from(b64_json, 'base64')
        assert.equal(bytes.toString('base64'), b64_json)
        assert.deepEqual(bytes, await fetchImage(api, output?.url ?? ''))
      }
    }
  })

  test('the client edits an image', async () => {
    const sources = new Set<unknown>()
    const upload = async () => toFile(png, 'photo.png', { type: 'image/png' })
    for (const sent of [await upload(), [await upload()]]) {
      const response = await openai.images.edit({ model: 'scaled', prompt: 'Smaller', image: sent })
      const [{ executionId } = {}] = response.data as Generated['data']
      const { output, parameters } = await record(executionId ?? '')
      assert.deepEqual([output?.width, output?.height], [20, 15])
      assert.match(String(parameters.source), /^img_/)
      sources.add(parameters.source)
    }
    assert.equal(sources.size, 1, 'the same file is stored once')
  })

  test('the client lists the models: workflows that opt in, and their channels', async () => {
    const own = (await newAccount()).api
    const id = await withSlug(own, card(), 'mine')
    ok(await own.put(`/workflows/${id}/channels/live`, { version: 1 }))
    await save(own, { ...canvas(), name: '"openai"' })
    const unnamed = await save(own, card())
    const { data } = await clientOf(own).models.list()
    assert.deepEqual(
      data.map((model) => model.id),
      [unnamed.id, 'mine', 'mine@live'],
    )
    assert.deepEqual(Object.keys(data[0] ?? {}).sort(), ['created', 'id', 'object', 'owned_by'])
    ok(await own.put(`/workflows/${id}`, canvas()))
    ok(await own.delete(`/workflows/${unnamed.id}`))
    assert.deepEqual(ok(await own.get<{ data: unknown[] }>('/openai/v1/models')).data, [])
    ok(await own.post('/openai/v1/images/generations', { model: 'mine@live', prompt: 'a' }))
  })

  test('a model is a slug, an id, a channel or a version', async () => {
    const id = await withSlug(api, card(), 'versions')
    ok(await api.put(`/workflows/${id}/channels/live`, { version: 1 }))
    ok(await api.put(`/workflows/${id}`, card({ prompt: 'headline', n: 2 })))
    const versionOf = async (model: string) => {
      const { data } = ok(await generate({ model }))
      return (await record(data[0]?.executionId ?? '')) as unknown as { workflowVersion: number }
    }
    for (const [model, version] of [
      ['versions', 2],
      [id, 2],
      ['versions@live', 1],
      ['versions@1', 1],
    ] as const)
      assert.equal((await versionOf(model)).workflowVersion, version, model)
  })

  test('n images are n executions with the same parameters', async () => {
    const own = (await newAccount()).api
    await withSlug(own, card(), 'card')
    const { data } = ok(await generate({ n: 3, size: '16x9' }, {}, own))
    assert.equal(new Set(data.map(({ executionId }) => executionId)).size, 3)
    assert.equal(await executionsOf(own), 3)
  })

  test('a request with the Idempotency-Key of an earlier one gets its images, also of n', async () => {
    const own = (await newAccount()).api
    await withSlug(own, card(), 'card')
    const headers = { 'idempotency-key': 'once' }
    const first = ok(await generate({ n: 3 }, headers, own))
    // The parameters of the first request count.
    const { id } = ok(await own.get<Workflow>('/workflows/card'))
    ok(
      await own.put(`/workflows/${id}`, {
        ...card(),
        parameters: [{ name: 'headline', type: 'string', default: 'b' }],
        nodes: canvas().nodes,
        openai: { prompt: 'headline' },
      }),
    )
    assert.deepEqual(ok(await generate({ n: 3 }, headers, own)), first)
    assert.deepEqual(issuePaths(await generate({ n: 2 }, headers, own)), ['Idempotency-Key'])
    const again = await Promise.all([1, 2, 3, 4].map(() => generate({}, { 'idempotency-key': 'parallel' }, own)))
    assert.equal(new Set(again.map((reply) => ok(reply).data[0]?.executionId)).size, 1)
    assert.equal(await executionsOf(own), 4)
    const sdk = clientOf(own).images
    const options = { headers: { 'Idempotency-Key': 'sdk' } }
    const [a, b] = [
      await sdk.generate({ model: 'card', prompt: 'x' }, options),
      await sdk.generate({ model: 'card', prompt: 'x' }, options),
    ]
    assert.deepEqual(a.data, b.data)
    const parts = [field('model', 'scaled'), field('prompt', 'x'), image()]
    const edits = []
    for (let i = 0; i < 2; i++)
      edits.push(
        ok(
          await api.call<Generated>('POST', '/openai/v1/images/edits', {
            parts,
            headers: { 'idempotency-key': 'edit' },
          }),
        ),
      )
    assert.deepEqual(edits[0], edits[1])
  })

  test('fields that the model does not declare, or that no model supports, are rejected by their name', async () => {
    const rows: [object, string][] = [
      [{ quality: 'hd' }, 'quality'],
      [{ stream: true }, 'stream'],
      [{ user: 'a' }, 'user'],
      [{ n: 4 }, 'n'],
      [{ n: 0 }, 'n'],
      [{ n: 11 }, 'n'],
      [{ n: '2' }, 'n'],
      [{ size: '32' }, 'size'],
      [{ size: '32x24x1' }, 'size'],
      [{ size: '-1x5' }, 'size'],
      [{ size: '999x24' }, 'size'],
      [{ size: '0x24' }, 'size'],
      [{ response_format: 'png' }, 'response_format'],
      [{ prompt: 7 }, 'prompt'],
      [{ prompt: 'a'.repeat(200_000) }, 'prompt'],
      [{ model: 'closed' }, 'model'],
      [{ model: 'card@nope' }, 'model'],
      [{ model: 'card@99' }, 'model'],
      [{ model: 'card@live@live' }, 'model'],
      [{ model: '../card' }, 'model'],
      [{ model: 'card\u0000' }, 'model'],
      [{ model: '' }, 'model'],
      [{ model: 'scaled', size: '10x10' }, 'size'],
      [{ model: 'scaled', n: 2 }, 'n'],
      [{ model: 'scaled' }, 'image'],
    ]
    const own = (await newAccount()).api
    await withSlug(own, card(), 'card')
    await withSlug(own, scaled(), 'scaled')
    await withSlug(own, canvas(), 'closed')
    for (const [body, param] of rows) {
      const reply = await generate(body, {}, own)
      assert.deepEqual(issuePaths(reply), [param], JSON.stringify(body).slice(0, 100))
    }
    const both = await generate({ quality: 'hd', n: 99 }, {}, own)
    for (const name of ['quality', 'n']) assert.match(errorOf(both).message, new RegExp(`"${name}" `))
    assert.equal(await executionsOf(own), 0)
    ok(await generate({ size: 'auto', n: null, response_format: null }))
    for (const body of [{ prompt: undefined }, { model: undefined }]) refused(await generate(body), 'invalid_request')
  })

  test('prompts are data: no template, markup or control character of one is read', async () => {
    for (const prompt of ['{{ w }}', '<b>&amp;', '{{ brand.secret }}', '"}]', '\u202e', '']) {
      const { data } = ok(await generate({ model: 'plain', prompt }))
      assert.equal((await record(data[0]?.executionId ?? '')).parameters.headline, prompt)
    }
  })

  test('an upload of another file, of two images or of a mask, and a missing one, are rejected', async () => {
    const fields = [field('model', 'scaled'), field('prompt', 'x')]
    assert.deepEqual(issuePaths(await edit(fields)), ['image'])
    assert.deepEqual(issuePaths(await edit([...fields, image(), image()])), ['image'])
    assert.deepEqual(issuePaths(await edit([...fields, image(), { ...file(png), field: 'mask' }])), ['mask'])
    assert.deepEqual(issuePaths(await edit([...fields, file(png)])), ['file'])
    assert.deepEqual(issuePaths(await edit([...fields, field('image', 'data:image/png;base64,AAAA')])), ['image'])
    assert.deepEqual(issuePaths(await edit([...fields, { ...file('no image'), field: 'image' }])), ['image'])
    assert.deepEqual(issuePaths(await edit([field('model', 'card'), field('prompt', 'x'), image()])), ['image'])
    assert.deepEqual(issuePaths(await edit([...fields, field('n', '2'), image()])), ['n'])
    assert.deepEqual(issuePaths(await edit([...fields, field('prompt', 'y'), image()])), ['prompt'])
    assert.deepEqual(issuePaths(await edit([fields[0] as Part, field('prompt', 'a'.repeat(50_001)), image()])), [
      'prompt',
    ])
    refused(await api.post('/openai/v1/images/edits', { model: 'scaled', prompt: 'x' }), 'invalid_request')
  })

  test('workflows and images of another account do not exist, and errors have the classes of the client', async () => {
    const other = (await newAccount()).api
    const [theirs, none] = [await generate({}, {}, other), await generate({ model: 'nope' }, {}, other)]
    refused(theirs, 'not_found')
    assert.equal(theirs.text.replaceAll('card', 'nope'), none.text)
    refused(await generate({ model: cardId }, {}, other), 'not_found')
    assert.equal(errorOf(none).param, 'model')
    assert.deepEqual((await clientOf(other).models.list()).data, [])
    const sdk = clientOf(other).images
    await assert.rejects(sdk.generate({ model: 'card', prompt: 'x' }), (error) => {
      assert.ok(error instanceof NotFoundError)
      assert.deepEqual([error.code, error.param, error.type], ['not_found', 'model', 'invalid_request_error'])
      return true
    })
    await assert.rejects(openai.images.generate({ model: 'card', prompt: 'x', quality: 'hd' }), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.param, 'quality')
      return true
    })
    const wrong = clientOf(other, { apiKey: `${other.key}x` })
    await assert.rejects(wrong.images.generate({ model: 'card', prompt: 'x' }), AuthenticationError)
  })

  test('a slug of two accounts is the workflow of each', async () => {
    const other = (await newAccount()).api
    const id = await withSlug(other, card(), 'card')
    const { data } = ok(await generate({}, {}, other))
    const { workflowId } = ok(await other.get<Execution>(`/workflows/executions/${data[0]?.executionId}`))
    assert.equal(workflowId, id)
    refused(await api.get(`/workflows/executions/${data[0]?.executionId}`), 'not_found')
  })

  test('unknown paths and methods below it have errors of the same form', async () => {
    refused(await api.post('/openai/v1/chat/completions', {}), 'not_found')
    refused(await api.call('DELETE', '/openai/v1/models'), 'method_not_allowed')
    refused(
      await api.call('POST', '/openai/v1/images/generations', {
        body: '{',
        headers: { 'content-type': 'application/json' },
      }),
      'invalid_request',
    )
  })

  test('a document whose openai names no parameter is rejected, with all problems', async () => {
    const reply = await api.post('/workflows', { ...card({ prompt: 'headlin', image: 'w', n: 99 }), name: '' })
    assert.deepEqual(issuePaths(reply), ['name', 'openai.n'])
    assert.deepEqual(issuePaths(await api.post('/workflows', card({ prompt: 'headlin', image: 'w' }))), [
      'openai',
      'openai.image',
      'openai.prompt',
      'openai.width',
    ])
    assert.deepEqual(issuePaths(await api.post('/workflows', card({ model: 'x' }))), ['openai.model'])
  })

  test('a failed execution is an error that the client does not repeat', async () => {
    const own = (await newAccount()).api
    const missing = { sheet: { type: 'image', params: { source: `img_${'0'.repeat(28)}` } } }
    await withSlug(own, { ...card(), nodes: missing }, 'broken')
    const error = await clientOf(own, { maxRetries: 2 })
      .images.generate({ model: 'broken', prompt: 'x' })
      .then(
        () => assert.fail('it failed'),
        (caught: unknown) => caught as APIError,
      )
    assert.deepEqual([error.status, error.code, error.type], [500, 'workflow_failed', 'server_error'])
    assert.equal(await executionsOf(own), 1)
    const headers = { 'idempotency-key': 'failed' }
    const replies = [
      await generate({ model: 'broken' }, headers, own),
      await generate({ model: 'broken' }, headers, own),
    ]
    for (const reply of replies) {
      refused(reply, 'workflow_failed')
      assert.equal(reply.headers['x-should-retry'], 'false')
    }
    assert.equal(replies[0]?.text, replies[1]?.text)
    await withSlug(own, { ...scaled(), nodes: missing, output: { node: 'sheet' } }, 'missing')
    const failed = await edit([field('model', 'missing'), field('prompt', 'x'), image()], own)
    refused(failed, 'workflow_failed')
    assert.equal(await executionsOf(own), 3)
  })
})

area('the OpenAI-compatible API and money', {}, () => {
  const setup = useAiService()
  const model = (): Document => ({ ...drawn(), openai: { prompt: 'prompt', n: 4 } })

  test('each of n images is made and paid separately, and the response has its cost', async () => {
    await withSlug(setup.api, model(), 'drawn')
    const { data } = await clientOf(setup.api).images.generate({ model: 'drawn', prompt: 'A door', n: 2 })
    const images = (data ?? []) as Generated['data']
    assert.equal(setup.ai.openai.billed().length, 2)
    for (const { cost } of images) assert.ok((cost?.usd ?? 0) > 0)
  })

  test('the budget of the account stops it', async () => {
    const { api } = await setup.ai.tenant({ budget: '0.000001' })
    await withSlug(api, model(), 'drawn')
    const reply = await api.post('/openai/v1/images/generations', { model: 'drawn', prompt: 'A door', n: 2 })
    refused(reply, 'workflow_failed')
    assert.match(errorOf(reply).message, /budget/)
    assert.equal(setup.ai.openai.billed().length, 0)
  })
})

area('slow executions of the OpenAI-compatible API', {}, () => {
  let service: Service
  let outside: SourceHost
  before(async () => {
    outside = await startSourceHost()
    service = await startWithoutExamples({
      FETCH_ALLOW: 'localhost',
      SYNC_WAIT_SECONDS: '1',
      EXECUTIONS_RUNNING_MAX: '1',
      EXECUTIONS_WAITING_MAX: '4',
    })
  })
  after(async () => {
    await service.remove()
    await outside.close()
  })

  /** An account whose model waits for a file until the test releases it. */
  const held = async (t: TestContext) => {
    const hold = outside.hold()
    t.after(hold.release)
    const { api } = await newAccount({ service })
    const { nodes, output } = scale()
    const id = await withSlug(
      api,
      {
        name: 'Held',
        parameters: [
          { name: 'prompt', type: 'string' },
          { name: 'source', type: 'string', default: hold.url },
          { name: 'width', type: 'number', default: 9 },
        ],
        nodes,
        output,
        openai: { prompt: 'prompt', n: 3 },
      },
      'held',
    )
    const generate = (body: object = {}, headers: Record<string, string> = {}) =>
      api.post<Generated>('/openai/v1/images/generations', { model: 'held', prompt: 'x', ...body }, headers)
    return { api, id, hold, generate }
  }

  test('an execution that takes longer than the service waits is an error, and the same request with its key gets the image', async (t) => {
    const { api, hold, generate } = await held(t)
    const without = await generate()
    refused(without, 'unavailable')
    assert.equal(without.headers['x-should-retry'], 'false')
    const [, executionId = ''] = /executions\/(exec_\w+)/.exec(errorOf(without).message) ?? []
    ok(await api.post(`/workflows/executions/${executionId}/cancel`))
    const headers = { 'idempotency-key': 'slow' }
    const withKey = await generate({}, headers)
    refused(withKey, 'unavailable')
    assert.deepEqual([withKey.headers['x-should-retry'], withKey.headers['retry-after']], ['true', '1'])
    const sdk = clientOf(api, { maxRetries: 20 }).images.generate({ model: 'held', prompt: 'x' }, { headers })
    hold.release()
    const { data } = await sdk
    assert.equal(data?.length, 1)
    assert.equal(await executionsOf(api), 2)
  })

  test('if one of n executions is not accepted, none runs without a key, and a retry with the key adds the others', async (t) => {
    const { api, id, hold, generate } = await held(t)
    const first = ok(await api.post<Execution>('/workflows/execute', { workflowId: id, async: true }), 202)
    await hold.waiting()
    const headers = { 'idempotency-key': 'three' }
    const statuses = async () =>
      ok(await api.get<Listed & { executions: Execution[] }>('/workflows/executions')).executions.map(
        ({ status }) => status,
      )
    refused(await generate({ n: 3 }), 'rate_limited')
    assert.deepEqual(
      (await statuses()).filter((status) => status !== 'failed'),
      ['running'],
    )
    refused(await generate({ n: 3 }, headers), 'rate_limited')
    assert.deepEqual((await statuses()).filter((status) => status === 'pending').length, 2)
    hold.release()
    await api.ended(first.executionId)
    const { data } = ok(await generate({ n: 3 }, headers))
    assert.equal(new Set(data.map(({ executionId }) => executionId)).size, 3)
    assert.equal((await statuses()).filter((status) => status === 'completed').length, 4)
  })
})
