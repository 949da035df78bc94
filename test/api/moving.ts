/** `tintype export` and `tintype import`, with separate services because the tests move all their data. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { area, fullOnly } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { type CreatedData, createData, hashOf, readAll } from '../harness/moving.ts'
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
  // One execution at a time. It waits for its source until the test releases it.
  const settings = { FETCH_ALLOW: 'localhost', FETCH_TIMEOUT_SECONDS: '300', EXECUTIONS_RUNNING_MAX: '1' }
  let host: SourceHost
  let old: Service
  let moved: Service | undefined
  let api: Client
  let filled: CreatedData
  let archive: string
  before(async () => {
    host = await startSourceHost()
    old = await startService(settings)
    api = await createClient(old, old.key)
    filled = await createData(api, host)
    archive = path.join(old.dataDir, 'all.tar.gz')
  })
  after(async () => {
    filled?.release()
    await old.remove()
    await moved?.remove()
    await host.close()
  })

  test('export next to a running service writes a file that only its owner can read, and prints a summary', async () => {
    const printed = await tintypeJson<Summary>(old, 'export', archive)
    assert.equal(printed.rows.accounts, 1)
    assert.ok((printed.rows.executions ?? 0) >= 6 && printed.blobs > 10 && printed.bytes > 1e6, JSON.stringify(printed))
    if (process.platform !== 'win32') assert.equal(statSync(archive).mode & 0o077, 0)
    assert.ok(!existsSync(`${archive}.part`))
    assert.ok(!readFileSync(archive).includes(old.key))
  })

  fullOnly('export never overwrites a file, and rejects a file name without a known format', async () => {
    const before = readFileSync(archive)
    const again = await tintype(old, 'export', archive)
    assert.deepEqual([again.code, again.stdout], [1, ''])
    assert.match(again.stderr, /already exists/)
    assert.deepEqual(readFileSync(archive), before)
    assert.equal((await tintype(old, 'export', path.join(old.dataDir, 'all.zip'))).code, 2)
    assert.equal((await tintype(old, 'import')).code, 2)
  })

  fullOnly('an import into a service with records is rejected and changes nothing', async () => {
    const before = await readAll(api)
    const { code, stdout, stderr } = await tintype(old, 'import', archive)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^Error: (A service is running on|The database is not empty)/)
    assert.doesNotMatch(stderr, /\n {4}at /)
    assert.deepEqual(await readAll(api), before)
  })

  test('a damaged archive is rejected in one sentence, and the correct one can be imported afterwards', async () => {
    const target = await newPlace(settings)
    const bytes = readFileSync(archive)
    const damaged = path.join(target.dataDir, 'damaged.tar.gz')
    for (const wrong of [bytes.subarray(0, bytes.length - 200), Buffer.from('nothing')]) {
      writeFileSync(damaged, wrong)
      const { code, stdout, stderr } = await tintype(target, 'import', damaged)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^Error: The archive is corrupt: .*\n$/)
    }
    const printed = await tintypeJson<Summary>(target, 'import', archive)
    assert.equal(printed.rows.accounts, 1)
    moved = await target.start()
  })

  test('after an import the same key sees the same lists, documents, records and bytes', async () => {
    assert.ok(moved)
    assert.deepEqual([moved.key, moved.curl], ['', ''], 'no first account was made')
    const before = await readAll(api)
    const there = await createClient(moved, old.key)
    const waiting = new Set(filled.waiting)
    const without = ({ ended, steps: _, images, bytes, ...rest }: Record<string, unknown>) => ({
      ...rest,
      ended: (ended as Execution[]).filter(({ executionId }) => !waiting.has(executionId)),
      // The waiting executions have created images meanwhile.
      pictures: (images as { id: string }[])
        .map((image, i) => ({ image, hash: (bytes as string[])[i] }))
        .filter(({ image }) => (before.images as { id: string }[]).some(({ id }) => id === image.id)),
    })
    assert.deepEqual(without(await readAll(there)), without(before))
  })

  fullOnly('executions that waited or ran during the export end after the import', async () => {
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

  fullOnly('a request with the same Idempotency-Key gets the same response after the move', async () => {
    assert.ok(moved)
    const there = await createClient(moved, old.key)
    const { headers, body, executionId } = filled.idempotent
    assert.equal(ok(await there.post<Execution>('/workflows/execute', body, headers)).executionId, executionId)
  })

  fullOnly('an archive is complete while images come and go: each record in it has its bytes', async () => {
    const file = path.join(old.dataDir, 'meanwhile.tar')
    let exporting = true
    const busy = (async () => {
      for (let i = 0; exporting; i++) {
        const { id } = await upload(api, await plain('png', 10 + (i % 50), 10))
        if (i % 2 === 0) ok(await api.delete(`/storage/images/${id}`))
      }
    })()
    const printed = await tintypeJson<Summary>(old, 'export', file).finally(() => {
      exporting = false
    })
    await busy
    assert.deepEqual(printed.withoutBytes, [])
    const target = await newPlace(settings)
    await tintypeJson(target, 'import', file)
    const service = await target.start()
    try {
      const there = await createClient(service, old.key)
      const { images, total } = ok(await there.get<Images>('/storage/images', { limit: 100 }))
      assert.ok(total >= printed.blobs - 1 && images.length > 10, `${total} of ${printed.blobs}`)
      for (const { url } of images) await hashOf(there, url)
    } finally {
      await service.remove()
    }
  })
})
