/** Whether files have their ends, which decoders of these formats don't need. */
import { chunksOf } from './png-chunks.ts'

/** Throws if the file ends inside a chunk. */
export function endsPng(png: Buffer): boolean {
  for (const { type } of chunksOf(png)) if (type === 'IEND') return true
  return false
}

/** GIF89a: header, then extensions and images, each a sequence of sub-blocks; the trailer is often missing. */
export function endsGif(gif: Buffer): boolean {
  let at = 13 + colorTableBytes(gif[10])
  while (at < gif.length) {
    const kind = gif[at]
    if (kind === trailer) return true
    if (kind === image) at += 11 + colorTableBytes(gif[at + 9])
    else if (kind === extension) at += 2
    else return false
    let length: number | undefined
    do {
      length = gif[at]
      if (length === undefined) return false
      at += 1 + length
    } while (length > 0)
  }
  return at === gif.length
}

const [image, extension, trailer] = [0x2c, 0x21, 0x3b]

function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}
