/** Comparison of a document with the saved workflow, before it is saved. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { firstAccount, newAccount, secondAccount, smallService, type Tenant } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Executions, Images, Workflow } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

interface Compared {
  name: string
  result: string
  before: { width?: number; size?: number; error?: { code: string; details: { reason?: string } } }
  after: { width?: number; size?: number; error?: { code: string; details: { reason?: string } } }
  differing: number | null
  maxDifference: number | null
  psnr: number | null
}
type Preview = Workflow & { version: number; comparison?: { examples: Compared[] } }

area('comparing before saving', {}, () => {
  let tenant: Tenant
  let api: Client
  let outside: SourceHost
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
    outside = await startSourceHost()
  })
  after(() => outside.close())

  /** A sheet with a colour, `width` wide. */
  const sheet = (color: string, more: Partial<Document> = {}): Document & { examples?: unknown } => ({
    name: 'Sheet',
    parameters: [{ name: 'width', type: 'number', default: 20, minimum: 1, maximum: 100 }],
    nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 10, color } } },
    output: { node: 'sheet', format: 'png' },
    ...more,
  })
  const compare = (id: string, document: unknown, client = api) =>
    client.call<Preview>('PUT', `/workflows/${id}`, { query: { compare: 'true' }, json: document })

  test('each example has both sizes and the number of differing pixels, and nothing is saved', async () => {
    const examples = [{ name: 'narrow', parameters: { width: 8 } }, { name: 'usual' }]
    const { id } = await save(api, sheet('#ff0000', { examples } as Partial<Document>))
    const preview = ok(await compare(id, sheet('#fa0000', { examples } as Partial<Document>)))
    assert.deepEqual([preview.id, preview.version], [id, 1])
    const [narrow, usual] = preview.comparison?.examples ?? []
    assert.deepEqual(
      [narrow?.name, narrow?.result, narrow?.differing, narrow?.maxDifference],
      ['narrow', 'different', 1, 5],
    )
    // One channel of three differs by 5 everywhere.
    assert.ok(Math.abs((narrow?.psnr ?? 0) - 10 * Math.log10(255 ** 2 / (25 / 3))) < 0.01)
    assert.deepEqual([narrow?.before.width, narrow?.after.width, usual?.before.width], [8, 8, 20])
    assert.ok((usual?.after.size ?? 0) > 50)
    assert.equal(ok(await api.get<Preview>(`/workflows/${id}`)).version, 1)
    assert.equal(ok(await api.get<Executions>('/workflows/executions', { workflowId: id })).executions.length, 0)
    assert.equal(ok(await api.get<Images>('/storage/images')).total, 0)
    assert.deepEqual(
      ok(await api.get<Document & { examples: unknown }>(`/workflows/${id}/document`)).examples,
      examples,
    )
  })

  test('an unchanged document is equal, and images of another size are resized for the comparison', async () => {
    const { id } = await save(api, sheet('#ff0000'))
    const [same] = ok(await compare(id, sheet('rgb(255 0 0)'))).comparison?.examples ?? []
    assert.deepEqual([same?.name, same?.result, same?.differing, same?.psnr], ['defaults', 'same', 0, null])
    const parameters = [{ name: 'width', type: 'number', default: 21 }]
    const [resized] = ok(await compare(id, sheet('#ff0000', { parameters }))).comparison?.examples ?? []
    assert.deepEqual([resized?.result, resized?.differing, resized?.after.width], ['resized', null, 21])
  })

  test('an error of one side is reported in its place, and the other examples continue', async () => {
    const examples = [
      { name: 'gone', parameters: { source: 'img_00000000000000000000' } },
      { name: 'there', parameters: { source: outside.url('/picture.png') } },
    ]
    const { id } = await save(api, scale())
    const found = ok(await compare(id, { ...scale(), examples })).comparison?.examples ?? []
    assert.deepEqual(
      found.map(({ name, result }) => [name, result]),
      [
        ['gone', 'failed'],
        ['there', 'same'],
      ],
    )
    assert.deepEqual(
      [found[0]?.before.error?.code, found[0]?.after.error?.details.reason],
      ['workflow_failed', 'input_not_found'],
    )
  })

  test('an invalid document, or one without examples and defaults, is rejected with its paths', async () => {
    const { id } = await save(api, scale())
    assert.deepEqual(issuePaths(await compare(id, { ...scale(), output: { node: 'none' } })), ['output.node'])
    assert.deepEqual(issuePaths(await compare(id, scale())), ['examples'])
    assert.deepEqual(issuePaths(await compare(id, { ...scale(), examples: [{ name: 'a' }] })), [
      'examples.0.parameters.source',
    ])
    const wrong = await api.call('PUT', `/workflows/${id}`, { query: { compare: 'perhaps' }, json: scale() })
    assert.deepEqual(issuePaths(wrong), ['compare'])
    const older = await api.call('PUT', `/workflows/${id}`, {
      query: { compare: 'true' },
      json: { ...scale(), examples: [{ name: 'a', parameters: { source: 'x' } }] },
      headers: { 'if-match': '"7"' },
    })
    refused(older, 'precondition_failed')
    refused(await compare('wf_00000000000000000000', sheet('red')), 'not_found')
  })

  test('a change of the encoding alone is reported with the sizes of the files', async () => {
    const { id } = await save(api, sheet('#ff0000'))
    const [found] =
      ok(await compare(id, sheet('#ff0000', { output: { node: 'sheet', format: 'webp' } }))).comparison?.examples ?? []
    assert.deepEqual([found?.result, found?.differing, found?.psnr], ['encoded', 0, null])
    assert.notEqual(found?.before.size, found?.after.size)
  })

  test('the command compares two saved versions next to the running service', async () => {
    const { id } = await save(api, sheet('#ff0000'))
    ok(await api.put(`/workflows/${id}`, sheet('#00ff00')))
    const [found] = await tintypeJson<Compared[]>(api.service, 'diff', `${id}@1`, `${id}@2`)
    assert.deepEqual([found?.name, found?.result, found?.maxDifference], ['defaults', 'different', 255])
    const { code, stderr } = await tintype(api.service, 'diff', `${id}@1`, `${id}@3`)
    assert.equal(code, 1)
    assert.match(stderr, /"version" is 3, but .* has the versions 1 to 2/)
  })

  test('a key without the permission to execute cannot compare', async () => {
    const { id } = await save(api, sheet('#ff0000'))
    const writer = api.as((await tenant.key('--permissions', 'workflows:write')).key)
    assert.equal(refused(await compare(id, sheet('#00ff00'), writer), 'forbidden').permission, 'workflows:execute')
    const both = api.as((await tenant.key('--permissions', 'workflows:write,workflows:execute')).key)
    assert.equal(ok(await compare(id, sheet('#00ff00'), both)).comparison?.examples[0]?.result, 'different')
  })

  test('examples that do not finish within the time limit of the request are reported as timeouts', async (t) => {
    const small = await firstAccount(await smallService())
    const { id } = await save(small, scale())
    const hold = outside.hold()
    t.after(hold.release)
    const examples = [{ name: 'held', parameters: { source: hold.url } }]
    const [found] = ok(await compare(id, { ...scale(), examples }, small)).comparison?.examples ?? []
    assert.deepEqual([found?.result, found?.after.error?.details.reason], ['failed', 'timeout'])
  })

  const perProcess = { skip: isMany ? 'each process counts its own' : false }
  const heldBy = (url: string) => ({ ...scale(), examples: [{ name: 'held', parameters: { source: url } }] })

  test('a comparison over the concurrency limit waits for its turn', perProcess, async (t) => {
    const hold = [outside.hold(), outside.hold()]
    t.after(() => {
      for (const each of hold) each.release()
    })
    const clients = [api, await firstAccount()]
    const saved = await Promise.all(clients.map((client) => save(client, scale())))
    const running = hold.map(({ url }, i) => compare(saved[i]?.id ?? '', heldBy(url), clients[i]))
    await Promise.all(hold.map((each) => each.waiting()))
    const { api: third } = await secondAccount()
    let requests = 0
    const url = outside.serve('/third.png', (_request, response) => {
      requests++
      response.end()
    })
    const waiting = compare((await save(third, scale())).id, heldBy(url), third)
    hold[0]?.release()
    assert.equal(ok(await (running[0] as (typeof running)[number])).comparison?.examples[0]?.result, 'same')
    assert.equal(ok(await waiting).comparison?.examples[0]?.result, 'failed')
    assert.ok(requests > 0)
    hold[1]?.release()
    assert.equal(ok(await (running[1] as (typeof running)[number])).comparison?.examples[0]?.result, 'same')
  })

  test('an account runs one comparison at a time, and leaves room for other accounts', perProcess, async (t) => {
    const { id } = await save(api, scale())
    const hold = outside.hold()
    t.after(hold.release)
    const running = compare(id, heldBy(hold.url))
    await hold.waiting()
    refused(await compare(id, heldBy('x')), 'unavailable')
    const other = await firstAccount()
    ok(await compare((await save(other, sheet('red'))).id, sheet('blue'), other))
    hold.release()
    ok(await running)
  })

  test('a comparison ends when its client disconnects, and cancels its fetches', async () => {
    const { id } = await save(api, scale())
    let requests = 0
    let left = false
    const url = outside.serve('/left.png', (_request, response) => {
      requests++
      response.on('close', () => {
        left = true
      })
    })
    const leaving = new AbortController()
    const request = api.call('PUT', `/workflows/${id}`, {
      query: { compare: 'true' },
      json: heldBy(url),
      signal: leaving.signal,
    })
    await until('the request for the source', () => requests || undefined)
    leaving.abort()
    await assert.rejects(request, { name: 'AbortError' })
    await until('the end of the request for the source', () => left || undefined)
    await until('room for the next', async () => {
      const { status } = await compare(id, heldBy(outside.url('/picture.png')))
      return status === 200 || undefined
    })
    assert.equal(requests, 1)
  })

  test('the API compares a draft with the newest version, without saving it', async () => {
    const { api, key } = await newAccount()
    const card = { ...canvas(), examples: [{ name: 'short' }] }
    const { id } = await save(api, card)
    const executor = api.as((await key('--permissions', 'workflows:execute')).key)
    refused(await executor.post(`/workflows/${id}/draft/compare`), 'not_found')
    ok(await api.put(`/workflows/${id}/draft`, { document: card }), 201)
    ok(await api.put(`/workflows/${id}/draft`, { document: { ...card, examples: [{ name: 'a' }] } }))
    const { examples } = ok(
      await executor.post<{ examples: { name: string; result: string }[] }>(`/workflows/${id}/draft/compare`),
    )
    assert.deepEqual(
      examples.map(({ name, result }) => [name, result]),
      [['a', 'same']],
    )
    const drafter = api.as((await key('--permissions', 'workflows:draft')).key)
    ok(await drafter.put(`/workflows/${id}/draft`, { document: card }))
    refused(await drafter.post(`/workflows/${id}/draft/publish`, {}), 'forbidden')
    refused(await drafter.put(`/workflows/${id}`, card), 'forbidden')
    refused(await drafter.delete(`/workflows/${id}/draft`), 'forbidden')
  })
})
