/** GET /storage/images, GET and DELETE /storage/images/{imageId}, and the uses of an image. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, newAccount } from '../harness/shared.ts'
import type { Image, Images, ImageUses, Project } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

area('stored images', { concurrency: 4 }, () => {
  let api: Client
  let png: Buffer
  before(async () => {
    api = await firstAccount()
    png = await plain('png')
  })

  test('a list item has exactly the fields of the specification', async () => {
    const image = await upload(api, png, 'listed.png')
    const { images } = ok(await api.get<Images>('/storage/images', { limit: 100 }))
    const { id, url, name, size, createdAt } = image
    const { thumbnailUrl } = image as Image & { thumbnailUrl: string }
    assert.deepEqual(
      images.find((each) => each.id === id),
      { id, url, thumbnailUrl, name, size, createdAt },
    )
  })

  test('reading one image returns the fields of the upload response', async () => {
    const image = await upload(api, png)
    assert.deepEqual(ok(await api.get<Image>(`/storage/images/${image.id}`)), image)
  })

  test('an image in a project has its projectId too', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'P' }), 201)
    const image = ok(await api.upload([field('projectId', project.id), file(png)]), 201)
    const found = ok(await api.get<Image>(`/storage/images/${image.id}`))
    assert.deepEqual(found, { ...image, projectId: project.id })
  })

  test('deleting an image returns deleted true, and removes it from the API, the list and its URL', async () => {
    const { id: projectId } = ok(await api.post<Project>('/projects', { name: 'Emptied' }), 201)
    const parts = [field('projectId', projectId), file(png)]
    const [image, other] = [ok(await api.upload(parts), 201), ok(await api.upload(parts), 201)]
    const reply = await api.delete<{ deleted: boolean }>(`/storage/images/${image.id}`)
    assert.deepEqual(ok(reply, 200), { deleted: true })
    refused(await api.get(`/storage/images/${image.id}`), 'not_found')
    refused(await api.root('GET', new URL(image.url).pathname), 'not_found')
    const { images, total } = ok(await api.get<Images>('/storage/images', { projectId }))
    assert.deepEqual([images.map((each) => each.id), total], [[other.id], 1])
  })

  test('deleting one of two images with the same bytes keeps the other', async () => {
    const [first, second] = [await upload(api, png), await upload(api, png)]
    assert.notEqual(first.id, second.id)
    ok(await api.delete(`/storage/images/${first.id}`))
    assert.deepEqual((await api.root('GET', new URL(second.url).pathname)).bytes, png)
  })

  test('a deleted image cannot be deleted again', async () => {
    const { id } = await upload(api, png)
    ok(await api.delete(`/storage/images/${id}`))
    refused(await api.delete(`/storage/images/${id}`), 'not_found')
  })

  test('the uses of an image are the workflows whose newest version or draft names it', async () => {
    const account = await newAccount()
    const [used, unused] = [await upload(account.api, png), await upload(account.api, png)]
    const naming = (name: string, source = used.id) => ({
      name,
      nodes: { photo: { type: 'image', params: { source } } },
      output: { node: 'photo', format: 'png' },
    })
    const uses = async (id: string) => ok(await account.api.get<ImageUses>(`/storage/images/${id}/uses`))
    assert.deepEqual(await uses(used.id), { workflows: [], hasMore: false })

    const published = await save(account.api, naming('Published'))
    const changed = await save(account.api, naming('Changed'))
    ok(await account.api.put(`/workflows/${changed.id}`, naming('Changed', unused.id)))
    ok(await account.api.put(`/workflows/${changed.id}/draft`, { document: naming('Changed') }), 201)
    const byDefault = await save(account.api, {
      ...naming('Default', '{{ photo }}'),
      parameters: [{ name: 'photo', type: 'string', default: used.id }],
    })
    const deleted = await save(account.api, naming('Deleted'))
    ok(await account.api.delete(`/workflows/${deleted.id}`))
    const draft = { document: naming('Only a draft') }
    const { workflowId } = ok(await account.api.post<{ workflowId: string }>('/workflows/drafts', draft), 201)

    const { workflows, hasMore } = await uses(used.id)
    assert.equal(hasMore, false)
    assert.deepEqual(workflows, [
      { workflowId: byDefault.id, name: 'Default', version: 1, draft: false },
      { workflowId: published.id, name: 'Published', version: 1, draft: false },
      { workflowId, name: 'Only a draft', draft: true },
      { workflowId: changed.id, name: 'Changed', draft: true },
    ])
    assert.deepEqual((await uses(unused.id)).workflows, [
      { workflowId: changed.id, name: 'Changed', version: 2, draft: false },
    ])
    refused(await api.get(`/storage/images/${used.id}/uses`), 'not_found')
  })

  test('the uses of an image name the brands whose value it is', async () => {
    const account = await newAccount()
    const { id } = await upload(account.api, png)
    const { id: projectId } = ok(await account.api.post<{ id: string }>('/projects', { name: 'Shop' }), 201)
    const values = { logo: { type: 'image', value: id }, note: { type: 'text', value: id } }
    ok(await account.api.put('/brand', { values }))
    ok(await account.api.put(`/projects/${projectId}/brand`, { values: { mark: values.logo } }))
    assert.deepEqual(ok(await account.api.get<ImageUses>(`/storage/images/${id}/uses`)), {
      workflows: [],
      brands: [
        { projectId: null, values: ['logo'] },
        { projectId, projectName: 'Shop', values: ['mark'] },
      ],
      hasMore: false,
    })
  })

  test('more than 20 uses of an image are cut', async () => {
    const account = await newAccount()
    const { id } = await upload(account.api, png)
    const document = {
      name: 'Many',
      nodes: { photo: { type: 'image', params: { source: id } } },
      output: { node: 'photo', format: 'png' },
    }
    await Promise.all(Array.from({ length: 21 }, () => save(account.api, document)))
    const { workflows, hasMore } = ok(await account.api.get<ImageUses>(`/storage/images/${id}/uses`))
    assert.deepEqual([workflows.length, hasMore], [20, true])
  })

  test('of five concurrent deletions exactly one succeeds', async () => {
    const { id } = await upload(api, png)
    const replies = await Promise.all(Array.from({ length: 5 }, () => api.delete(`/storage/images/${id}`)))
    assert.deepEqual(replies.map((each) => each.status).sort(), [200, 404, 404, 404, 404])
  })

  for (const id of [
    'img_00000000000000000000',
    'anything',
    'wf_00000000000000000000',
    '%2e%2e%2fsecret',
    'x'.repeat(300),
  ]) {
    test(`the image ${id.slice(0, 30)} does not exist`, async () => {
      refused(await api.get(`/storage/images/${id}`), 'not_found')
      refused(await api.delete(`/storage/images/${id}`), 'not_found')
    })
  }

  test('an unknown query parameter of one image is rejected', async () => {
    const { id } = await upload(api, png)
    refused(await api.get(`/storage/images/${id}`, { size: 'large' }), 'invalid_request')
  })
})
