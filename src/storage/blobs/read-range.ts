import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 262_144

/**
 * Streams the bytes from `start` to `end` (inclusive) of an open file. The file is closed after the last byte, or when the
 * reader stops early, even before its first read, which a generator would not notice.
 */
export function readRange(
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
