/** Decodes bodies that are compressed although the request did not accept that. */
import { promisify } from 'node:util'
import { brotliDecompress, inflate, unzip } from 'node:zlib'
import { BodyTooLarge } from './received.ts'

const decoders = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
}

/** Throws `BodyTooLarge` as soon as the result exceeds the limit, and an Error for invalid data. */
export async function decode(body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  if (!Object.hasOwn(decoders, name)) throw new Error('the content encoding is not known')
  try {
    return await decoders[name as keyof typeof decoders](body, { maxOutputLength: bytesMax })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLarge()
    throw error
  }
}
