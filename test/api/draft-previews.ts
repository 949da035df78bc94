/** POST /workflows/{workflowId}/draft/preview: the image of a node of a document that is being edited. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import type { Frame, FrameText } from '../../shared/frames.ts'
import { useAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { assertFields, type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { noise, pixelAt } from '../harness/pictures.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Listed } from '../harness/types.ts'
import { fetchImage, save, upload } from '../harness/workflows.ts'

interface Preview {
  node: string
  width: number
  height: number
  image: { data: string; format: string; width: number; height: number }
  frames?: { kind: string; points: number[][]; text?: FrameText }[]
}

const bytesOf = ({ image }: Preview) => Buffer.from(image.data, 'base64')

/** Decoded pixels with alpha, of the first frame. */
async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

/** A photo with a blur that can be changed. */
const soft = (source: string, sigma: unknown = 3): Document => ({
  name: 'Soft',
  parameters: [{ name: 'sigma', type: 'number', default: 2 }],
  nodes: {
    load: { type: 'image', params: { source } },
    small: { type: 'resize', inputs: { image: 'load' }, params: { width: 300 } },
    blurred: { type: 'blur', inputs: { image: 'small' }, params: { sigma } },
    unfinished: { type: 'resize', inputs: { image: 'nowhere' }, params: { width: 'no' } },
  },
  output: { node: 'blurred', format: 'png' },
})

area('previews of drafts', { concurrency: 3 }, () => {
  let api: Client
  let outside: SourceHost
  let photo: string
  let draftId: string
  before(async () => {
    api = (await newAccount()).api
    outside = await startSourceHost()
    photo = (await upload(api, await noise('jpeg', 600, 400))).id
    const draft = await api.post<{ workflowId: string }>('/workflows/drafts', { document: soft(photo) })
    draftId = ok(draft, 201).workflowId
  })
  after(() => outside.close())

  const previewOf = (body: object = {}, { of = api, id = draftId } = {}) =>
    of.post<Preview>(`/workflows/${id}/draft/preview`, body)

  test('have the pixels of an execution of the same document', async () => {
    const executed = ok(await api.post<Execution>(`/workflows/${draftId}/draft/execute`, {}))
    const expected = await pixelsOf(await fetchImage(api, executed.output?.url ?? ''))
    const preview = ok(await previewOf())
    assertFields(preview, ['height', 'image', 'node', 'width'])
    assert.deepEqual([preview.node, preview.width, preview.height], ['blurred', 300, 200])
    assert.deepEqual({ ...preview.image, data: '' }, { data: '', format: 'png', width: 300, height: 200 })
    assert.deepEqual(await pixelsOf(bytesOf(preview)), expected)
    // From memory this time.
    assert.deepEqual(await pixelsOf(bytesOf(ok(await previewOf()))), expected)
  })

  test('show a document that is not saved, and save and record nothing', async () => {
    const { api } = await newAccount()
    const source = (await upload(api, await noise('jpeg', 600, 400))).id
    const draft = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: soft(source) }), 201)
    const { workflowId: id } = draft
    const state = async () => [
      ok(await api.get<Listed & { executions: unknown[] }>('/workflows/executions')).executions,
      ok(await api.get<Listed>('/storage/images')).total,
      ok(await api.get(`/workflows/${id}/draft`)),
      ok(await api.get<{ activity?: { totals: { executions: number } } }>('/usage')).activity?.totals.executions,
    ]
    const before = await state()
    const stored = bytesOf(ok(await previewOf({}, { of: api, id })))
    const edited = bytesOf(ok(await previewOf({ document: soft(source, 20) }, { of: api, id })))
    assert.notDeepEqual(await pixelsOf(edited), await pixelsOf(stored))
    const byParameter = { document: soft(source, '{{ sigma }}'), parameters: { sigma: 20 } }
    assert.deepEqual(await pixelsOf(bytesOf(ok(await previewOf(byParameter, { of: api, id })))), await pixelsOf(edited))
    assert.deepEqual(await state(), before)
  })

  test('show any node, also of a published workflow without a draft', async () => {
    const { unfinished: _, ...nodes } = soft(photo).nodes
    const { id } = await save(api, { ...soft(photo), nodes })
    const small = ok(await previewOf({ node: 'small' }, { id }))
    assert.deepEqual([small.node, small.image.width, small.image.height], ['small', 300, 200])
    assert.equal(ok(await previewOf({ node: 'load' }, { id })).width, 600)
  })

  test('are made smaller and encoded faster on request, with the size of the image', async () => {
    const exact = ok(await previewOf({ maxSide: 60 }))
    assert.deepEqual([exact.width, exact.height], [300, 200])
    assert.deepEqual([exact.image.format, exact.image.width, exact.image.height], ['png', 60, 40])
    const fast = ok(await previewOf({ maxSide: 60, quality: 'fast' }))
    assert.deepEqual([fast.image.format, fast.image.width, fast.image.height], ['jpeg', 60, 40])
    assert.equal(ok(await previewOf({ maxSide: 9_000 })).image.width, 300)
    const glass = ok(await previewOf({ document: canvas({ color: '#ff000080' }), quality: 'fast' }))
    assert.equal(glass.image.format, 'webp')
    const [red = 0, , , alpha = 0] = await pixelAt(bytesOf(glass), 4, 3)
    assert.ok(red > 250 && Math.abs(alpha - 128) < 4, `${red} ${alpha}`)
  })

  test('report where a caret can stand in a text on request, also if the image is cached', async () => {
    const document: Document = {
      name: 'Card',
      parameters: [{ name: 'title', type: 'string', default: 'Launch day' }],
      nodes: {
        sheet: { type: 'canvas', params: { width: 600, height: 300, color: 'white' } },
        title: {
          type: 'text',
          inputs: { image: 'sheet' },
          params: { text: '{{ title }}', box: { x: 40, y: 40, width: 300, height: 60 }, size: 80 },
        },
      },
      output: { node: 'title', format: 'png' },
    }
    const textOf = async (body: object) => ok(await previewOf({ document, ...body })).frames?.[0]?.text
    assert.equal(await textOf({}), undefined)
    const text = await textOf({ carets: true })
    assert.deepEqual([text?.param, text?.value, text?.lines?.length], ['text', 'Launch day', 1])
    assert.ok((text?.size ?? 80) < 60, 'shrunk')
    const [line] = text?.lines ?? []
    assert.deepEqual([line?.start, line?.end, line?.characters.length, line?.rightToLeft], [0, 10, 10, false])
    assert.equal(line?.characters[0]?.[1], 40)
    assert.equal(await textOf({}), undefined)
    const other = await textOf({ carets: true, parameters: { title: 'שלום\n' }, quality: 'fast', maxSide: 100 })
    assert.equal(other?.value, 'שלום\n')
    assert.deepEqual(
      other?.lines?.map(({ start, end, rightToLeft }) => [start, end, rightToLeft]),
      [
        [0, 4, true],
        [5, 5, false],
      ],
    )
  })

  test('report each problem with its path, also one that only the image shows', async () => {
    const paths = async (body: object) => issuePaths(await previewOf(body))
    assert.deepEqual(await paths({ node: 'unfinished' }), [
      'nodes.unfinished.inputs.image',
      'nodes.unfinished.params.width',
    ])
    assert.deepEqual(await paths({ document: soft(photo, 'wide') }), ['nodes.blurred.params.sigma'])
    assert.deepEqual(await paths({ document: soft('img_00000000000000000000') }), ['nodes.load'])
    const cropped = soft(photo)
    cropped.nodes.cut = {
      type: 'crop',
      inputs: { image: 'load' },
      params: { x: 550, y: 0, width: 100, height: 100 },
    }
    const reply = await previewOf({ document: cropped, node: 'cut' })
    assert.deepEqual(issuePaths(reply), ['nodes.cut'])
    assert.match(reply.text, /can't be executed: /)
    // An editor can show the rectangle on the image, and move it.
    const { frames } = (reply.body as unknown as { error: { details: { frames: Frame[] } } }).error.details
    assert.deepEqual(
      frames.map(({ id, of, points }) => ({ id, of, points })),
      [
        {
          ...{ id: 'crop', of: 'input' },
          points: [
            [550, 0],
            [650, 100],
          ],
        },
      ],
    )
    assert.deepEqual(await paths({ node: 'blured' }), ['node'])
    assert.deepEqual(await paths({ parameters: { sigma: 'x' } }), ['parameters.sigma'])
    assert.deepEqual(await paths({ maxSide: 4 }), ['maxSide'])
    assert.deepEqual(await paths({ quality: 'best' }), ['quality'])
    assert.deepEqual(await paths({ variations: { nobody: 'a' } }), ['variations.nobody'])
    assert.deepEqual(await paths({ document: {} }), ['output'])
    refused(await previewOf({}, { id: 'wf_00000000000000000000' }), 'not_found')
  })

  test('accept no data: URLs, because nothing is stored', async () => {
    const source = `data:image/png;base64,${(await noise('png', 4, 4)).toString('base64')}`
    const document = {
      ...soft('{{ photo }}'),
      parameters: [{ name: 'photo', type: 'string', format: 'image', required: true }],
    }
    const reply = await previewOf({ document, parameters: { photo: source } })
    assert.deepEqual(issuePaths(reply), ['parameters.photo'])
    assert.equal(ok(await previewOf({ document, parameters: { photo } })).width, 300)
  })

  test("of one account don't show images of another, also if they are in memory", async () => {
    ok(await previewOf({ node: 'load' }))
    const { api: other } = await secondAccount()
    refused(await previewOf({}, { of: other }), 'not_found')
    const own = ok(await other.post<{ workflowId: string }>('/workflows/drafts', { document: soft(photo) }), 201)
    const reply = await previewOf({ node: 'load' }, { of: other, id: own.workflowId })
    assert.deepEqual(issuePaths(reply), ['nodes.load'])
  })

  test('download an image of another host once, and report a host that fails', async () => {
    const url = outside.url('/once.png')
    for (const sigma of [1, 2, 3]) ok(await previewOf({ document: soft(url, sigma) }))
    assert.deepEqual(
      outside.requested.filter((path) => path === '/once.png'),
      ['/once.png'],
    )
    outside.serve('/broken.png', (_, response) => response.writeHead(500).end())
    refused(await previewOf({ document: soft(outside.url('/broken.png')) }), 'unavailable')
  })

  test('are made one at a time, and an account has four requests in progress', async () => {
    const { api } = await newAccount()
    const { workflowId: id } = ok(await api.post<{ workflowId: string }>('/workflows/drafts', {}), 201)
    const hold = outside.hold()
    const held = previewOf({ document: soft(hold.url) }, { of: api, id })
    await hold.waiting()
    // Each of several processes has the limit. One that waits behind the held one has no response yet.
    const sent = Array.from({ length: 16 }, () => previewOf({ document: canvas() }, { of: api, id }))
    const details = await Promise.any(sent.map(async (reply) => refused(await reply, 'rate_limited')))
    assert.equal(details.limit, 4)
    hold.release()
    ok(await held)
    const served = (await Promise.all(sent)).filter(({ status }) => status !== 429)
    assert.ok(served.length >= 3)
    for (const reply of served) ok(reply)
  })

  test('stop when their client leaves, so that the next one starts', async () => {
    const { api } = await newAccount()
    const { workflowId: id } = ok(await api.post<{ workflowId: string }>('/workflows/drafts', {}), 201)
    const hold = outside.hold()
    const leaving = new AbortController()
    const left = fetch(`${api.service.origin}/v1/workflows/${id}/draft/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ document: soft(hold.url) }),
      signal: leaving.signal,
    })
    await hold.waiting()
    leaving.abort()
    await assert.rejects(left)
    // Previews of an account are made one at a time, and the host has not sent the image yet.
    ok(await previewOf({ document: canvas() }, { of: api, id }))
    hold.release()
  })

  test('have the areas that the node reads, as the steps of an execution', async () => {
    const cropped = soft(photo)
    cropped.nodes.cut = { type: 'crop', inputs: { image: 'load' }, params: { x: 50, y: 0, width: 100, height: 100 } }
    const frames = async () => ok(await previewOf({ document: cropped, node: 'cut' })).frames
    const [frame] = (await frames()) ?? []
    assert.deepEqual(
      [frame?.kind, frame?.points],
      [
        'rect',
        [
          [50, 0],
          [150, 100],
        ],
      ],
    )
    assert.deepEqual(await frames(), [frame])
  })

  test('are counted separately from other requests', async () => {
    const { api } = await newAccount({ plan: 'starter' })
    const remaining = async () => Number((await api.get('/projects')).headers['x-ratelimit-remaining'])
    const before = await remaining()
    const replies = [await previewOf({}, { of: api }), await previewOf({}, { of: api })]
    for (const reply of replies) refused(reply, 'not_found')
    assert.deepEqual(
      replies.map(({ headers }) => headers['x-ratelimit-limit']),
      ['3600', '3600'],
    )
    // A window can end in between.
    assert.ok([before - 1, 59].includes(await remaining()))
  })
})

area('previews of drafts with AI models', {}, () => {
  const setup = useAiService()
  const document = (width: number): Document => ({
    name: 'Door',
    nodes: {
      scene: { type: 'generate', params: { prompt: 'A door', model: 'openai/gpt-image-1-mini' } },
      small: { type: 'resize', inputs: { image: 'scene' }, params: { width } },
    },
    output: { node: 'small', format: 'png' },
  })

  test('call no model: they have the cached result, or name the nodes without one', async () => {
    const { api, ai } = setup
    const draft = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: document(32) }), 201)
    const path = `/workflows/${draft.workflowId}/draft`
    const preview = (width: number, variations: object | undefined = {}) =>
      api.post<Preview>(`${path}/preview`, { document: document(width), variations })
    assert.deepEqual(refused(await preview(32), 'execution_required').nodes, ['scene'])
    assert.equal(ai.openai.billed().length, 0)
    ok(await api.post<Execution>(`${path}/execute`, { variations: {} }))
    for (const width of [32, 48]) assert.equal(ok(await preview(width)).width, width)
    assert.deepEqual(refused(await preview(32, { scene: 'another' }), 'execution_required').nodes, ['scene'])
    refused(await api.post(`${path}/preview`, {}), 'execution_required')
    assert.equal(ai.openai.billed().length, 1)
  })
})
