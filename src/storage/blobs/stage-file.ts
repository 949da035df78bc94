import { createHash } from 'node:crypto'
import { closeSync, fdatasync, openSync, rmSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { BlobTooLarge, type StagedBlob } from '../../domain/image.ts'

const writeAsync = promisify(write)
const fdatasyncAsync = promisify(fdatasync)

/**
 * Writes `source` to a new file at `path`. Its `commit` syncs the file and hands it to `place`, which takes it away.
 * Opening and closing are synchronous: they do not wait for the disk, and a trip to the thread pool costs more.
 */
export async function stageFile(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
  place: (key: string) => Promise<void>,
): Promise<StagedBlob> {
  const fd = openSync(path, 'wx')
  let isOpen = true

  function drop() {
    closeSync(fd)
    rmSync(path, { force: true })
  }

  async function commit(key: string) {
    if (!isOpen) throw new Error('this blob was committed or discarded before')
    isOpen = false
    try {
      await fdatasyncAsync(fd)
      await place(key)
    } catch (error) {
      drop()
      throw error
    }
    closeSync(fd)
  }

  async function discard() {
    if (isOpen) drop()
    isOpen = false
  }

  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) throw new BlobTooLarge(bytesMax)
      hash.update(chunk)
      await writeAll(fd, chunk)
    }
    return { bytes, sha256: hash.digest('hex'), path, commit, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** A write may take less than it is given. */
async function writeAll(fd: number, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    const { bytesWritten } = await writeAsync(fd, chunk, offset)
    offset += bytesWritten
  }
}
