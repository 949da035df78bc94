/** POST /workflows/execute and GET /workflows/executions/{executionId}. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertFields, type Client, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import { glass, pixelAt, plain, sizeOf } from '../harness/pictures.ts'
import { firstAccount } from '../harness/shared.ts'
import { added, type Execution, type Images } from '../harness/types.ts'
import { fetchImage, idInUrl, run, save, upload } from '../harness/workflows.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const executionId = /^exec_[0-9a-z]{20,}$/

area('execution of a workflow', { concurrency: 4 }, () => {
  let api: Client
  let canvasId: string
  before(async () => {
    api = await firstAccount()
    canvasId = (await save(api, canvas())).id
  })

  test('a synchronous execution returns 200 with the execution id, completed, the output and the duration', async () => {
    const reply = await api.post<Execution>('/workflows/execute', { workflowId: canvasId })
    const body = ok(reply, 200)
    assertFields(body, ['duration', 'executionId', 'output', 'status'])
    assert.match(body.executionId, executionId)
    assert.equal(body.status, 'completed')
    assertFields(body.output, ['format', 'height', 'url', 'width'], added.output)
    assert.deepEqual([body.output?.width, body.output?.height, body.output?.format], [8, 6, 'png'])
    // 0 is possible: the clocks of two processes differ by some milliseconds.
    assert.ok(Number.isInteger(body.duration) && Number(body.duration) >= 0, 'duration is milliseconds')
  })

  test('async false is the same as async left out', async () => {
    const body = ok(await api.post<Execution>('/workflows/execute', { workflowId: canvasId, async: false }), 200)
    assert.equal(body.status, 'completed')
  })

  test('the output is an image with the stated size and format, public at the stated URL', async () => {
    const photo = await upload(api, await plain('jpeg', 80, 60, '#2060c0'))
    const { id } = await save(api, scale())
    const output = await run(api, id, { source: photo.id, width: 32 })
    assert.deepEqual([output.width, output.height, output.format], [32, 24, 'png'])
    const rendered = await fetchImage(api.as(undefined), output.url)
    assert.deepEqual(await sizeOf(rendered), { width: 32, height: 24, format: 'png', hasAlpha: false })
    const [red = 0, green = 0, blue = 0] = await pixelAt(rendered, 16, 12)
    assert.ok(
      Math.abs(red - 0x20) < 8 && Math.abs(green - 0x60) < 8 && Math.abs(blue - 0xc0) < 8,
      `${red} ${green} ${blue}`,
    )
  })

  test('an image of this service can be loaded by its URL or its id', async () => {
    const photo = await upload(api, await plain('png', 80, 60))
    const { id } = await save(api, scale())
    const output = await run(api, id, { source: photo.url, width: 32 })
    assert.deepEqual([output.width, output.height], [32, 24])
  })

  test('an output is a stored image in the project of the workflow', async () => {
    const workflow = await save(api, canvas({}, { name: 'sheet.png' }))
    const output = await run(api, workflow.id)
    const image = ok(await api.get<Images['images'][number]>(`/storage/images/${idInUrl(output.url)}`))
    assert.deepEqual(
      [image.url, image.width, image.height, image.format, image.name, image.projectId],
      [output.url, 8, 6, 'png', 'sheet.png', workflow.projectId],
    )
    const listed = ok(await api.get<Images>('/storage/images', { projectId: workflow.projectId, limit: 100 }))
    assert.ok(listed.images.some((each) => each.id === image.id))
  })

  test('without a format the output is jpeg if it is opaque, else png', async () => {
    const document = scale()
    const { id } = await save(api, { ...document, output: { node: 'small' } })
    const opaque = await upload(api, await plain('png', 40, 30))
    const clear = await upload(api, await glass(40, 30))
    assert.equal((await run(api, id, { source: opaque.id })).format, 'jpeg')
    assert.equal((await run(api, id, { source: clear.id })).format, 'png')
  })

  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']) {
    test(`an output with the format ${format} has the bytes of ${format}`, async () => {
      const { id } = await save(api, canvas({ width: 32, height: 32 }, { format }))
      const output = await run(api, id)
      assert.equal(output.format, format)
      assert.equal((await sizeOf(await fetchImage(api, output.url))).format, format)
    })
  }

  test('an asynchronous execution returns 202 with the execution id, pending, and the URL for polling in Location', async () => {
    const reply = await api.post<Execution>('/workflows/execute', { workflowId: canvasId, async: true })
    const body = ok(reply, 202)
    assertFields(body, ['executionId', 'status'])
    assert.match(body.executionId, executionId)
    assert.equal(body.status, 'pending')
    const location = new URL(reply.headers.location ?? '', api.service.origin)
    assert.equal(location.pathname, `/v1/workflows/executions/${body.executionId}`)
    const polled = await api.root<Execution>('GET', location.pathname, {
      headers: { authorization: `Bearer ${api.key}` },
    })
    assert.equal(ok(polled).executionId, body.executionId)
    await api.ended(body.executionId)
  })

  test('polling ends with completed, the output, and the times of start and end', async () => {
    const started = ok(await api.post<Execution>('/workflows/execute', { workflowId: canvasId, async: true }), 202)
    const ended = await api.ended(started.executionId)
    assertFields(ended, ['completedAt', 'executionId', 'output', 'startedAt', 'status', 'workflowId'], added.execution)
    assert.deepEqual([ended.executionId, ended.workflowId, ended.status], [started.executionId, canvasId, 'completed'])
    assertFields(ended.output, ['format', 'height', 'url', 'width'], added.output)
    assert.deepEqual([ended.output?.width, ended.output?.height, ended.output?.format], [8, 6, 'png'])
    assert.match(ended.startedAt ?? '', timestamp)
    assert.match(ended.completedAt ?? '', timestamp)
    assert.ok(String(ended.startedAt) <= String(ended.completedAt))
    assert.equal((await sizeOf(await fetchImage(api, ended.output?.url ?? ''))).width, 8)
  })

  test('a synchronous execution has a record that can be read afterwards', async () => {
    const done = ok(await api.post<Execution>('/workflows/execute', { workflowId: canvasId }))
    const record = ok(await api.get<Execution>(`/workflows/executions/${done.executionId}`))
    assert.deepEqual([record.status, record.workflowId], ['completed', canvasId])
    assert.deepEqual(record.output, done.output)
  })

  test('an unknown workflow is not_found', async () => {
    refused(await api.post('/workflows/execute', { workflowId: 'wf_00000000000000000000' }), 'not_found')
    refused(await api.post('/workflows/execute', { workflowId: 'anything', async: true }), 'not_found')
  })

  test('an unknown execution is not_found', async () => {
    refused(await api.get('/workflows/executions/exec_00000000000000000000'), 'not_found')
    refused(await api.get('/workflows/executions/anything'), 'not_found')
  })

  test('execution ids of later executions sort after those of earlier ones', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.push(ok(await api.post<Execution>('/workflows/execute', { workflowId: canvasId })).executionId)
    }
    assert.deepEqual([...ids].sort(), ids)
  })

  test('ten concurrent executions each return their own output', async () => {
    const { id } = await save(api, {
      ...canvas({ width: '{{ side }}' }),
      parameters: [{ name: 'side', type: 'number', required: true }],
    })
    const outputs = await Promise.all(Array.from({ length: 10 }, (_, i) => run(api, id, { side: 10 + i })))
    assert.deepEqual(
      outputs.map((each) => each.width),
      [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    )
    assert.equal(new Set(outputs.map((each) => each.url)).size, 10)
  })
})
