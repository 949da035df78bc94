/** Walks the blocks of a GIF: counts its images, and detects a truncated file, which decoders accept. */
import { limits } from '../../../limits.ts'
import { tooManyFrames } from '../size.ts'
import type { Reader } from './reader.ts'

/**
 * GIF89a: header, then extensions and images, each a sequence of sub-blocks; the trailer is often missing. Returns whether the file is
 * complete. The decoder also stops at the first byte that starts no block. It returns a delay for each frame, of which an untrusted
 * file may contain millions.
 */
export async function walkGif(read: Reader): Promise<boolean> {
  const { size } = read
  let frames = 0
  let at = 13 + colorTableBytes(await read.byte(10))
  while (at < size) {
    const block = read.byte(at)
    const kind = typeof block === 'number' ? block : await block
    if (kind === trailer) return true
    if (kind === image) {
      frames += 1
      if (frames > limits.framesMax) throw tooManyFrames()
      at += 11 + colorTableBytes(await read.byte(at + 9))
    } else if (kind === extension) at += 2
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
