/** The time after which images are removed, by request, project and plan, and the selection and deletion of many images. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, createClient, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import type { Execution, Image, Images, Project } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

type Expiring = Image & { expiresAt?: string }
type Deleted = { deleted: boolean; count: number; hasMore: boolean }
type Output = NonNullable<Execution['output']> & { imageId: string; expiresAt?: string }

/** Seconds from one time to another. */
const secondsFrom = (from: string | undefined, to: string | undefined) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1_000

const execute = async (api: Client, workflowId: string, fields: Record<string, unknown> = {}) =>
  ok(await api.post<Execution>('/workflows/execute', { workflowId, ...fields }))

const imageOf = async (api: Client, { output }: Execution) =>
  ok(await api.get<Expiring>(`/storage/images/${(output as Output).imageId}`))

area('the expiry of images', { concurrency: 4 }, () => {
  test('an upload with expiresIn has the time in all responses, and another one has none', async () => {
    const { api } = await newAccount()
    const png = await plain('png')
    const image: Expiring = ok(await api.upload([field('expiresIn', '3600'), file(png)]), 201)
    assert.equal(secondsFrom(image.createdAt, image.expiresAt), 3_600)
    assert.equal(ok(await api.get<Expiring>(`/storage/images/${image.id}`)).expiresAt, image.expiresAt)
    const stays: Expiring = await upload(api, png)
    assert.equal(stays.expiresAt, undefined)
    const { images } = ok(await api.get<{ images: Expiring[] }>('/storage/images'))
    assert.deepEqual(
      images.map(({ expiresAt }) => expiresAt),
      [undefined, image.expiresAt],
    )
    for (const text of ['59', '315360001', '1.5', 'soon', ''])
      assert.deepEqual(issuePaths(await api.upload([field('expiresIn', text), file(png)])), ['expiresIn'], text)
  })

  test('outputs of an execution with expiresIn have the time, also when it is resumed or runs a draft', async () => {
    const { api } = await newAccount()
    const document: Document & { outputs: object } = {
      name: 'Sheet',
      nodes: { sheet: { type: 'canvas', params: { width: 8, height: 6, color: '#ff0000' } } },
      output: { node: 'sheet', format: 'png' },
      outputs: { small: { node: 'sheet', format: 'jpeg' } },
    }
    const { id } = await save(api, document)
    const executed = await execute(api, id, { expiresIn: 120 })
    const image = await imageOf(api, executed)
    assert.equal(secondsFrom(image.createdAt, image.expiresAt), 120)
    assert.equal((executed.output as Output).expiresAt, image.expiresAt)
    const record = ok(await api.get<Execution & { outputs: Output[] }>(`/workflows/executions/${executed.executionId}`))
    assert.deepEqual(
      [(record.output as Output).expiresAt, ...record.outputs.map(({ expiresAt }) => expiresAt)],
      [image.expiresAt, image.expiresAt],
    )
    assert.equal((await imageOf(api, await execute(api, id))).expiresAt, undefined)
    const draft = ok(await api.post<Execution>(`/workflows/${id}/draft/execute`, { expiresIn: 60 }))
    const ofDraft = await imageOf(api, draft)
    assert.equal(secondsFrom(ofDraft.createdAt, ofDraft.expiresAt), 60)
    assert.deepEqual(issuePaths(await api.post('/workflows/execute', { workflowId: id, expiresIn: 1 })), ['expiresIn'])

    const reader = await save(api, {
      name: 'Reader',
      parameters: [{ name: 'source', type: 'string', required: true }],
      nodes: { photo: { type: 'image', params: { source: '{{ source }}' } } },
      output: { node: 'photo', format: 'png' },
    })
    const failing = { workflowId: reader.id, parameters: { source: 'http://localhost:1/x.png' } }
    const failed = refused(await api.post('/workflows/execute', { ...failing, expiresIn: 90 }), 'workflow_failed')
    const parameters = { source: (await upload(api, await plain('png'))).id }
    const resumed = await imageOf(
      api,
      ok(await api.post<Execution>(`/workflows/executions/${failed.executionId}/resume`, { parameters })),
    )
    assert.equal(secondsFrom(resumed.createdAt, resumed.expiresAt), 90)
  })

  test('a project has defaults for uploads and outputs apart, and a request another time', async () => {
    const { api } = await newAccount()
    const png = await plain('png')
    type Defaults = Project & { uploadsExpireIn?: number; outputsExpireIn?: number }
    const project = ok(await api.post<Defaults>('/projects', { name: 'P', uploadsExpireIn: 100 }), 201)
    assert.deepEqual([project.uploadsExpireIn, project.outputsExpireIn], [100, undefined])
    const { id } = await save(api, canvas(), project.id)
    const lasts = async () => {
      const image: Expiring = ok(await api.upload([field('projectId', project.id), file(png)]), 201)
      const output = await imageOf(api, await execute(api, id))
      return [image, output].map(({ createdAt, expiresAt }) => expiresAt && secondsFrom(createdAt, expiresAt))
    }
    assert.deepEqual(await lasts(), [100, undefined])
    ok(await api.put(`/projects/${project.id}`, { outputsExpireIn: 200 }))
    assert.deepEqual(await lasts(), [100, 200])
    const own = await imageOf(api, await execute(api, id, { expiresIn: 300 }))
    assert.equal(secondsFrom(own.createdAt, own.expiresAt), 300)
    const changed = ok(await api.put<Defaults>(`/projects/${project.id}`, { uploadsExpireIn: null }))
    assert.deepEqual([changed.uploadsExpireIn, changed.outputsExpireIn], [undefined, 200])
    assert.deepEqual(await lasts(), [undefined, 200])
    assert.deepEqual(issuePaths(await api.put(`/projects/${project.id}`, { outputsExpireIn: 0 })), ['outputsExpireIn'])
  })

  test('the plan has defaults, a project replaces them, and usage shows them', async (t) => {
    const service = await startWithoutExamples({ UPLOADS_KEEP_DAYS: 'enterprise=2', OUTPUTS_KEEP_DAYS: '3' })
    t.after(() => service.remove())
    const api = await createClient(service, service.key)
    const day = 86_400
    const png = await plain('png')
    const { retention } = ok(await api.get<{ retention: Record<string, number> }>('/usage'))
    assert.deepEqual(retention, { executionsDays: 90, uploadsDays: 2, outputsDays: 3 })
    const image: Expiring = await upload(api, png)
    assert.equal(secondsFrom(image.createdAt, image.expiresAt), 2 * day)
    const { id } = await save(api, canvas())
    const output = await imageOf(api, await execute(api, id))
    assert.equal(secondsFrom(output.createdAt, output.expiresAt), 3 * day)
    const project = ok(await api.post<Project>('/projects', { name: 'P', outputsExpireIn: 60 }), 201)
    const inProject = await imageOf(api, await execute(api, (await save(api, canvas(), project.id)).id))
    assert.equal(secondsFrom(inProject.createdAt, inProject.expiresAt), 60)

    // Bytes of a parameter are stored once while the image lasts.
    const other = await plain('png', 9, 9)
    const reader = await save(api, {
      name: 'Reader',
      parameters: [{ name: 'photo', type: 'string', format: 'image', required: true }],
      nodes: { photo: { type: 'image', params: { source: '{{ photo }}' } } },
      output: { node: 'photo', format: 'png' },
    })
    const parameters = { photo: `data:image/png;base64,${other.toString('base64')}` }
    ok(await api.upload([field('expiresIn', '60'), file(other)]), 201)
    for (let i = 0; i < 2; i += 1) await execute(api, reader.id, { parameters })
    const uploads = ok(await api.get<{ images: Expiring[] }>('/storage/images', { source: 'upload' })).images
    assert.deepEqual(
      uploads.map(({ createdAt, expiresAt }) => secondsFrom(createdAt, expiresAt)),
      [2 * day, 60, 2 * day],
    )
  })
})

area('many images', { concurrency: 4 }, () => {
  async function filled() {
    const { api } = await newAccount()
    const project = ok(await api.post<Project>('/projects', { name: 'P' }), 201)
    const small = await upload(api, await plain('png', 1, 1), 'Small cat.png')
    const large = await upload(api, await plain('png', 900, 900), 'large.png')
    const { id } = await save(api, canvas(), project.id)
    const output = (await execute(api, id)).output as Output
    const list = async (query: Record<string, string>) => {
      const { images, total } = ok(await api.get<Images>('/storage/images', query))
      assert.equal(total, images.length)
      return images.map((image) => image.id)
    }
    return { api, project, small: small.id, large: large.id, output: output.imageId, createdAt: large.createdAt, list }
  }

  test('are selected by source, name and time, and sorted by age and size', async () => {
    const { project, small, large, output, createdAt, list } = await filled()
    assert.deepEqual(await list({}), [output, large, small])
    assert.deepEqual(await list({ sort: 'oldest' }), [small, large, output])
    assert.equal((await list({ sort: 'largest' }))[0], large)
    assert.equal((await list({ sort: 'smallest' })).at(-1), large)
    assert.deepEqual(await list({ sort: 'name', source: 'upload' }), [large, small])
    assert.deepEqual(await list({ source: 'upload' }), [large, small])
    assert.deepEqual(await list({ source: 'output' }), [output])
    assert.deepEqual(await list({ search: 'CAT' }), [small])
    assert.deepEqual(await list({ createdBefore: createdAt }), [small])
    assert.deepEqual(await list({ createdAfter: createdAt, projectId: project.id }), [output])
    const { api } = await newAccount()
    for (const query of [{ sort: 'color' }, { source: 'all' }, { search: '' }, { createdAfter: 'today' }])
      assert.deepEqual(issuePaths(await api.get('/storage/images', query)), Object.keys(query))
  })

  test('are counted by a dry run and deleted by filter or ids, and never without both', async () => {
    const { api, small, large, output, list } = await filled()
    const elsewhere = await secondAccount()
    const other = await upload(elsewhere.api, await plain('png'))
    const remove = async (query: string) => ok(await api.delete<Deleted>(`/storage/images?${query}`))
    refused(await api.delete('/storage/images'), 'invalid_request')
    refused(await api.delete('/storage/images?dryRun=true'), 'invalid_request')
    assert.deepEqual(issuePaths(await api.delete('/storage/images?ids=')), ['ids'])
    const many = Array.from({ length: 101 }, (_, i) => `img_${i}`).join()
    assert.deepEqual(issuePaths(await api.delete(`/storage/images?ids=${many}`)), ['ids'])
    assert.deepEqual(await remove('source=upload&dryRun=true'), { deleted: false, count: 2, hasMore: false })
    assert.deepEqual(await list({}), [output, large, small])
    assert.deepEqual(await remove(`ids=${small},${other.id},img_unknown`), { deleted: true, count: 1, hasMore: false })
    assert.deepEqual(await remove(`ids=${output}&source=upload`), { deleted: true, count: 0, hasMore: false })
    assert.deepEqual(await remove('source=output'), { deleted: true, count: 1, hasMore: false })
    assert.deepEqual(await list({}), [large])
    refused(await api.get(`/storage/images/${output}`), 'not_found')
    assert.equal((await api.root('GET', `/images/${output}.png`)).status, 404)
    ok(await elsewhere.api.get(`/storage/images/${other.id}`))
  })
})
