import { createHash } from 'node:crypto'
import { closeSync, rmSync } from 'node:fs'
import { BlobTooLarge, type StagedBlob } from '../../domain/images/image.ts'
import { openAsync, writeAll } from './files.ts'

/** Writes `source` to a new file at `path`. Its `commit` passes the file to `publish`, which moves it. */
export async function stageFile(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
  publish: (key: string, staged: { fd: number; bytes: number; sha256: string }) => Promise<void>,
): Promise<StagedBlob> {
  const fd = await openAsync(path, 'wx')
  let isOpen = true

  function drop() {
    closeSync(fd)
    rmSync(path, { force: true })
  }

  async function commit(key: string) {
    if (!isOpen) throw new Error('this blob was committed or discarded before')
    isOpen = false
    try {
      await publish(key, { fd, bytes, sha256 })
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

  const hash = createHash('sha256')
  let bytes = 0
  let sha256 = ''
  try {
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) throw new BlobTooLarge(bytesMax)
      hash.update(chunk)
      await writeAll(fd, chunk)
    }
    sha256 = hash.digest('hex')
    return { bytes, sha256, path, commit, discard }
  } catch (error) {
    await discard()
    throw error
  }
}
