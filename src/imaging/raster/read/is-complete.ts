/**
 * Detects truncated files. Decoders stop when they have all pixels, or (GIF) accept the frames that exist, without an
 * error; so this walks the blocks of the file.
 */
import type { FileHandle } from 'node:fs/promises'
import type { ImageFormat } from '../../../domain/image.ts'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'

export async function reachesItsEnd(handle: FileHandle, format: ImageFormat): Promise<boolean> {
  const { size } = await handle.stat()
  if (format === 'png') return walkPng(reader(handle), size)
  if (format === 'gif') return walkGif(reader(handle), size)
  return true
}

/** Whether a PNG has the chunk that makes it an animation; it precedes the image. */
export async function hasAnimationControl(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  for await (const { type } of pngChunks(reader(handle), size)) {
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}

async function walkPng(read: Reader, size: number): Promise<boolean> {
  for await (const { type, end } of pngChunks(read, size)) if (type === 'IEND') return end <= size
  return false
}

/**
 * PNG 5.3: length, type, data, checksum. The number of chunks is limited: an untrusted file may contain millions of
 * empty ones.
 */
async function* pngChunks(read: Reader, size: number): AsyncGenerator<{ type: string; end: number }> {
  let count = 0
  for (let at = 8; at + 12 <= size; ) {
    count += 1
    if (count > limits.pngChunksMax) {
      throw failure(
        'limit_exceeded',
        `The PNG has more than ${limits.pngChunksMax} chunks, the maximum. Export it again.`,
      )
    }
    const head = await read.bytes(at, 8)
    at += 12 + head.readUInt32BE(0)
    yield { type: head.toString('latin1', 4), end: at }
  }
}

/** GIF89a: header, then extensions and images, each a sequence of sub-blocks; the trailer is often missing. */
async function walkGif(read: Reader, size: number): Promise<boolean> {
  let at = 13 + colorTableBytes(await read.byte(10))
  while (at < size) {
    const kind = await read.byte(at)
    if (kind === trailer) return true
    if (kind === image) at += 11 + colorTableBytes(await read.byte(at + 9))
    else if (kind === extension) at += 2
    else return false
    for (;;) {
      if (at >= size) return false
      const next = read.byte(at)
      // There may be millions of blocks of one byte: no promise for bytes that are already read.
      const length = typeof next === 'number' ? next : await next
      at += 1 + length
      if (length === 0) break
    }
  }
  return at === size
}

const [image, extension, trailer] = [0x2c, 0x21, 0x3b]

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

interface Reader {
  /** The byte at a position; 0 after the end. */
  byte(at: number): Promise<number> | number
  /** Until the next read; the bytes must lie before the end. */
  bytes(at: number, count: number): Promise<Buffer>
}

/** Reads forward through a window, so that a walk needs few system calls. */
function reader(handle: FileHandle): Reader {
  const window = Buffer.alloc(65_536)
  let [start, length] = [0, 0]
  const holds = (at: number, count: number) => at >= start && at + count <= start + length
  const load = async (at: number) => {
    const { bytesRead } = await handle.read(window, 0, window.length, at)
    ;[start, length] = [at, bytesRead]
  }
  return {
    byte(at) {
      if (holds(at, 1)) return window[at - start] ?? 0
      return load(at).then(() => (length > 0 ? (window[0] ?? 0) : 0))
    },
    async bytes(at, count) {
      if (!holds(at, count)) await load(at)
      return window.subarray(at - start, at - start + count)
    },
  }
}
