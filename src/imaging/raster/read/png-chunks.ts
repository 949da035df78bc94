/** Chunks of a PNG (W3C PNG, Third Edition, 5.3): length, type, data, and a checksum of type and data. */
import { crc32 } from 'node:zlib'
import { failure } from '../../../errors.ts'

export interface Chunk {
  type: string
  data: Buffer
  /** Byte range of the chunk in the file, including length and checksum. */
  start: number
  end: number
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Chunks up to IEND, or to `end`. Throws if the file ends inside a chunk; `checkSum` verifies checksums. */
export function* chunksOf(png: Buffer, start = pngSignature.length, end = png.length): Generator<Chunk> {
  for (let at = start; at < end; ) {
    const dataEnd = at + 12 <= png.length ? at + 8 + png.readUInt32BE(at) : Number.POSITIVE_INFINITY
    if (dataEnd + 4 > png.length) throw damaged()
    const type = png.toString('latin1', at + 4, at + 8)
    yield { type, data: png.subarray(at + 8, dataEnd), start: at, end: dataEnd + 4 }
    if (type === 'IEND') return
    at = dataEnd + 4
  }
}

export function checkSum(png: Buffer, { start, end }: Chunk): void {
  if (crc32(png.subarray(start + 4, end - 4)) !== png.readUInt32BE(end - 4)) throw damaged()
}

/** The bytes of a chunk; its data may consist of several parts, which are not joined first. */
export function chunk(type: string, ...data: Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(8), ...data, Buffer.alloc(4)])
  bytes.writeUInt32BE(bytes.length - 12, 0)
  bytes.write(type, 4, 'latin1')
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4)
  return bytes
}

function damaged() {
  return failure('input_invalid', 'The PNG is corrupt or truncated. Export it again and upload it.')
}
