import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { BlobMissing, type BlobStore, BlobTooLarge } from '../../src/domain/images/image.ts'

interface Opened {
  blobs: BlobStore
  /** Temporary files of unfinished or discarded blobs: none if no blob is being written. */
  leftovers(): Promise<string[]>
}

export type OpenBlobs = (t: TestContext) => Promise<Opened>

const roomy = { bytesMax: 100_000_000 }

export function blobsContract(name: string, open: OpenBlobs): void {
  describe(`blobs ${name}`, () => {
    for (const size of [0, 1, 100_000, 3_000_001]) {
      test(`a committed blob of ${size} bytes reads back byte for byte, and the commit returns its size and hash`, async (t) => {
        const { blobs, leftovers } = await open(t)
        const bytes = randomBytes(size)
        const staged = await blobs.stage(inChunks(bytes, 65_521), roomy)
        assert.equal(staged.bytes, size)
        assert.equal(staged.sha256, sha256(bytes))
        assert.ok(readFileSync(staged.path).equals(bytes))
        await staged.commit('img_1')
        assert.ok((await blobs.read('img_1')).equals(bytes))
        assert.ok((await collect(await blobs.open('img_1'))).equals(bytes))
        assert.deepEqual(await leftovers(), [])
      })
    }

    for (const size of [0, 1, 300_000, 8_400_000]) {
      test(`${size} bytes that are put read back byte for byte, with their size and hash`, async (t) => {
        const { blobs, leftovers } = await open(t)
        const bytes = randomBytes(size)
        assert.deepEqual(await blobs.put('img_1.png', bytes), { bytes: size, sha256: sha256(bytes) })
        assert.ok((await blobs.read('img_1.png')).equals(bytes))
        assert.deepEqual([await keysOf(blobs), await leftovers()], [['img_1.png'], []])
      })
    }

    test('bytes that are put again replace the ones before, also longer ones', async (t) => {
      const { blobs } = await open(t)
      for (const text of ['the first bytes', 'the second', 'the third, which are longer']) {
        await blobs.put('img_1', Buffer.from(text))
        assert.equal((await blobs.read('img_1')).toString(), text)
      }
    })

    test('bytes that are put at the same time, in new and in existing folders, do not mix', async (t) => {
      const { blobs, leftovers } = await open(t)
      const keys = Array.from({ length: 40 }, (_, i) => `img_${Math.floor(i / 4)}x${i % 4 < 2 ? 'aa' : 'bb'}${i}.png`)
      await Promise.all(keys.map((key) => blobs.put(key, Buffer.from(key.repeat(1_000)))))
      for (const key of keys) assert.equal((await blobs.read(key)).toString(), key.repeat(1_000))
      assert.deepEqual([await keysOf(blobs), await leftovers()], [keys.toSorted(), []])
    })

    test('a source that reuses its buffer for each chunk is stored correctly', async (t) => {
      const { blobs } = await open(t)
      async function* reusing() {
        const buffer = Buffer.alloc(10)
        for (const letter of 'abc') yield buffer.fill(letter)
      }
      const staged = await blobs.stage(reusing(), roomy)
      await staged.commit('img_1')
      assert.equal((await blobs.read('img_1')).toString(), 'aaaaaaaaaabbbbbbbbbbcccccccccc')
    })

    test('a copied blob survives the removal of its original, and has its own age', async (t) => {
      const { blobs, leftovers } = await open(t)
      if (blobs.copy === undefined) return t.skip('it copies by reading and staging')
      const staged = await blobs.stage(inChunks(Buffer.from('bytes')), roomy)
      await staged.commit('img_1.png')
      const before = Date.now() - 2_000
      assert.equal(await blobs.copy('img_1.png', 'img_2.png'), true)
      const ages = await Array.fromAsync(blobs.list(), ({ key, modifiedAt }) => [key, modifiedAt >= before])
      assert.deepEqual(ages.sort(), [
        ['img_1.png', true],
        ['img_2.png', true],
      ])
      await blobs.remove('img_1.png')
      assert.equal((await blobs.read('img_2.png')).toString(), 'bytes')
      await assert.rejects(blobs.copy('img_1.png', 'img_3.png'), BlobMissing)
      assert.deepEqual([await keysOf(blobs), await leftovers()], [['img_2.png'], []])
    })

    test('a blob does not exist before its commit or after a discard', async (t) => {
      const { blobs, leftovers } = await open(t)
      const staged = await blobs.stage(inChunks(randomBytes(10)), roomy)
      await assert.rejects(blobs.read('img_1'), BlobMissing)
      assert.deepEqual(await keysOf(blobs), [])
      await staged.discard()
      await staged.discard()
      await assert.rejects(staged.commit('img_1'))
      await assert.rejects(blobs.read('img_1'), BlobMissing)
      assert.deepEqual(await leftovers(), [])
    })

    test('a blob is committed once, and a later discard keeps it', async (t) => {
      const { blobs } = await open(t)
      const staged = await blobs.stage(inChunks(Buffer.from('here')), roomy)
      await staged.commit('img_1')
      await staged.discard()
      await assert.rejects(staged.commit('img_2'))
      assert.equal((await blobs.read('img_1')).toString(), 'here')
      assert.deepEqual(await keysOf(blobs), ['img_1'])
    })

    test('a source over the limit is stopped immediately and leaves nothing', async (t) => {
      const { blobs, leftovers } = await open(t)
      let chunksRead = 0
      let stopped = false
      async function* endless() {
        try {
          for (;;) {
            chunksRead += 1_000
            yield randomBytes(1_000)
          }
        } finally {
          stopped = true
        }
      }
      await assert.rejects(blobs.stage(endless(), { bytesMax: 4_999 }), BlobTooLarge)
      assert.equal(chunksRead, 5_000)
      assert.ok(stopped)
      assert.deepEqual(await leftovers(), [])
    })

    test('a source of exactly the limit is accepted', async (t) => {
      const { blobs } = await open(t)
      const staged = await blobs.stage(inChunks(randomBytes(5_000), 1_000), { bytesMax: 5_000 })
      await staged.commit('img_1')
      assert.equal((await blobs.read('img_1')).byteLength, 5_000)
    })

    test('an error of the source is thrown, and leaves nothing', async (t) => {
      const { blobs, leftovers } = await open(t)
      const broken = new Error('the connection broke')
      async function* failing() {
        yield randomBytes(1_000)
        throw broken
      }
      await assert.rejects(blobs.stage(failing(), roomy), broken)
      assert.deepEqual(await leftovers(), [])
    })

    test('concurrent blobs do not mix', async (t) => {
      const { blobs, leftovers } = await open(t)
      const contents = new Map(Array.from({ length: 20 }, (_, i) => [`img_${i}`, randomBytes(50_000 + i)]))
      await Promise.all(
        [...contents].map(async ([key, bytes]) => {
          const staged = await blobs.stage(inChunks(bytes, 7_001), roomy)
          await staged.commit(key)
        }),
      )
      for (const [key, bytes] of contents) assert.ok((await blobs.read(key)).equals(bytes))
      assert.deepEqual(await keysOf(blobs), [...contents.keys()].toSorted())
      assert.deepEqual(await leftovers(), [])
    })

    test('a range of a blob is exactly the bytes from start to end, both included', async (t) => {
      const { blobs } = await open(t)
      const bytes = randomBytes(600_000)
      await store(blobs, 'img_1', bytes)
      const last = bytes.length - 1
      for (const [start, end] of [
        [0, 0],
        [0, last],
        [last, last],
        [1, 262_144],
        [262_143, 262_145],
        [100_000, 599_998],
      ] as const) {
        const range = await collect(await blobs.open('img_1', { start, end }))
        assert.ok(range.equals(bytes.subarray(start, end + 1)), `${start} to ${end}`)
      }
    })

    test('a reader can stop early, or never start', async (t) => {
      const { blobs } = await open(t)
      await store(blobs, 'img_1', randomBytes(600_000))
      for await (const chunk of await blobs.open('img_1')) {
        assert.ok(chunk.byteLength < 600_000)
        break
      }
      const unread = Readable.from(await blobs.open('img_1'))
      unread.destroy()
      await new Promise((resolve) => unread.once('close', resolve))
      assert.equal((await collect(await blobs.open('img_1'))).byteLength, 600_000)
    })

    test('a blob that is removed during a read is read to its end', async (t) => {
      const { blobs } = await open(t)
      const bytes = randomBytes(600_000)
      await store(blobs, 'img_1', bytes)
      const chunks: Uint8Array[] = []
      for await (const chunk of await blobs.open('img_1')) {
        if (chunks.length === 0) await blobs.remove('img_1')
        chunks.push(chunk)
      }
      assert.ok(Buffer.concat(chunks).equals(bytes))
    })

    test('reading a missing blob fails with its key', async (t) => {
      const { blobs } = await open(t)
      for (const look of [blobs.read, blobs.open]) {
        await assert.rejects(look('img_1'), (error) => error instanceof BlobMissing && error.key === 'img_1')
      }
    })

    test('a removed blob is gone, and removing it again reports that', async (t) => {
      const { blobs } = await open(t)
      await store(blobs, 'img_1', randomBytes(10))
      await store(blobs, 'img_2', randomBytes(10))
      assert.equal(await blobs.remove('img_1'), true)
      assert.equal(await blobs.remove('img_1'), false)
      await assert.rejects(blobs.read('img_1'), BlobMissing)
      assert.deepEqual(await keysOf(blobs), ['img_2'])
    })

    test('the list has every committed key once, with its time, and nothing else', async (t) => {
      const { blobs } = await open(t)
      const keys = ['a', '_', 'z9', 'img_000', 'img_100', 'tmp', 'img_1.png', 'tmp.tiff', `x${'0'.repeat(79)}.woff2`]
      const before = Date.now()
      for (const key of keys) await store(blobs, key, randomBytes(10))
      const onItsWay = await blobs.stage(inChunks(randomBytes(10)), roomy)
      assert.deepEqual(await keysOf(blobs), keys.toSorted())
      // Clocks of file systems are coarser than that of the process, and stores may have whole seconds.
      for await (const { modifiedAt } of blobs.list()) {
        assert.ok(modifiedAt >= before - 2_000 && modifiedAt <= Date.now() + 2_000)
      }
      await onItsWay.discard()
    })

    test('an invalid key is rejected and accesses nothing', async (t) => {
      const { blobs, leftovers } = await open(t)
      const bad = ['', '.', '..', '../x', 'a/b', '/etc/passwd', 'a\\b', 'A', 'a b', 'a\0', 'é', 'a'.repeat(81)]
      bad.push('a.', '.png', 'a.PNG', 'a.b.c', 'a.p_g', 'a.png/', 'a./b', 'a..b', 'a.png\n', `a.${'b'.repeat(9)}`)
      for (const key of bad) {
        await assert.rejects(blobs.read(key), TypeError)
        await assert.rejects(blobs.open(key), TypeError)
        await assert.rejects(blobs.remove(key), TypeError)
        const staged = await blobs.stage(inChunks(randomBytes(10)), roomy)
        await assert.rejects(staged.commit(key), TypeError)
        await assert.rejects(blobs.put(key, randomBytes(10)), TypeError)
      }
      assert.deepEqual(await keysOf(blobs), [])
      assert.deepEqual(await leftovers(), [])
    })

    test('a writable store passes its check, and the check leaves nothing', async (t) => {
      const { blobs, leftovers } = await open(t)
      await blobs.check()
      assert.deepEqual(await keysOf(blobs), [])
      assert.deepEqual(await leftovers(), [])
    })
  })
}

async function* inChunks(bytes: Buffer, size = 65_536): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size)
}

async function store(blobs: BlobStore, key: string, bytes: Buffer): Promise<void> {
  const staged = await blobs.stage(inChunks(bytes), roomy)
  await staged.commit(key)
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await all(source))
}

export async function keysOf(blobs: BlobStore): Promise<string[]> {
  return (await all(blobs.list())).map(({ key }) => key).toSorted()
}

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of source) items.push(item)
  return items
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
