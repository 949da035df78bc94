import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { BlobMissing } from '../../src/domain/images/image.ts'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { blobsContract, keysOf } from './blobs.ts'
import { scratchFolder } from './scratch.ts'

blobsContract('in files', async (t) => {
  const dir = scratchFolder()
  const blobs = createFsBlobs({ dir })
  t.after(() => assert.deepEqual(openFiles(dir), [], 'files were left open'))
  return { blobs, leftovers: async () => readdirSync(join(dir, 'tmp')) }
})

test('temporary files older than an hour are removed when the store is opened, younger ones are not', () => {
  const dir = scratchFolder()
  createFsBlobs({ dir })
  const [old, young] = [join(dir, 'tmp', 'old'), join(dir, 'tmp', 'young')]
  for (const path of [old, young]) writeFileSync(path, 'x')
  const hourAgo = Date.now() / 1000 - 3_600
  utimesSync(old, hourAgo - 60, hourAgo - 60)
  utimesSync(young, hourAgo + 60, hourAgo + 60)
  createFsBlobs({ dir })
  assert.deepEqual(readdirSync(join(dir, 'tmp')), ['young'])
})

test('a blob stored under its bare id by an earlier version is read, listed and removed under its key', async () => {
  const dir = scratchFolder()
  const blobs = createFsBlobs({ dir })
  for (const content of ['old', 'new']) {
    const staged = await blobs.stage(Readable.from([Buffer.from(content)]), { bytesMax: 3 })
    await staged.commit(content === 'old' ? 'img_ab' : 'img_xab.png')
  }
  assert.deepEqual(readdirSync(join(dir, 'a', 'b')), ['img_ab', 'img_xab.png'])
  assert.equal((await blobs.read('img_ab.png')).toString(), 'old')
  assert.equal(
    Buffer.concat(await Array.fromAsync(await blobs.open('img_ab.png', { start: 1, end: 2 }))).toString(),
    'ld',
  )
  assert.deepEqual(await keysOf(blobs), ['img_ab', 'img_xab.png'])
  assert.equal(await blobs.remove('img_ab.png'), true)
  assert.equal(await blobs.remove('img_ab.png'), false)
  await assert.rejects(blobs.read('img_ab.png'), (error) => error instanceof BlobMissing && error.key === 'img_ab.png')
  await assert.rejects(blobs.read('img_xab'), BlobMissing)
  assert.deepEqual(await keysOf(blobs), ['img_xab.png'])
})

test('files of others in the blob folder are not listed', async () => {
  const dir = scratchFolder()
  const blobs = createFsBlobs({ dir })
  const staged = await blobs.stage(Readable.from([Buffer.from('x')]), { bytesMax: 1 })
  await staged.commit('img_ab')
  for (const stray of ['README', '.DS_Store', 'img_zz', 'a/img_ab', 'a/b/img_ba', 'a/b/img_ab.png~']) {
    writeFileSync(join(dir, stray), 'x')
  }
  assert.deepEqual(await keysOf(blobs), ['img_ab'])
})

test('the check fails if the folder for temporary files is missing', async () => {
  const dir = scratchFolder()
  const blobs = createFsBlobs({ dir })
  rmSync(join(dir, 'tmp'), { recursive: true })
  await assert.rejects(blobs.check())
})

/** The files below `dir` that this process has open; none if the system does not report them. */
function openFiles(dir: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(dir) ? [path] : []
    } catch {
      return []
    }
  })
}
