/** PNG files without compression, the fastest form of pixels that the renderer reads. */
import { crc32, deflateSync } from 'node:zlib'
import type { JobImage } from './messages.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** PNG 3, 11: 8 bits per channel, RGBA, rows without filters. */
export function encodePng({ width, height, data }: Pick<JobImage, 'width' | 'height' | 'data'>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = Buffer.alloc((width * 4 + 1) * height)
  for (let y = 0; y < height; y += 1) data.copy(rows, y * (width * 4 + 1) + 1, y * width * 4, (y + 1) * width * 4)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND'),
  ])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const result = Buffer.alloc(typed.length + 8)
  result.writeUInt32BE(data.length, 0)
  typed.copy(result, 4)
  result.writeUInt32BE(crc32(typed), typed.length + 4)
  return result
}
