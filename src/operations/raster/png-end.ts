import type { FileHandle } from 'node:fs/promises'

/** Whether the chunks of a PNG lead to its IEND, whole: a decoder has all pixels before it and does not ask. */
export async function isPngComplete(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  const head = Buffer.alloc(8)
  let at = 8
  while (at + 12 <= size) {
    await handle.read(head, 0, 8, at)
    if (head.toString('latin1', 4, 8) === 'IEND') return true
    // length, type, data, checksum
    at += 12 + head.readUInt32BE(0)
  }
  return false
}
