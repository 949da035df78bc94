/** Checks the EXIF of a WebP, and counts its frames: to read its header, libwebp searches each frame from the start of the file. */
import { limits } from '../../../limits.ts'
import { tooManyFrames } from '../size.ts'
import { checkExif, exifBytesRead } from './exif.ts'
import type { Reader } from './reader.ts'

/** RIFF: a header of 12 bytes, then chunks of a type, a length, and data that end at an even position. */
export async function walkWebp(read: Reader): Promise<void> {
  let frames = 0
  for (let at = 12; at + 8 <= read.size; ) {
    const bytes = read.bytes(at, 8)
    const head = bytes instanceof Promise ? await bytes : bytes
    const type = head.readUInt32BE(0)
    if (type === frame) frames += 1
    if (frames > limits.framesMax) throw tooManyFrames()
    const length = head.readUInt32LE(4)
    if (type === exif) checkExif(await read.bytes(at + 8, Math.min(length, exifBytesRead)))
    at += 8 + length + (length % 2)
  }
}

/** The type `ANMF`. */
const frame = 0x41_4e_4d_46
/** The type `EXIF`. */
const exif = 0x45_58_49_46
