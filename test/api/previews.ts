/** `previews` of an execution, and GET /workflows/executions/{executionId}/steps/{node}/preview. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { noise, pixelAt, plain } from '../harness/pictures.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { firstAccount, newAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, save, upload } from '../harness/workflows.ts'

interface Step {
  node: string
  status: string
  servedFrom?: string
  preview?: { url: string; width: number; height: number }
}

area('previews of steps', { concurrency: 4 }, () => {
  let api: Client
  let outside: SourceHost
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
  })
  after(() => outside.close())

  const start = (workflowId: string, more: object = { previews: true }) =>
    api.post<Execution>('/workflows/execute', { workflowId, ...more })
  const stepsOf = async (executionId: string): Promise<Step[]> =>
    ok(await api.get<{ steps: Step[] }>(`/workflows/executions/${executionId}/steps`)).steps
  const pathOf = (executionId: string, node: string) => `/workflows/executions/${executionId}/steps/${node}/preview`
  const fetchPreview = async (executionId: string, node: string) => ok2(await api.get(pathOf(executionId, node)))
  const ok2 = (reply: Awaited<ReturnType<Client['get']>>) => {
    ok(reply)
    return reply
  }
  /** The sizes of the previews by step. */
  const sizes = (steps: Step[]) =>
    Object.fromEntries(steps.flatMap(({ node, preview: p }) => (p ? [[node, [p.width, p.height]]] : [])))
  const execute = async (document: Document, more: object = { previews: true }) => {
    const { id } = await save(api, document)
    const { executionId, output } = ok(await start(id, more))
    return { id, executionId, output, steps: await stepsOf(executionId) }
  }
  let created = 0
  /** A new image for each test, expensive enough to be cached. */
  const texture = (more: object = {}) => {
    created += 1
    return { type: 'noise', params: { width: 900, height: 600, seed: created * 1000 + (Date.now() % 1000), ...more } }
  }
  const soft = (image: string, more: object = {}) => ({
    type: 'blur',
    inputs: { image },
    params: { sigma: 30 },
    ...more,
  })

  test('each step with an image has a small preview, and skipped steps have none', async () => {
    const { executionId, steps } = await execute({
      name: 'Previews',
      nodes: {
        wide: texture({ height: 450 }),
        small: { type: 'resize', inputs: { image: 'wide' }, params: { width: 60 } },
        told: { type: 'info', inputs: { image: 'small' } },
        skipped: {
          type: 'flip',
          when: '{{ nodes.told.megapixels | minus: nodes.told.megapixels }}',
          inputs: { image: 'small' },
        },
        last: { type: 'flip', inputs: { image: 'skipped' } },
        lonely: texture(),
      },
      output: { node: 'last', format: 'png' },
    })
    assert.deepEqual(sizes(steps), { wide: [512, 256], small: [60, 30], told: [60, 30], last: [60, 30] })
    for (const { node, preview } of steps) {
      if (preview === undefined) continue
      assert.equal(new URL(preview.url).pathname, `/v1${pathOf(executionId, node)}`)
      const { bytes, headers } = await fetchPreview(executionId, node)
      const { format, width, height } = await sharp(bytes).metadata()
      assert.deepEqual({ format, width, height }, { format: 'webp', width: preview.width, height: preview.height })
      assert.equal(headers['content-type'], 'image/webp')
    }
    const record = ok(await api.get<Execution & { previews?: true }>(`/workflows/executions/${executionId}`))
    assert.equal(record.previews, true)
  })

  test('without `previews` there are no previews, and the record does not mention them', async () => {
    const document = { name: 'Plain', nodes: { base: texture() }, output: { node: 'base', format: 'png' } }
    for (const more of [{}, { previews: false }]) {
      const { executionId, steps } = await execute(document, more)
      assert.deepEqual(sizes(steps), {})
      const record = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
      assert.ok(!('previews' in record))
      refused(await api.get(pathOf(executionId, 'base')), 'not_found')
    }
    const { id } = await save(api, document)
    assert.deepEqual(issuePaths(await start(id, { previews: 'yes' })), ['previews'])
  })

  test('fused steps have previews too, and the output has the same bytes', async () => {
    const photo = await upload(api, await noise('png', 700, 500))
    const document = {
      name: 'Fused',
      nodes: {
        photo: { type: 'image', cache: false, params: { source: photo.id } },
        cut: { type: 'crop', inputs: { image: 'photo' }, params: { x: 10, y: 10, width: 640, height: 480 } },
        less: { type: 'resize', inputs: { image: 'cut' }, params: { width: 320 } },
        turned: { type: 'flip', inputs: { image: 'less' } },
      },
      output: { node: 'turned', format: 'webp' },
    }
    const off = await execute(document, {})
    const on = await execute(document)
    assert.deepEqual(sizes(on.steps), { photo: [512, 366], cut: [512, 384], less: [320, 240], turned: [320, 240] })
    const bytes = await Promise.all([off, on].map(({ output }) => fetchImage(api, output?.url ?? '')))
    assert.ok(bytes[0] && bytes[1]?.equals(bytes[0]))
  })

  test('the preview of a list is its first image, of an animation its first frame; transparency is kept', async () => {
    const { executionId, steps } = await execute({
      name: 'Kinds',
      nodes: {
        sheets: { type: 'canvas', each: ['#ff0000', '#0000ff'], params: { width: 8, height: 6, color: '{{ item }}' } },
        moving: { type: 'animate', inputs: { images: 'sheets' }, params: { delay: 100 } },
        clear: { type: 'canvas', params: { width: 8, height: 6, color: '#00ff0000' } },
        all: { type: 'grid', inputs: { images: ['moving', 'clear'] } },
      },
      output: { node: 'all', format: 'png' },
    })
    assert.deepEqual(
      [sizes(steps).sheets, sizes(steps).moving, sizes(steps).clear],
      [
        [8, 6],
        [8, 6],
        [8, 6],
      ],
    )
    for (const node of ['sheets', 'moving']) {
      const { bytes } = await fetchPreview(executionId, node)
      assert.equal((await sharp(bytes).metadata()).pages ?? 1, 1)
      const [red = 0, , blue = 255] = await pixelAt(bytes, 3, 3)
      assert.ok(red > 200 && blue < 60, `${node} shows ${red}, ${blue}`)
    }
    assert.equal((await pixelAt((await fetchPreview(executionId, 'clear')).bytes, 3, 3))[3], 0)
  })

  test('an equal execution has the same previews, also of cached and unnecessary steps, without computing them again', async () => {
    const photo = await upload(api, await plain('png', 500, 400, '#123456'))
    const document = {
      name: 'Again',
      nodes: {
        photo: { type: 'image', params: { source: photo.id } },
        base: texture(),
        both: { type: 'composite', inputs: { image: 'base', overlay: 'photo' } },
        calm: soft('both'),
        dice: { type: 'flip', inputs: { image: 'calm' } },
      },
      output: { node: 'dice', format: 'png' },
    }
    const first = await execute(document)
    assert.equal(Object.keys(sizes(first.steps)).length, 5)
    const again = await until('all steps from the cache', async () => {
      const { executionId } = ok(await start(first.id))
      const steps = await stepsOf(executionId)
      return steps.every(({ servedFrom }) => servedFrom === 'cache') ? { executionId, steps } : undefined
    })
    assert.deepEqual(sizes(again.steps), sizes(first.steps))
    for (const node of ['photo', 'base', 'dice']) {
      const [one, other] = [await fetchPreview(first.executionId, node), await fetchPreview(again.executionId, node)]
      assert.equal(one.headers.etag, other.headers.etag)
    }
  })

  test('cached steps get previews even if they were computed without', async () => {
    const document = {
      name: 'Later',
      nodes: { base: texture(), calm: soft('base'), cooler: soft('calm') },
      output: { node: 'cooler', format: 'png' },
    }
    const { id } = await execute(document, {})
    const steps = await until('previews of cached steps', async () => {
      const { executionId } = ok(await start(id))
      const found = await stepsOf(executionId)
      return found.every(({ servedFrom }) => servedFrom === 'cache') && found[1]?.preview ? found : undefined
    })
    assert.deepEqual(sizes(steps).calm, [512, 341])
  })

  test('a failed execution has previews of its completed steps, and so does the execution that resumes it', async () => {
    const { id } = await save(api, {
      name: 'Fails',
      parameters: [{ name: 'left', type: 'number', default: 1000 }],
      nodes: {
        photo: { type: 'image', params: { source: outside.url('/shown') } },
        grain: { type: 'grain', cache: false, inputs: { image: 'photo' } },
        calm: soft('grain'),
        cut: { type: 'crop', inputs: { image: 'calm' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
      },
      output: { node: 'cut', format: 'png' },
    })
    const { executionId = '' } = refused(await start(id), 'workflow_failed')
    const previewSizes = { photo: [64, 48], grain: [64, 48], calm: [64, 48] }
    assert.deepEqual(sizes(await stepsOf(executionId)), previewSizes)
    const body = { parameters: { left: 3 } }
    const resumed = ok(await api.post<Execution>(`/workflows/executions/${executionId}/resume`, body))
    const steps = await stepsOf(resumed.executionId)
    assert.deepEqual(sizes(steps), { ...previewSizes, cut: [10, 10] })
    assert.deepEqual(steps.map(({ servedFrom }) => servedFrom ?? 'ran').sort(), [
      'ran',
      'resumed',
      'resumed',
      'resumed',
    ])
    const [one, other] = [await fetchPreview(executionId, 'grain'), await fetchPreview(resumed.executionId, 'grain')]
    assert.equal(one.headers.etag, other.headers.etag)
  })

  test('during an execution previews of completed steps are available, and are revalidated until it has ended', async () => {
    const hold = outside.hold()
    const { id } = await save(api, {
      name: 'Slow',
      nodes: {
        base: texture(),
        late: { type: 'image', params: { source: hold.url } },
        both: { type: 'composite', inputs: { image: 'base', overlay: 'late' } },
      },
      output: { node: 'both', format: 'png' },
    })
    const { executionId } = ok(await start(id, { previews: true, async: true }), 202)
    await until('the first preview', async () => {
      const steps = await stepsOf(executionId)
      return steps.find(({ node }) => node === 'base')?.preview
    })
    assert.equal((await fetchPreview(executionId, 'base')).headers['cache-control'], 'private, no-cache')
    hold.release()
    assert.equal((await api.ended(executionId)).status, 'completed')
    const { headers } = await fetchPreview(executionId, 'base')
    assert.equal(headers['cache-control'], 'private, max-age=86400, immutable')
  })

  test('If-None-Match returns 304, and HEAD returns the headers without the bytes', async () => {
    const { executionId } = await execute({ name: 'Validators', nodes: { a: texture() }, output: { node: 'a' } })
    const path = pathOf(executionId, 'a')
    const { headers, bytes } = await fetchPreview(executionId, 'a')
    const { etag = '' } = headers
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await api.call('GET', path, { headers: { 'if-none-match': header } })
      assert.deepEqual([reply.status, reply.bytes.length, reply.headers.etag], [304, 0, etag])
    }
    ok(await api.call('GET', path, { headers: { 'if-none-match': '"other"' } }))
    refused(await api.call('GET', path, { headers: { 'if-match': '"other"' } }), 'precondition_failed')
    const head = await api.call('HEAD', path)
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    assert.equal(head.headers['content-length'], String(bytes.length))
    assert.equal(headers['content-security-policy'], "default-src 'none'")
    assert.match(headers.vary ?? '', /authorization, cookie/i)
  })

  test('a missing execution and one of another account have the same response; missing previews say why', async () => {
    const { api: other } = await secondAccount()
    const { executionId } = await execute({
      name: 'Mine',
      nodes: { a: texture(), b: { type: 'flip', when: '{{ false }}', inputs: { image: 'a' } } },
      output: { node: 'b' },
    })
    ok(await api.get(pathOf(executionId, 'a')))
    const replies = [
      await other.get(pathOf(executionId, 'a')),
      await api.get(pathOf('exec_00000000000000000000', 'a')),
      await api.get(pathOf(executionId, 'b')),
      await api.get(pathOf(executionId, 'none')),
      await api.get(pathOf(executionId, encodeURIComponent('../a'))),
    ]
    const messages = replies.map((reply) => {
      refused(reply, 'not_found')
      return (reply.body as { error: { message: string } }).error.message
    })
    const [foreign = '', unknown, ...noPreviews] = messages
    assert.equal(foreign.replace(executionId, 'exec_00000000000000000000'), unknown)
    assert.equal(noPreviews.length, 3)
    for (const message of noPreviews) assert.match(message, /^Node .* has no preview: /)
  })

  test('above PREVIEWS_MAX_BYTES, the least recently used previews of the account are removed', async (t) => {
    const service = await startWithoutExamples({ PREVIEWS_MAX_BYTES: '1000000' })
    t.after(() => service.remove())
    const { api: own } = await newAccount({ service })
    const run = async (nodes: Document['nodes'], node: string) => {
      const { id } = await save(own, { name: 'Many', nodes, output: { node, format: 'webp' } })
      const execution = ok(await own.post<Execution>('/workflows/execute', { workflowId: id, previews: true }))
      return async () => {
        const path = `/workflows/executions/${execution.executionId}/steps`
        return sizes(ok(await own.get<{ steps: Step[] }>(path)).steps)
      }
    }
    const noisy = (seed: number) => ({
      type: 'noise',
      params: { kind: 'white', width: 512, height: 512, from: 'red', to: 'cyan', seed },
    })
    const first = await run({ old: { type: 'canvas', params: { width: 40, height: 30 } } }, 'old')
    assert.deepEqual(await first(), { old: [40, 30] })
    const names = Array.from({ length: 9 }, (_, i) => `noise${i}`)
    const nodes = Object.fromEntries(names.map((name, i) => [name, noisy(i)]))
    const last = await run({ ...nodes, all: { type: 'grid', inputs: { images: names } } }, 'all')
    assert.deepEqual(await first(), {})
    const left = Object.keys(await last()).length
    assert.ok(left > 0 && left < 10, `${left} of 10 previews are left`)
  })
})
