/** The bin, and changes of the name and the project of an image. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import type { Image, Images, Project } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

type Deleted = { deleted: boolean; count: number; hasMore: boolean }
type Binned = { id: string; name: string; size: number; projectId?: string; binnedAt: string; removedAt: string }
type BinPage = { images: Binned[]; total: number; hasMore: boolean; cursor: string | null }

const binDays = 30

area('the bin', { concurrency: 4 }, () => {
  let png: Buffer
  before(async () => {
    png = await plain('png')
  })
  const binOf = async (api: Client) => ok(await api.get<BinPage>('/storage/bin'))
  const restore = async (api: Client, ...ids: string[]) =>
    ok(await api.post<{ ids: string[] }>('/storage/bin/restore', { ids })).ids
  const bin = async (api: Client, id: string) =>
    assert.deepEqual(ok(await api.delete(`/storage/images/${id}?bin=true`)), { deleted: true })

  test('an image in the bin is like a deleted one, and a restored one is as it was', async () => {
    const { api } = await newAccount()
    const project = ok(await api.post<Project>('/projects', { name: 'P' }), 201)
    const parts = [field('expiresIn', '3600'), field('projectId', project.id), file(png, 'photo.png')]
    const image: Image & { expiresAt?: string } = ok(await api.upload(parts), 201)
    const path = new URL(image.url).pathname
    const reader = await save(api, {
      name: 'Reader',
      nodes: { photo: { type: 'image', params: { source: image.id } } },
      output: { node: 'photo', format: 'png' },
    })
    const used = async () =>
      ok(await api.get<{ quotas: { quota: string; used: number }[] }>('/usage')).quotas.flatMap(({ quota, used }) =>
        quota === 'images' || quota === 'storageBytes' ? [used] : [],
      )
    const before = await used()
    await bin(api, image.id)
    refused(await api.delete(`/storage/images/${image.id}?bin=true`), 'not_found')
    refused(await api.delete(`/storage/images/${image.id}`), 'not_found')
    refused(await api.get(`/storage/images/${image.id}`), 'not_found')
    refused(await api.get(`/storage/images/${image.id}/uses`), 'not_found')
    refused(await api.put(`/storage/images/${image.id}`, { name: 'x.png' }), 'not_found')
    refused(await api.root('GET', path), 'not_found')
    refused(await api.root('GET', `/images/${image.id}/thumbnail`), 'not_found')
    refused(await api.post('/workflows/execute', { workflowId: reader.id }), 'workflow_failed')
    assert.equal(ok(await api.get<Images>('/storage/images')).total, 0)
    assert.deepEqual(await used(), before)

    const { images, total } = await binOf(api)
    const { id, name, size, createdAt, expiresAt } = image
    assert.equal(total, 1)
    const { binnedAt, ...rest } = images[0] ?? assert.fail()
    // The time of the image is earlier than that of the bin.
    assert.deepEqual(rest, { id, name, size, projectId: project.id, createdAt, removedAt: expiresAt })
    assert.ok(binnedAt > createdAt, binnedAt)
    const thumbnail = await api.get(`/storage/bin/${id}/thumbnail`)
    assert.equal(thumbnail.headers['content-type'], 'image/webp')
    const other = await secondAccount()
    refused(await other.api.get(`/storage/bin/${id}/thumbnail`), 'not_found')
    assert.deepEqual(await restore(other.api, id), [])

    assert.deepEqual(await restore(api, id, id, 'img_unknown'), [id])
    assert.deepEqual(ok(await api.get(`/storage/images/${id}`)), { ...image, projectId: project.id })
    assert.deepEqual((await api.root('GET', path)).bytes, png)
    ok(await api.post('/workflows/execute', { workflowId: reader.id }))
    assert.deepEqual(await restore(api, id), [])
    refused(await api.get(`/storage/bin/${id}/thumbnail`), 'not_found')
  })

  test('many images are moved to the bin together, and stay there for 30 days or until they are deleted', async () => {
    const { api } = await newAccount()
    const all = [await upload(api, png, 'a.png'), await upload(api, png, 'b.png'), await upload(api, png, 'c.png')]
    const ids = all.map((image) => image.id)
    const moved = ok(await api.delete<Deleted>(`/storage/images?ids=${ids.join()}&bin=true`))
    assert.deepEqual(moved, { deleted: true, count: 3, hasMore: false })
    const { images } = await binOf(api)
    assert.deepEqual(images.map((image) => image.name).sort(), ['a.png', 'b.png', 'c.png'])
    for (const { binnedAt, removedAt } of images)
      assert.equal(Date.parse(removedAt) - Date.parse(binnedAt), binDays * 86_400_000)
    const some = ok(await api.delete<Deleted>(`/storage/bin?ids=${ids[0]},img_unknown`))
    assert.deepEqual(some, { deleted: true, count: 1, hasMore: false })
    assert.deepEqual(await restore(api, ...ids), ids.slice(1).sort())
    for (const id of ids.slice(1)) await bin(api, id)
    assert.deepEqual(ok(await api.delete('/storage/bin')), { deleted: true, count: 2, hasMore: false })
    assert.equal((await binOf(api)).total, 0)
    assert.deepEqual(await restore(api, ...ids), [])
    assert.deepEqual(issuePaths(await api.post('/storage/bin/restore', { ids: [] })), ['ids'])
    assert.deepEqual(issuePaths(await api.delete('/storage/bin?ids=')), ['ids'])
    assert.deepEqual(issuePaths(await api.delete(`/storage/images/${ids[0]}?bin=maybe`)), ['bin'])
  })

  test('a project takes its images in the bin with it, and so does another one to which it moves', async () => {
    const { api } = await newAccount()
    for (const isMoved of [true, false]) {
      const [old, target] = [
        ok(await api.post<Project>('/projects', { name: 'Old' }), 201),
        ok(await api.post<Project>('/projects', { name: 'Target' }), 201),
      ]
      const { id } = ok(await api.upload([field('projectId', old.id), file(png)]), 201)
      await bin(api, id)
      const query = isMoved ? `contents=move&moveTo=${target.id}` : 'contents=delete'
      ok(await api.delete(`/projects/${old.id}?${query}`))
      assert.deepEqual(await restore(api, id), isMoved ? [id] : [])
      if (isMoved)
        assert.equal(ok(await api.get<Image & { projectId?: string }>(`/storage/images/${id}`)).projectId, target.id)
    }
    assert.equal((await binOf(api)).images.length, 0)
  })

  test('an image is renamed and moved to another project, and its URL stays', async () => {
    const { api } = await newAccount()
    const [project, secret] = [
      ok(await api.post<Project>('/projects', { name: 'P' }), 201),
      ok(await api.post<Project>('/projects', { name: 'Secret', private: true }), 201),
    ]
    const { id, url } = await upload(api, png, 'old.png')
    type Detail = Image & { projectId?: string; private?: true }
    const change = async (body: object) => ok(await api.put<Detail>(`/storage/images/${id}`, body))
    const renamed = await change({ name: 'new.png' })
    assert.deepEqual([renamed.name, renamed.url, renamed.projectId], ['new.png', url, undefined])
    const moved = await change({ projectId: project.id })
    assert.deepEqual([moved.name, moved.projectId], ['new.png', project.id])
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId: project.id })).total, 1)
    assert.equal((await change({ projectId: null })).projectId, undefined)
    assert.equal((await change({ projectId: secret.id })).private, true)
    refused(await api.root('GET', new URL(url).pathname), 'forbidden')
    // A move alone makes no image public.
    assert.deepEqual(issuePaths(await api.put(`/storage/images/${id}`, { projectId: project.id })), ['private'])
    const again = await change({ projectId: project.id, private: true })
    assert.deepEqual([again.projectId, again.private], [project.id, true])
    assert.equal((await change({ private: false })).private, undefined)
    refused(await api.put(`/storage/images/${id}`, { projectId: 'proj_unknown' }), 'not_found')
    for (const name of ['', 'a/b.png', ' ', '..', 'x'.repeat(256)])
      assert.deepEqual(issuePaths(await api.put(`/storage/images/${id}`, { name })), ['name'], name)
  })
})
