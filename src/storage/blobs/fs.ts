/**
 * Blobs as files: `<dir>/<last but one character>/<last character>/<key>`, by the end of the id because ids start with
 * the time. Uploads are in `<dir>/tmp`, and get their name only when their bytes are on the disk. Bytes in memory are written
 * under their name: a crash can leave a part of them, which no record refers to. Earlier versions used the bare id as
 * the name: a blob without a file of its key is looked up there.
 */
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { blobKeyPattern, idOfBlobKey } from '../../domain/blob-key.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import { BlobMissing, type BlobStore } from '../../domain/images/image.ts'
import {
  fdatasyncAsync,
  filesIn,
  foldersIn,
  isMissing,
  linkDurably,
  moveDurably,
  readWhole,
  writeDurably,
} from './files.ts'
import { factsOf } from './hash.ts'
import { openScratch } from './scratch.ts'
import { stageFile } from './stage-file.ts'

/** Opens the store in `dir` and creates the folder if it is missing. Other processes may use it at the same time. */
export function createFsBlobs({ dir, clock = systemClock }: { dir: string; clock?: Clock }): BlobStore {
  const newScratchFile = openScratch(join(dir, 'tmp'), clock)

  function stage(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, bytesMax: number) {
    const path = newScratchFile()
    return stageFile(path, source, bytesMax, async (key, { fd }) => {
      const target = pathOf(dir, key)
      await fdatasyncAsync(fd)
      await moveDurably(path, target)
    })
  }

  return {
    async put(key, bytes) {
      const facts = factsOf(bytes)
      await writeDurably(pathOf(dir, key), bytes)
      return facts
    },

    stage: async (source, { bytesMax }) => stage(source, bytesMax),

    async read(key) {
      return firstOf(dir, key, readWhole)
    },

    async open(key, range) {
      return readRange(await firstOf(dir, key, (path) => open(path)), range)
    },

    async copy(key, to) {
      return firstOf(dir, key, (path) => linkDurably(path, pathOf(dir, to), clock.now()))
    },

    async remove(key) {
      try {
        await firstOf(dir, key, unlink)
        return true
      } catch (error) {
        if (error instanceof BlobMissing) return false
        throw error
      }
    },

    async *list() {
      for (const outer of await foldersIn(dir)) {
        for (const inner of await foldersIn(outer)) {
          for await (const { name, modifiedAt } of filesIn(inner)) {
            const isBlob = blobKeyPattern.test(name) && pathOf(dir, name) === join(inner, name)
            if (isBlob) yield { key: name, modifiedAt }
          }
        }
      }
    },

    async check() {
      const staged = await stage([new Uint8Array(1)], 1)
      await staged.discard()
    },
  }
}

function pathOf(dir: string, key: string): string {
  if (!blobKeyPattern.test(key)) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not the key of a blob`)
  const [outer = '', inner = ''] = idOfBlobKey(key).padStart(2, '_').slice(-2)
  return join(dir, outer, inner, key)
}

/** Runs the work with the file of the key or, if that is missing, with the file of the bare id. Throws `BlobMissing`. */
async function firstOf<Result>(dir: string, key: string, work: (path: string) => Promise<Result>): Promise<Result> {
  for (const name of new Set([key, idOfBlobKey(key)])) {
    try {
      return await work(pathOf(dir, name))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  throw new BlobMissing(key)
}

const chunkBytes = 262_144

/**
 * Streams the bytes from `start` to `end` (inclusive) of an open file. The file is closed after the last byte, or when the
 * reader stops early, even before its first read, which a generator would not notice.
 */
function readRange(
  file: FileHandle,
  { start, end }: { start: number; end: number } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncIterable<Uint8Array> {
  let position = start
  let closing: Promise<void> | undefined

  async function finish(): Promise<IteratorReturnResult<undefined>> {
    closing ??= file.close()
    await closing
    return { done: true, value: undefined }
  }

  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      const length = Math.min(chunkBytes, end + 1 - position)
      if (closing !== undefined || length <= 0) return finish()
      try {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
        if (bytesRead === 0) return finish()
        position += bytesRead
        return { done: false, value: buffer.subarray(0, bytesRead) }
      } catch (error) {
        await finish()
        throw error
      }
    },
    return: finish,
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
