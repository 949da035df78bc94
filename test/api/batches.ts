/** Batches: /batches, their rows, their execution and their results. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { type Document, scale } from '../harness/documents.ts'
import { openEventsAt } from '../harness/event-stream.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Executions, Output } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { namesInZip } from '../harness/zip.ts'

interface Batch {
  id: string
  name: string
  status: string
  pauseReason?: string
  uploading: boolean
  workflowVersion: number
  maxUsd?: number
  counts: Record<'total' | 'pending' | 'running' | 'completed' | 'failed' | 'cancelled', number>
  createdAt: string
  startedAt?: string
  completedAt?: string
}

interface Item {
  key: string
  row: number
  status: string
  parameters: Record<string, unknown>
  executionId?: string
  output?: Output & { imageId: string }
  error?: { message: string; details: Record<string, unknown> }
}

/** A label of any type, on a canvas. */
const labels: Document = {
  name: 'Labels',
  parameters: [
    { name: 'width', type: 'number', required: true, minimum: 1 },
    { name: 'label', type: 'string', default: '' },
    { name: 'dark', type: 'string', format: 'boolean', default: 'false' },
    {
      name: 'data',
      type: 'string',
      format: 'json',
      schema: { type: 'object', properties: { color: { type: 'string' } } },
    },
  ],
  nodes: {
    sheet: { type: 'canvas', params: { width: '{{ width }}', height: 5, color: '{{ data.color | default: "red" }}' } },
  },
  output: { node: 'sheet', format: 'png' },
}

area('batches', { concurrency: 4 }, () => {
  let api: Client
  let tenant: Tenant
  let outside: SourceHost
  let labelsId: string
  let scaleId: string
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
    outside = await startSourceHost()
    labelsId = (await save(api, labels)).id
    scaleId = (await save(api, scale())).id
  })
  after(() => outside.close())

  const create = async (workflowId = labelsId, body: object = {}, as = api) =>
    ok(await as.post<Batch>('/batches', { workflowId, ...body }), 201)
  /** One account uploads one file at a time, and the tests of this area share one. */
  const put = (id: string, file: string | Buffer, type = 'text/csv', as = api): Promise<Reply<Batch>> =>
    until(`the turn to upload to ${id}`, async () => {
      const headers = { 'content-type': type }
      const reply = await as.call<Batch>('PUT', `/batches/${id}/items`, { body: Buffer.from(file as string), headers })
      return reply.status === 429 ? undefined : reply
    })
  const find = async (id: string, as = api) => ok(await as.get<Batch>(`/batches/${id}`))
  const items = async (id: string, query = {}, as = api) =>
    ok(await as.get<{ items: Item[]; total: number }>(`/batches/${id}/items`, query)).items
  const start = (id: string, as = api) => as.post<{ batch: Batch }>(`/batches/${id}/start`)
  const settled = (id: string, as = api) =>
    until(`the end of ${id}`, async () => {
      const batch = await find(id, as)
      const { pending, running } = batch.counts
      return ['completed', 'cancelled'].includes(batch.status) && pending + running === 0 ? batch : undefined
    })
  const started = async (file: string, workflowId = labelsId, body = {}) => {
    const { id } = await create(workflowId, body)
    ok(await put(id, file))
    ok(await start(id))
    return id
  }

  test('rows of a CSV file become executions of one version, with results by key', async () => {
    const { id, ...created } = await create(labelsId, { name: 'Spring', defaults: { label: 'all' }, maxUsd: 2.5 })
    assert.deepEqual(
      [created.name, created.status, created.maxUsd, created.counts.total],
      ['Spring', 'created', 2.5, 0],
    )
    const file = 'key;width;dark;data;label\r\na;10;TRUE;"{""color"": ""blue""}";\r\n"b ""2""";11;;;own\r\n'
    assert.equal(ok(await put(id, file)).counts.pending, 2)
    assert.deepEqual(
      (await items(id)).map(({ parameters }) => parameters),
      [
        { width: 10, dark: true, data: '{"color": "blue"}' },
        { width: 11, label: 'own' },
      ],
    )
    const estimate = ok(await api.get<{ rows: number; cost: object }>(`/batches/${id}/estimate`))
    assert.deepEqual([estimate.rows, estimate.cost], [2, { minUsd: 0, maxUsd: 0 }])
    const reply = ok(await api.post<{ batch: Batch; estimate: object }>(`/batches/${id}/start`))
    assert.equal(reply.batch.status, 'running')
    const ended = await settled(id)
    assert.deepEqual([ended.status, ended.counts.completed], ['completed', 2])
    assert.ok(ended.startedAt && ended.completedAt)
    const [first, second] = await items(id, { status: 'completed' })
    assert.deepEqual([first?.output?.width, second?.output?.width], [10, 11])
    const record = ok(await api.get<Execution & { batchId: string }>(`/workflows/executions/${first?.executionId}`))
    assert.deepEqual([record.batchId, record.parameters?.label, record.parameters?.dark], [id, 'all', true])
    const one = ok(await api.get<Item>(`/batches/${id}/items/${encodeURIComponent('b "2"')}`))
    assert.equal(one.executionId, second?.executionId)
    refused(await api.get(`/batches/${id}/items/none`), 'not_found')
  })

  test('an NDJSON file passes typed values, and rows without a key are numbered', async () => {
    const { id } = await create()
    ok(await put(id, '{"width":3,"data":{"color":"lime"}}\n{"key":"x","width":4}\n', 'application/x-ndjson'))
    assert.deepEqual(
      (await items(id)).map(({ key, row, parameters }) => [key, row, parameters]),
      [
        ['1', 1, { width: 3, data: { color: 'lime' } }],
        ['x', 2, { width: 4 }],
      ],
    )
  })

  test('every problem of a file is reported by line, and the batch keeps its former rows', async () => {
    const { id } = await create()
    ok(await put(id, 'width\n7\n'))
    const reply = await put(id, 'key,width,dark\na,1,\na,two,\nb,zero,perhaps\nc,0,true\nd,5\n')
    const paths = ['line 3, key', 'line 3, width', 'line 4, dark', 'line 4, width', 'line 5, width', 'line 6']
    assert.deepEqual(issuePaths(reply), paths)
    const details = refused(reply, 'invalid_request') as {
      issues?: { line?: number; message: string }[]
      issueCount?: number
    }
    assert.equal(details.issueCount, 6)
    assert.deepEqual(
      details.issues?.map(({ line }) => line),
      [3, 3, 4, 4, 5, 6],
    )
    for (const { message } of details.issues ?? []) assert.match(message, /\S+ \S+/)
    assert.deepEqual(
      (await items(id)).map(({ parameters }) => parameters.width),
      [7],
    )
    assert.deepEqual([(await find(id)).uploading, (await find(id)).counts.total], [false, 1])
    ok(await put(id, 'width\n8\n9\n'))
    assert.deepEqual(
      (await items(id)).map(({ parameters }) => parameters.width),
      [8, 9],
    )
  })

  const wrongFiles: [what: string, file: string | Buffer, message: RegExp][] = [
    ['an empty file', '', /header/],
    ['a header only', 'width\n', /at least one row/],
    ['UTF-16', Buffer.from('\ufeffwidth\n1\n', 'utf16le'), /is UTF-16/],
    ['another encoding', Buffer.from('width,label\n1,caf\xe9\n', 'latin1'), /is not UTF-8/],
    ['an unknown column', 'widht\n1\n', /Did you mean \\"width\\"/],
    ['a missing column', 'label\nx\n', /width\\" is required by the workflow/],
    ['10,000 columns', `${'a,'.repeat(9_999)}a\n1\n`, /has 10000 columns/],
    ['an open quote', 'width,label\n1,"x\n', /closing quote is missing/],
    ['a very long cell', `width,label\n1,${'x'.repeat(1_100_000)}\n`, /is longer than 1048576 bytes/],
    ['a value beyond the limit of the workflow', 'width\n99999\n', /line 2, nodes\.sheet\.params\.width/],
  ]
  for (const [label, file, message] of wrongFiles) {
    test(`${label} is refused with the reason`, async () => {
      const { id } = await create()
      const reply = await put(id, file)
      refused(reply, 'invalid_request')
      assert.match(reply.text, message)
      assert.equal((await find(id)).counts.total, 0)
    })
  }

  test('images that the account lacks, and data: URLs, are refused by line', async () => {
    const picture = await upload(api, await plain('png'))
    const other = await upload((await secondAccount()).api, await plain('png'))
    const { id } = await create(scaleId)
    const document: Document = {
      ...scale(),
      parameters: [
        { name: 'source', type: 'string', format: 'image', required: true },
        ...(scale().parameters ?? []).slice(1),
      ],
    }
    const typed = await create((await save(api, document)).id)
    ok(await put(id, `source\n${picture.id}\n`))
    const file = `source\n${picture.id}\n${other.id}\n${outside.url('/x')}\n"data:image/png;base64,AAAA"\n`
    assert.deepEqual(issuePaths(await put(typed.id, file)), ['line 3, source', 'line 5, source'])
  })

  test('a JSON array has the same rows as a file, and problems by row', async () => {
    const { id } = await create()
    const rows = [
      { key: 'a', width: 10, dark: true, data: { color: 'blue' } },
      { width: 11, label: null },
    ]
    assert.equal(ok(await put(id, JSON.stringify(rows), 'application/json; charset=utf-8')).counts.pending, 2)
    assert.deepEqual(
      (await items(id)).map(({ key, parameters }) => [key, parameters]),
      [
        ['a', { width: 10, dark: true, data: { color: 'blue' } }],
        ['2', { width: 11 }],
      ],
    )
    const wrong = [
      { key: 'a', width: 'x' },
      { key: 'a', width: 1 },
      { width: 1, nope: 1 },
    ]
    const refusal = await put(id, JSON.stringify(wrong), 'application/json')
    assert.deepEqual(issuePaths(refusal), ['row 1, width', 'row 2, key', 'row 3, nope'])
    for (const body of ['{"width":1}', '[]', '', '[{"width":1}'])
      assert.equal(issuePaths(await put(id, body, 'application/json')).length, 1, body)
    ok(await put(id, JSON.stringify(rows), 'text/plain;charset=UTF-8'))
    const plain = refused(await put(id, 'width\n1\n', 'text/plain'), 'invalid_request')
    assert.match(JSON.stringify(plain.issues), /need the Content-Type text\/csv/)
    // More than a JSON body of other requests may have.
    const many = Array.from({ length: 3_000 }, (_, at) => ({ key: `k${at}`, width: 10, label: 'x'.repeat(400) }))
    assert.equal(ok(await put(id, JSON.stringify(many), 'application/json')).counts.pending, 3_000)
  })

  test('other media types, encodings and bodies are refused', async () => {
    const { id } = await create()
    assert.deepEqual(issuePaths(await put(id, 'width', 'application/xml')), ['Content-Type'])
    assert.deepEqual(issuePaths(await put(id, 'width\n1\n', 'text/csv; charset=latin1')), ['Content-Type'])
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
    assert.deepEqual(issuePaths(await api.call('PUT', `/batches/${id}/items`, { body: 'x', headers })), [
      'Content-Encoding',
    ])
    refused(await put('batch_none', 'width\n1\n'), 'not_found')
    ok(await put(id, 'width\n1\n', 'Text/CSV; charset=UTF-8'))
  })

  test('wrong fields of a batch are refused with their path', async () => {
    refused(await api.post('/batches', { workflowId: 'wf_none' }), 'not_found')
    const wrong = { workflowId: labelsId, defaults: { width: 'x', nope: 1 } }
    assert.deepEqual(issuePaths(await api.post('/batches', wrong)), ['defaults.nope', 'defaults.width'])
    const large = { workflowId: labelsId, defaults: { label: 'x'.repeat(66_000) } }
    assert.deepEqual(issuePaths(await api.post('/batches', large)), ['defaults'])
    assert.deepEqual(issuePaths(await api.post('/batches', { workflowId: labelsId, maxUsd: -1, rows: [] })), [
      'maxUsd',
      'rows',
    ])
    const { id } = await create()
    ok(await api.call('PATCH', `/batches/${id}`, { json: { name: 'New', maxUsd: 3 } }))
    for (const reply of [
      await api.call('PATCH', `/batches/${id}`, { json: { name: ' ' } }),
      await api.post('/batches', { workflowId: labelsId, name: ' ' }),
    ])
      assert.deepEqual(issuePaths(reply), ['name'])
    assert.deepEqual([(await find(id)).name, (await find(id)).maxUsd], ['New', 3])
    const cleared = ok(await api.call<Batch>('PATCH', `/batches/${id}`, { json: { maxUsd: null } }))
    assert.deepEqual([cleared.name, cleared.maxUsd], ['New', undefined])
    assert.deepEqual(ok(await api.call<Batch>('PATCH', `/batches/${id}`, { json: {} })), cleared)
    refused(await api.call('PATCH', `/batches/${id}`, { json: { status: 'running' } }), 'invalid_request')
  })

  test('a batch runs the version that is chosen when it is created', async () => {
    const { id: workflowId } = await save(api, scale())
    ok(await api.put(`/workflows/${workflowId}`, { ...scale(), description: 'Two' }))
    ok(await api.put(`/workflows/${workflowId}/channels/live`, { version: 1 }))
    assert.equal((await create(workflowId)).workflowVersion, 2)
    assert.equal((await create(workflowId, { version: 1 })).workflowVersion, 1)
    const live = await create(workflowId, { channel: 'live' })
    ok(await api.put(`/workflows/${workflowId}/channels/live`, { version: 2 }))
    assert.equal((await find(live.id)).workflowVersion, 1)
    assert.deepEqual(issuePaths(await api.post('/batches', { workflowId, version: 3 })), ['version'])
    assert.deepEqual(issuePaths(await api.post('/batches', { workflowId, channel: 'none' })), ['channel'])
  })

  test('requests that the state of the batch does not allow are refused, and change nothing', async () => {
    const { id } = await create()
    for (const verb of ['start', 'pause', 'resume', 'cancel'])
      assert.deepEqual(issuePaths(await api.post(`/batches/${id}/${verb}`)), ['batchId'])
    assert.deepEqual(issuePaths(await api.post(`/batches/${id}/retry`, {})), ['batchId'])
    ok(await put(id, 'width\n1\n'))
    ok(await start(id))
    assert.equal(ok(await start(id)).batch.id, id, 'a repeated start')
    assert.deepEqual(issuePaths(await put(id, 'width\n1\n')), ['batchId'])
    await settled(id)
    assert.deepEqual(issuePaths(await api.post(`/batches/${id}/pause`)), ['batchId'])
  })

  test('a paused batch starts no more rows until it is resumed', async () => {
    const hold = outside.hold()
    const rows = Array.from({ length: 60 }, (_, i) => `${i},${i === 0 ? hold.url : outside.url('/p')}\n`)
    const id = await started(`key,source\n${rows.join('')}`, scaleId)
    await hold.waiting()
    assert.equal(ok(await api.post<Batch>(`/batches/${id}/pause`)).pauseReason, 'requested')
    hold.release()
    const paused = await until('the end of the rows that had an execution', async () => {
      const batch = await find(id)
      const open = (await items(id, { limit: 100 })).filter(
        ({ status, executionId }) => executionId && ['pending', 'running'].includes(status),
      )
      return batch.counts.completed > 0 && open.length === 0 ? batch : undefined
    })
    assert.equal(paused.status, 'paused')
    ok(await api.post(`/batches/${id}/resume`))
    assert.equal((await settled(id)).counts.completed, 60)
  })

  test('a request with wait responds when the batch has ended, or with its current state', async () => {
    const hold = outside.hold()
    const id = await started(`key,source\n1,${hold.url}\n`, scaleId)
    await hold.waiting()
    assert.equal(ok(await api.get<Batch>(`/batches/${id}`, { wait: 1 })).status, 'running')
    const waiting = api.get<Batch>(`/batches/${id}`, { wait: 55 })
    hold.release()
    const { status, counts } = ok(await waiting)
    assert.deepEqual([status, counts.completed], ['completed', 1])
    assert.deepEqual(issuePaths(await api.get(`/batches/${id}`, { wait: 56 })), ['wait'])
  })

  test('a cancelled batch cancels its executions and all rows that have not ended', async () => {
    const hold = outside.hold()
    const rows = Array.from({ length: 100 }, (_, i) => `${i},${hold.url}\n`)
    const id = await started(`key,source\n${rows.join('')}`, scaleId)
    await hold.waiting()
    assert.deepEqual(issuePaths(await api.delete(`/batches/${id}`)), ['batchId'])
    assert.equal(ok(await api.post<Batch>(`/batches/${id}/cancel`)).status, 'cancelled')
    const ended = await settled(id)
    hold.release()
    assert.deepEqual([ended.counts.cancelled, ended.counts.failed], [100, 0])
    assert.deepEqual(issuePaths(await api.post(`/batches/${id}/retry`, {})), ['batchId'])
    await until('its deletion', async () => (await api.delete(`/batches/${id}`)).status === 200 || undefined)
    refused(await api.get(`/batches/${id}`), 'not_found')
  })

  test('failed rows are listed, changed and retried, and completed steps do not run again', async () => {
    const path = '/broken'
    outside.serve(path, (_request, response) => void response.writeHead(404).end())
    const id = await started(`key,source,width\ngood,${outside.url('/g')},9\nbad,${outside.url(path)},\n`, scaleId)
    const ended = await settled(id)
    assert.deepEqual([ended.status, ended.counts.completed, ended.counts.failed], ['completed', 1, 1])
    const [failed] = await items(id, { status: 'failed' })
    assert.equal(failed?.error?.details.reason, 'input_not_found')
    const change = (key: string, parameters: object) =>
      api.call<Item>('PATCH', `/batches/${id}/items/${key}`, { json: { parameters } })
    assert.deepEqual(issuePaths(await change('bad', { width: 0, nope: 1 })), ['parameters.nope', 'parameters.width'])
    assert.deepEqual(issuePaths(await change('good', { width: 5 })), ['key'])
    refused(await change('none', {}), 'not_found')
    const changed = ok(await change('bad', { source: outside.url('/fixed'), width: 7 }))
    assert.deepEqual(changed.parameters, { source: outside.url('/fixed'), width: 7 })
    assert.deepEqual(ok(await change('bad', { width: null })).parameters, { source: outside.url('/fixed') })
    const retried = ok(await api.post<{ retried: number }>(`/batches/${id}/retry`, { keys: ['bad', 'good', 'none'] }))
    assert.equal(retried.retried, 1)
    assert.equal((await settled(id)).counts.completed, 2)
    const [, last] = await items(id)
    assert.equal(last?.output?.width, 20)
    const record = ok(await api.get<Execution & { resumedFrom: string }>(`/workflows/executions/${last?.executionId}`))
    assert.equal(record.resumedFrom, failed?.executionId)
    assert.equal(ok(await api.post<{ retried: number }>(`/batches/${id}/retry`, {})).retried, 0)
  })

  test('rows can be changed before the start', async () => {
    const { id } = await create()
    ok(await put(id, 'key,width\na,1\n'))
    ok(await api.call('PATCH', `/batches/${id}/items/a`, { json: { parameters: { width: 2, label: 'x' } } }))
    assert.deepEqual((await items(id))[0]?.parameters, { width: 2, label: 'x' })
  })

  test('results are CSV without formulas, NDJSON, and a ZIP file of the images', async () => {
    const cells = ['=1+1', '+1', '-1', '@x', '"\tx"', 'o;=1']
    const rows = cells.map((cell, i) => `"${['=k', '+k', 'a/../b', 'CON', 'Ünï', 'A/../B'][i]}",${i + 1},${cell}\n`)
    const id = await started(`key,width,label\n${rows.join('')}`)
    await settled(id)
    const csv = await api.call('GET', `/batches/${id}/results.csv`)
    ok(csv)
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="?Labels\.csv/)
    const lines = csv.text.trim().split('\r\n').slice(1)
    assert.equal(lines.length, 6)
    for (const line of lines) assert.doesNotMatch(line, /(^|,)"?[=+\-@\t\r]/)
    assert.match(lines.at(-1) ?? '', /,"o;=1",,$/, 'in quotes for spreadsheets that separate cells at semicolons')
    const ndjson = await api.call('GET', `/batches/${id}/results.ndjson`)
    ok(ndjson)
    const records = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Item)
    assert.deepEqual(
      records.map(({ row, parameters }) => [row, parameters.label]),
      cells.map((cell, i) => [i + 1, cell.replaceAll('"', '')]),
    )
    const failed = await api.call('GET', `/batches/${id}/results.csv`, { query: { status: 'failed' } })
    assert.equal(failed.text.trim().split('\r\n').length, 1)
    const zip = await api.call('GET', `/batches/${id}/results.zip`)
    ok(zip)
    const names = namesInZip(zip.bytes)
    assert.deepEqual(names, ['=k.png', '+k.png', 'a_.._b.png', '_CON.png', 'Ünï.png', 'A_.._B-6.png', 'results.csv'])
    const part = await api.call('GET', `/batches/${id}/results.zip`, { query: { fromRow: 2, toRow: 3 } })
    assert.deepEqual(namesInZip(part.bytes), ['+k.png', 'a_.._b.png', 'results.csv'])
    assert.match(String(part.headers['content-disposition']), /Labels-2-3\.zip/)
    const whole = { fromRow: 1, toRow: cells.length }
    assert.deepEqual(ok(await api.get(`/batches/${id}/results`)), { zipParts: [whole] })
    const wrong = await api.call('GET', `/batches/${id}/results.zip`, { query: { fromRow: 3, toRow: 2 } })
    assert.deepEqual(issuePaths(wrong), ['toRow'])
    for (const name of ['results.csv', 'results.ndjson', 'results.zip']) {
      const head = await api.call('HEAD', `/batches/${id}/${name}`)
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
    }
  })

  test('a workflow with several outputs gives each row all of them', async () => {
    const document = { ...labels, outputs: { wide: { node: 'sheet', format: 'webp' } } }
    const { id: workflowId } = await save(api, document as Document)
    const id = await started('key,width\na,10\n', workflowId)
    await settled(id)
    const [item] = (await items(id)) as (Item & { outputs?: { name: string; format: string }[] })[]
    assert.deepEqual(
      item?.outputs?.map(({ name, format }) => [name, format]),
      [['wide', 'webp']],
    )
    const zip = await api.call('GET', `/batches/${id}/results.zip`)
    assert.deepEqual(namesInZip(zip.bytes), ['a.png', 'a-wide.webp', 'results.csv'])
  })

  test('a webhook of a batch must be a URL that webhooks can be sent to', async () => {
    assert.deepEqual(issuePaths(await api.post('/batches', { workflowId: labelsId, webhookUrl: 'ftp://x' })), [
      'webhookUrl',
    ])
  })

  test('the events of a batch are its state, each row that ends, and the end', async () => {
    const hold = outside.hold()
    const id = await started(`key,source\na,${outside.url('/a')}\nb,${hold.url}\n`, scaleId)
    const stream = await openEventsAt(api, `/batches/${id}/events`)
    const first = await stream.next()
    assert.deepEqual([first?.event, first?.data.id], ['batch', id])
    await hold.waiting()
    hold.release()
    const rest = await stream.rest()
    assert.equal(stream.how(), 'ended')
    const last = rest.at(-1)
    assert.deepEqual([last?.event, last?.data.status, last?.data.counts.completed], ['batch', 'completed', 2])
    const keysOf = (frames: typeof rest) => frames.filter(({ event }) => event === 'item').map(({ data }) => data.key)
    // The other row may have ended long before the stream began.
    assert.ok(keysOf(rest).includes('b'), JSON.stringify(rest))
    const again = await openEventsAt(api, `/batches/${id}/events`, { last: 0 })
    assert.deepEqual(keysOf(await again.rest()).sort(), ['a', 'b'])
    const whole = await api.call('GET', `/batches/${id}/events`)
    assert.match(String(whole.headers['content-type']), /^text\/event-stream/)
    const head = await api.call('HEAD', `/batches/${id}/events`)
    assert.equal(head.status, 200)
    refused(await api.call('GET', `/batches/${id}/events`, { headers: { 'last-event-id': 'x' } }), 'invalid_request')
  })

  test('a request that changes the status with the key of an earlier one returns its response', async () => {
    const hold = outside.hold()
    const { id } = await create(scaleId)
    ok(await put(id, `source\n${hold.url}\n`))
    const twice = async (verb: string, body?: object, batch = id) => {
      const headers = { 'idempotency-key': `${verb} once` }
      const send = () => api.post<Batch>(`/batches/${batch}/${verb}`, body, headers)
      const [first, second] = [await send(), await send()]
      assert.equal(second.headers['idempotent-replayed'], 'true')
      assert.deepEqual(second.body, ok(first))
    }
    await twice('start')
    await hold.waiting()
    for (const verb of ['pause', 'resume', 'cancel']) await twice(verb)
    hold.release()
    const ended = await started('width\n1\n')
    await settled(ended)
    await twice('retry', {}, ended)
  })

  test('lists are filtered, and deleted batches leave their executions', async () => {
    const { api: account } = await newAccount()
    const { id: workflowId } = await save(account, labels)
    const { id } = await create(workflowId, {}, account)
    ok(await put(id, 'width\n1\n', 'text/csv', account))
    ok(await start(id, account))
    await settled(id, account)
    const { id: unstarted } = await create(workflowId, {}, account)
    const list = async (query = {}) =>
      ok(await account.get<{ batches: Batch[]; total: number }>('/batches', query)).batches.map((each) => each.id)
    assert.deepEqual(await list(), [unstarted, id])
    assert.deepEqual(await list({ status: 'completed', workflowId }), [id])
    assert.deepEqual(await list({ limit: 1, offset: 1 }), [id])
    assert.deepEqual(ok(await account.delete(`/batches/${id}`)), { deleted: true })
    assert.deepEqual(await list(), [unstarted])
    assert.equal(ok(await account.get<Executions>('/workflows/executions')).executions.length, 1)
  })

  test('an account runs at most 10 batches at the same time', async () => {
    const { api: account } = await newAccount()
    const { id: workflowId } = await save(account, scale())
    const hold = outside.hold()
    const begin = async () => {
      const { id } = await create(workflowId, {}, account)
      ok(await put(id, `source\n${hold.url}\n`, 'text/csv', account))
      return start(id, account)
    }
    for (let i = 0; i < 10; i += 1) ok(await begin())
    const details = refused(await begin(), 'forbidden') as { quota?: string; limit?: number }
    assert.deepEqual([details.quota, details.limit], ['batchesRunning', 10])
    hold.release()
  })

  test('uploads that stall do not prevent the upload of another account, and can continue', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => newAccount()))
    const owners = await Promise.all(
      tenants.map(async ({ api: account }) => ({
        account,
        id: (await create((await save(account, labels)).id, {}, account)).id,
        rest: Promise.withResolvers<Buffer>(),
      })),
    )
    const [other = assert.fail(), ...stalled] = owners
    async function* body(rest: Promise<Buffer>) {
      yield Buffer.from('width\n1\n')
      yield await rest
    }
    const replies = stalled.map(({ account, id, rest }) => {
      const url = `${api.service.origin}/v1/batches/${id}/items`
      const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'text/csv' }
      return fetch(url, { method: 'PUT', headers, body: body(rest.promise), duplex: 'half' })
    })
    for (const { account, id } of stalled)
      await until('the start of the upload', async () => (await find(id, account)).uploading || undefined)

    const headers = { 'content-type': 'text/csv' }
    const upload = ({ account, id }: typeof other) =>
      account.call<Batch>('PUT', `/batches/${id}/items`, { body: Buffer.from('width\n1\n2\n'), headers })
    assert.equal(ok(await upload(other)).counts.pending, 2)
    const [first = assert.fail()] = stalled
    refused(await upload(first), 'rate_limited')

    for (const { rest } of stalled) rest.resolve(Buffer.from('2\n3\n'))
    for (const reply of replies) assert.equal(((await (await reply).json()) as Batch).counts.pending, 3)
  })

  test('an upload that its client aborts leaves the former rows', async () => {
    const { api: account } = await newAccount()
    const { id } = await create((await save(account, labels)).id, {}, account)
    ok(await put(id, 'width\n1\n', 'text/csv', account))
    const aborting = new AbortController()
    async function* body() {
      yield Buffer.from('width\n')
      for (let i = 0; i < 20; i += 1) yield Buffer.from('2\n'.repeat(1_000))
      await until('the upload', async () => (await find(id, account)).uploading || undefined)
      aborting.abort()
      yield Buffer.from('3\n')
    }
    const url = `${api.service.origin}/v1/batches/${id}/items`
    const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'text/csv' }
    await assert.rejects(fetch(url, { method: 'PUT', headers, body: body(), duplex: 'half', signal: aborting.signal }))
    await until('the end of the upload', async () => !(await find(id, account)).uploading || undefined)
    assert.deepEqual(
      (await items(id, {}, account)).map(({ parameters }) => parameters.width),
      [1],
    )
    ok(await put(id, 'width\n4\n', 'text/csv', account))
  })
})
