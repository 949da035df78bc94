/** `outputs`: images, sets and PDFs of one execution, in every response that has its output. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { file } from '../harness/multipart.ts'
import { noise } from '../harness/pictures.ts'
import { newAccount } from '../harness/shared.ts'
import type { ErrorDetails, Execution, Executions, Image, Images, Output, Verified } from '../harness/types.ts'
import { fetchImage, idInUrl, save, upload } from '../harness/workflows.ts'

type OutputFile = Output & { imageId: string; size: number }
type NamedOutput = OutputFile & {
  name: string
  pages?: number
  files?: OutputFile[]
  srcset?: Record<string, string>
  color?: string
  blurhash?: string
}
type Several = Execution & { outputs?: NamedOutput[] }

const parameters = [
  { name: 'photo', type: 'string', required: true },
  { name: 'bytes', type: 'number', default: 100_000 },
]

/** A photo of 300 x 200 pixels with a red square next to it. */
const campaign: Document & { outputs: object } = {
  name: 'Campaign',
  parameters,
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    soft: { type: 'blur', inputs: { image: 'photo' }, params: { sigma: 1 } },
    square: { type: 'canvas', params: { width: 40, height: 40, color: '#ff0000' } },
  },
  output: { node: 'soft', format: 'png' },
  outputs: {
    hero: { node: 'soft', widths: [200, 100, 900], formats: ['webp', 'jpeg'] },
    small: { node: 'soft', width: 60, format: 'jpeg', maxBytes: '{{ bytes }}', name: 'tiny.jpg' },
    print: { node: ['soft', 'square'], format: 'pdf', pageSize: 'A6', margin: 5 },
  },
}

area('several outputs', { concurrency: 4 }, () => {
  let api: Client
  let photo: string
  before(async () => {
    // An account has one re-execution at a time.
    api = (await newAccount()).api
    photo = (await upload(api, await noise('png', 300, 200))).id
  })

  const execute = async (document: object, values: object = {}): Promise<Several> => {
    const { id } = await save(api, document as Document)
    return ok(await api.post<Several>('/workflows/execute', { workflowId: id, parameters: { photo, ...values } }))
  }
  const outputOf = ({ outputs = [] }: Several, name: string): NamedOutput => {
    const found = outputs.find((output) => output.name === name)
    assert.ok(found, `no output ${name}`)
    return found
  }

  test('each output is a stored image with the size and format of the response', async () => {
    const executed = await execute(campaign)
    assert.deepEqual(
      executed.outputs?.map(({ name }) => name),
      ['hero', 'small', 'print'],
    )
    const files = (executed.outputs ?? []).flatMap((output) => output.files ?? [output])
    assert.equal(files.length, 8)
    for (const { url, imageId, size, width, height, format } of files) {
      const image = ok(await api.get<Image>(`/storage/images/${imageId}`))
      assert.deepEqual(
        [image.url, image.size, image.width, image.height, image.format],
        [url, size, width, height, format],
      )
      const bytes = await fetchImage(api, url)
      assert.equal(bytes.length, size)
      if (format === 'pdf') continue
      const found = await sharp(bytes).metadata()
      assert.deepEqual([found.width, found.height, found.format], [width, height, format])
    }
    const names = await Promise.all(
      files.map(async ({ imageId }) => ok(await api.get<Image>(`/storage/images/${imageId}`)).name),
    )
    assert.deepEqual(names, [
      ...['Campaign hero 100.webp', 'Campaign hero 200.webp', 'Campaign hero 300.webp'],
      ...['Campaign hero 100.jpg', 'Campaign hero 200.jpg', 'Campaign hero 300.jpg', 'tiny.jpg', 'Campaign print.pdf'],
    ])
  })

  test('a set has srcset by format, a colour and a BlurHash, and its own URL is the widest file of the last format', async () => {
    const hero = outputOf(await execute(campaign), 'hero')
    const { files = [], srcset = {} } = hero
    assert.deepEqual(
      files.map(({ width, format }) => `${width} ${format}`),
      ['100 webp', '200 webp', '300 webp', '100 jpeg', '200 jpeg', '300 jpeg'],
    )
    assert.deepEqual(Object.keys(srcset), ['webp', 'jpeg'])
    const jpegs = files.filter(({ format }) => format === 'jpeg')
    assert.equal(srcset.jpeg, jpegs.map(({ url, width }) => `${url} ${width}w`).join(', '))
    assert.equal(hero.url, jpegs.at(-1)?.url)
    assert.match(hero.color ?? '', /^#[0-9a-f]{6}$/)
    assert.equal(hero.blurhash?.length, 28)
    assert.equal(hero.pages, undefined)
  })

  test('a PDF has the size of its first page in pixels, and is only downloaded', async () => {
    const print = outputOf(await execute(campaign), 'print')
    // A6 in landscape at 300 pixels per inch.
    assert.deepEqual([print.width, print.height, print.format, print.pages], [1748, 1240, 'pdf', 2])
    const { headers, bytes } = await api.root('GET', new URL(print.url).pathname)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.match(String(headers['content-disposition']), /^attachment; filename="Campaign print.pdf"/)
    assert.match(String(headers['content-security-policy']), /sandbox/)
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  })

  test('the status, the list, the events and an idempotent retry have the same outputs', async () => {
    const { id } = await save(api, campaign)
    const json = { workflowId: id, parameters: { photo } }
    const headers = { 'Idempotency-Key': `outputs ${id}` }
    const executed = ok(await api.post<Several>('/workflows/execute', json, headers))
    const { executionId, outputs } = executed
    assert.equal(outputs?.length, 3)
    assert.deepEqual(ok(await api.post<Several>('/workflows/execute', json, headers)), executed)
    assert.deepEqual(ok(await api.get<Several>(`/workflows/executions/${executionId}`)).outputs, outputs)
    const { executions } = ok(await api.get<Executions>('/workflows/executions', { workflowId: id }))
    assert.deepEqual(
      executions.map((each) => (each as Several).outputs),
      [outputs],
    )
    const { text } = await api.call('GET', `/workflows/executions/${executionId}/events`)
    const snapshot = JSON.parse(/event: snapshot\n(?:id: .*\n)?data: (.*)/.exec(text)?.[1] ?? '{}')
    assert.deepEqual(snapshot.execution?.outputs, outputs)
    const { steps } = ok(
      await api.get<{ steps: { node: string; outputs?: string[] }[] }>(`/workflows/executions/${executionId}/steps`),
    )
    const named = Object.fromEntries(steps.map(({ node, outputs: names }) => [node, names]))
    assert.deepEqual(named, { photo: undefined, soft: ['hero', 'small', 'print'], square: ['print'] })
    const asynchronous = ok(await api.post<Execution>('/workflows/execute', { ...json, async: true }), 202)
    const ended = (await api.ended(asynchronous.executionId)) as Several
    assert.deepEqual(
      ended.outputs?.map(({ name, size, width }) => [name, size, width]),
      outputs?.map(({ name, size, width }) => [name, size, width]),
    )
    const log = await api.call('GET', `/workflows/executions/${ended.executionId}/events`, {
      headers: { 'last-event-id': '0' },
    })
    const events = [...log.text.matchAll(/event: execution\n(?:id: .*\n)?data: (.*)/g)].map(([, data]) =>
      JSON.parse(data ?? ''),
    )
    assert.deepEqual(events.at(-1)?.outputs, ended.outputs)
  })

  test('a document without outputs has no such field', async () => {
    const { outputs: _, ...plain } = campaign
    const executed = await execute(plain)
    assert.equal('outputs' in executed, false)
    assert.equal('outputs' in ok(await api.get<Several>(`/workflows/executions/${executed.executionId}`)), false)
  })

  test('the primary output has the same bytes with and without other outputs', async () => {
    const { outputs: _, ...plain } = campaign
    const [one, other] = [await execute(plain), await execute(campaign)]
    const [first, second] = await Promise.all([one, other].map(({ output }) => fetchImage(api, output?.url ?? '')))
    assert.ok(first?.equals(second ?? Buffer.alloc(0)))
  })

  test('an output that fails fails the execution, which stores nothing, and a resumed one has all outputs', async () => {
    const { id } = await save(api, { ...campaign, name: 'Fails' })
    const json = { workflowId: id, parameters: { photo, bytes: 100 } }
    const details: ErrorDetails & { output?: string } = refused(
      await api.post('/workflows/execute', json),
      'workflow_failed',
    )
    const { executionId = '', reason, node, output } = details
    assert.deepEqual([reason, node, output], ['limit_exceeded', 'soft', 'small'])
    const failed = ok(await api.get<Several>(`/workflows/executions/${executionId}`))
    assert.equal(failed.outputs ?? failed.output, undefined)
    assert.match(failed.error?.message ?? '', /"outputs.small.maxBytes" is 100 bytes/)
    const resumed = ok(
      await api.post<Several>(`/workflows/executions/${executionId}/resume`, { parameters: { bytes: 50_000 } }),
    )
    assert.equal(resumed.outputs?.length, 3)
    const files = (resumed.outputs ?? []).flatMap((output) => output.files ?? [output])
    for (const { url, size } of files) assert.equal((await fetchImage(api, url)).length, size)
  })

  test('a deleted image of an output is gone, and the others stay', async () => {
    const executed = await execute(campaign)
    const hero = outputOf(executed, 'hero')
    ok(await api.delete(`/storage/images/${hero.imageId}`))
    assert.equal((await api.root('GET', new URL(hero.url).pathname)).status, 404)
    assert.equal((await fetchImage(api, hero.files?.[0]?.url ?? '')).length, hero.files?.[0]?.size)
    assert.deepEqual(
      ok(await api.get<Several>(`/workflows/executions/${executed.executionId}`)).outputs,
      executed.outputs,
    )
    const again = await execute(campaign)
    const restored = outputOf(again, 'hero')
    assert.notEqual(restored.imageId, hero.imageId)
    assert.equal((await fetchImage(api, restored.url)).length, hero.size)
  })

  test('all images of an execution are in the list of images of its project', async () => {
    const project = ok(await api.post<{ id: string }>('/projects', { name: 'Campaigns' }), 201)
    const { id } = await save(api, campaign, project.id)
    const executed = ok(await api.post<Several>('/workflows/execute', { workflowId: id, parameters: { photo } }))
    const { images, total } = ok(await api.get<Images>('/storage/images', { projectId: project.id }))
    const ids = (executed.outputs ?? []).flatMap((output) => output.files ?? [output]).map(({ imageId }) => imageId)
    assert.equal(total, 9)
    assert.deepEqual(images.map((image) => image.id).sort(), [idInUrl(executed.output?.url ?? ''), ...ids].sort())
  })

  test('a dry run predicts the files, and lists problems with their paths', async () => {
    const { valid, outputs } = ok(
      await api.post<{ valid: boolean; outputs?: { name: string; nodes: string[]; files: object[] }[] }>(
        '/workflows/validate',
        { document: campaign, parameters: { photo } },
      ),
    )
    assert.equal(valid, true)
    assert.deepEqual(
      outputs?.map(({ name, nodes, files }) => [name, nodes, files.length]),
      [
        ['hero', ['soft'], 6],
        ['small', ['soft'], 1],
        ['print', ['soft', 'square'], 1],
      ],
    )
    assert.deepEqual(outputs?.[0]?.files[0], { width: 100, format: 'webp' })
    assert.deepEqual(outputs?.[2]?.files, [{ format: 'pdf' }])
    const wrong = {
      ...campaign,
      outputs: { hero: { node: 'nope' }, 'Not valid': { node: 'soft' }, twice: { node: 'soft', format: 'png' } },
    }
    const paths = issuePaths(await api.post('/workflows', wrong))
    assert.deepEqual(paths.sort(), ['outputs.Not valid', 'outputs.hero.node', 'outputs.twice'])
  })

  test('a draft is executed with its outputs, and up to a node without them', async () => {
    const draft = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: campaign }), 201)
    const path = `/workflows/${draft.workflowId}/draft/execute`
    const whole = ok(await api.post<Several>(path, { parameters: { photo } }))
    assert.equal(whole.outputs?.length, 3)
    const part = ok(await api.post<Several>(path, { parameters: { photo }, node: 'square' }))
    assert.equal(part.outputs, undefined)
  })

  test('each file has its own Content Credentials, and is verified by its own execution', async () => {
    const outputs = {
      hero: { node: 'soft', widths: [50, 100], formats: ['webp', 'jpeg'], credentials: 'always' },
      tile: { node: 'square', format: 'png', credentials: 'always', width: 20 },
    }
    const executed = await execute({ ...campaign, outputs })
    for (const { url } of (executed.outputs ?? []).flatMap((output) => output.files ?? [output])) {
      const bytes = await fetchImage(api, url)
      const verified = ok(await api.call<Verified>('POST', '/verify?reexecute=true', { parts: [file(bytes, 'image')] }))
      // With several processes, each has its own certificate.
      assert.notEqual(verified.credentials?.state ?? 'invalid', 'invalid')
      assert.equal(verified.reexecution?.result, 'equal', verified.reexecution?.message)
    }
  })
})
