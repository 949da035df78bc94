/** `tintype export` and `tintype import`: services of their own, because everything of theirs is moved. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { type Filled, fill, hashOf, seen } from '../harness/moving.ts'
import { plain } from '../harness/pictures.ts'
import { newPlace, type Service, startService } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Images } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { upload } from '../harness/workflows.ts'

interface Summary {
  rows: Record<string, number>
  blobs: number
  bytes: number
  withoutBytes?: string[]
}

area('moving everything', {}, () => {
  // One execution at a time, which waits for its picture until it is released.
  const settings = { FETCH_ALLOW: 'localhost', FETCH_TIMEOUT_SECONDS: '300', EXECUTIONS_RUNNING_MAX: '1' }
  let host: SourceHost
  let old: Service
  let moved: Service | undefined
  let api: Client
  let filled: Filled
  let archive: string
  before(async () => {
    host = await startSourceHost()
    old = await startService(settings)
    api = await createClient(old, old.key)
    filled = await fill(api, host)
    archive = path.join(old.dataDir, 'all.tar.gz')
  })
  after(async () => {
    filled?.release()
    await old.remove()
    await moved?.remove()
    await host.close()
  })

  test('export writes a file that only its owner can read, beside a service that executes, and tells what is in it', async () => {
    const told = await tintypeJson<Summary>(old, 'export', archive)
    assert.equal(told.rows.accounts, 1)
    assert.ok((told.rows.executions ?? 0) >= 6 && told.blobs > 10 && told.bytes > 1e6, JSON.stringify(told))
    if (process.platform !== 'win32') assert.equal(statSync(archive).mode & 0o077, 0)
    assert.ok(!existsSync(`${archive}.part`))
    assert.ok(!readFileSync(archive).includes(old.key))
  })

  test('a file that is there already is not written over, and a name that tells no format is a wrong command line', async () => {
    const before = readFileSync(archive)
    const again = await tintype(old, 'export', archive)
    assert.deepEqual([again.code, again.stdout], [1, ''])
    assert.match(again.stderr, /is there already/)
    assert.deepEqual(readFileSync(archive), before)
    assert.equal((await tintype(old, 'export', path.join(old.dataDir, 'all.zip'))).code, 2)
    assert.equal((await tintype(old, 'import')).code, 2)
  })

  test('an import where a service has its records is refused, and changes nothing', async () => {
    const before = await seen(api)
    const { code, stdout, stderr } = await tintype(old, 'import', archive)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^Error: (A service runs on|The database is not empty)/)
    assert.doesNotMatch(stderr, /\n {4}at /)
    assert.deepEqual(await seen(api), before)
  })

  test('an archive that is damaged is refused in a sentence, and the right one can be imported there afterwards', async () => {
    const place = await newPlace(settings)
    const bytes = readFileSync(archive)
    const damaged = path.join(place.dataDir, 'damaged.tar.gz')
    for (const wrong of [bytes.subarray(0, bytes.length - 200), Buffer.from('nothing')]) {
      writeFileSync(damaged, wrong)
      const { code, stdout, stderr } = await tintype(place, 'import', damaged)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^Error: The archive is damaged: .*\n$/)
    }
    const told = await tintypeJson<Summary>(place, 'import', archive)
    assert.equal(told.rows.accounts, 1)
    moved = await place.start()
  })

  test('the same key sees the same lists, documents, records and bytes where it was imported', async () => {
    assert.ok(moved)
    assert.deepEqual([moved.key, moved.curl], ['', ''], 'no first account was made')
    const before = await seen(api)
    const there = await createClient(moved, old.key)
    const waiting = new Set(filled.waiting)
    const without = ({ ended, steps: _, images, bytes, ...rest }: Record<string, unknown>) => ({
      ...rest,
      ended: (ended as Execution[]).filter(({ executionId }) => !waiting.has(executionId)),
      // What waited has made images meanwhile.
      pictures: (images as { id: string }[])
        .map((image, i) => ({ image, hash: (bytes as string[])[i] }))
        .filter(({ image }) => (before.images as { id: string }[]).some(({ id }) => id === image.id)),
    })
    assert.deepEqual(without(await seen(there)), without(before))
  })

  test('what waited and what ran when it was exported ends where it was imported', async () => {
    assert.ok(moved)
    const there = await createClient(moved, old.key)
    filled.release()
    assert.equal(filled.waiting.length, 3)
    for (const id of filled.waiting) {
      const { status } = await until(`the end of ${id}`, async () => {
        const execution = ok(await there.get<Execution>(`/workflows/executions/${id}`))
        return execution.status === 'pending' || execution.status === 'running' ? undefined : execution
      })
      assert.equal(status, 'completed')
    }
  })

  test('a request that comes again after the move under its Idempotency-Key is answered as before', async () => {
    assert.ok(moved)
    const there = await createClient(moved, old.key)
    const { headers, body, executionId } = filled.keyed
    assert.equal(ok(await there.post<Execution>('/workflows/execute', body, headers)).executionId, executionId)
  })

  test('while images come and go, an archive is whole: each record in it has its bytes', async () => {
    const file = path.join(old.dataDir, 'meanwhile.tar')
    let exporting = true
    const busy = (async () => {
      for (let i = 0; exporting; i++) {
        const { id } = await upload(api, await plain('png', 10 + (i % 50), 10))
        if (i % 2 === 0) ok(await api.delete(`/storage/images/${id}`))
      }
    })()
    const told = await tintypeJson<Summary>(old, 'export', file).finally(() => {
      exporting = false
    })
    await busy
    assert.deepEqual(told.withoutBytes, [])
    const place = await newPlace(settings)
    await tintypeJson(place, 'import', file)
    const service = await place.start()
    try {
      const there = await createClient(service, old.key)
      const { images, total } = ok(await there.get<Images>('/storage/images', { limit: 100 }))
      assert.ok(total >= told.blobs - 1 && images.length > 10, `${total} of ${told.blobs}`)
      for (const { url } of images) await hashOf(there, url)
    } finally {
      await service.remove()
    }
  })
})
