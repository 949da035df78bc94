/**
 * Checks EXIF before the decoder reads it, together with the header of the file. Its directories refer to others, also to themselves. The
 * decoder reads each of them again for each reference, as long as it has found no value there.
 */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'

/** The decoder reads no more. */
export const exifBytesRead = 65_536

/** References to the directories of the camera, of the place and of interoperability (EXIF 2.32, 4.6.3). */
const references = new Set([0x8769, 0x8825, 0xa005])
const entryBytes = 12

/** Throws `limit_exceeded` for directories that refer to one another. The data may begin with the header that they have in a JPEG. */
export function checkExif(data: Buffer): void {
  const start = data.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  const tiff = data.subarray(start, exifBytesRead)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const first = read32(4)
  const waiting = [first]
  let directories = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at + 2 > tiff.length) continue
    directories += 1
    if (directories > limits.exifDirectoriesMax) throw tooManyDirectories()
    const end = at + 2 + read16(at) * entryBytes
    for (let entry = at + 2; entry < end && entry + entryBytes <= tiff.length; entry += entryBytes) {
      if (references.has(read16(entry))) waiting.push(read32(entry + 8))
    }
    // The one of the thumbnail follows the first.
    if (at === first && directories === 1 && end + 4 <= tiff.length) waiting.push(read32(end))
  }
}

function tooManyDirectories() {
  return failure(
    'limit_exceeded',
    `The EXIF metadata of the image has more than ${limits.exifDirectoriesMax} directories, the maximum. Export the image again without its metadata.`,
  )
}
