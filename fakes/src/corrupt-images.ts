/** Responses with corrupt images, and everything else intact. */
import { crc32 } from 'node:zlib'
import type { FakeResponse } from './responses.ts'

type Corrupt = (image: Buffer) => Buffer

/** Damages images in a response, as files, or as base64 anywhere in JSON. */
export async function withCorruptImages(
  response: FakeResponse & { body: Buffer },
  corrupt: Corrupt,
): Promise<FakeResponse> {
  if (!(response.type ?? '').includes('json')) return { ...response, body: corrupt(response.body) }
  return { ...response, body: JSON.stringify(corruptStrings(JSON.parse(response.body.toString()), corrupt)) }
}

/**
 * An image with a correct header and damaged data that each decoder detects: in most other places, changed bytes of a
 * JPEG only change pixels.
 */
export function corrupted(image: Buffer): Buffer {
  const half = image.byteLength >> 1
  if (image[0] === 0xff) return image.subarray(0, half)
  return Buffer.from(image).fill(Buffer.from([0xff, 0xd8]), half)
}

/** A PNG that says it is 60,000 pixels wide and high. */
export function bomb(): Buffer {
  const head = Buffer.from([...Buffer.from('IHDR'), 0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 6, 0, 0, 0])
  const data = Buffer.from('IDAT')
  const chunk = (content: Buffer) => {
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(content.byteLength - 4, 0)
    ends.writeUInt32BE(crc32(content), 4)
    return [ends.subarray(0, 4), content, ends.subarray(4)]
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, ...chunk(head), ...chunk(data), ...chunk(Buffer.from('IEND'))])
}

function corruptStrings(value: unknown, corrupt: Corrupt): unknown {
  if (typeof value === 'string') return corruptText(value, corrupt)
  if (Array.isArray(value)) return value.map((inner) => corruptStrings(inner, corrupt))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, corruptStrings(inner, corrupt)]))
  return value
}

function corruptText(text: string, corrupt: Corrupt): string {
  // The first bytes of PNG, JPEG and WebP in base64.
  const [, prefix = '', base64] = /^(data:[^,]*,)?((?:iVBOR|\/9j\/|UklGR).+)$/s.exec(text) ?? []
  return base64 === undefined ? text : `${prefix}${corrupt(Buffer.from(base64, 'base64')).toString('base64')}`
}
