/** Documents that never change while the service runs. Each is hashed and compressed once, and all of its responses share the bytes. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type StaticFile, staticFile } from './static-file.ts'

/** 11 ms of CPU for the OpenAPI document. The next quality takes six times as long, and saves 6 %. */
const brotliQuality = 9

/** Returns the file of a source, and makes it for the first request of each source. After an error, the next request tries again. */
export function createDocument<Source>(
  mediaType: string,
  bytesOf: (source: Source) => Promise<Buffer> | Buffer,
): (source: Source) => Promise<StaticFile> {
  let made: { source: Source; file: Promise<StaticFile> } | undefined
  return (source) => {
    if (made && made.source === source) return made.file
    const file = compressed(mediaType, bytesOf, source)
    const current = { source, file }
    made = current
    file.catch(() => {
      if (made === current) made = undefined
    })
    return file
  }
}

async function compressed<Source>(
  mediaType: string,
  bytesOf: (source: Source) => Promise<Buffer> | Buffer,
  source: Source,
): Promise<StaticFile> {
  const bytes = await bytesOf(source)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes),
  ])
  const isSmaller = (each: Buffer) => each.length < bytes.length
  return staticFile(mediaType, bytes, { br: isSmaller(br) ? br : undefined, gzip: isSmaller(gz) ? gz : undefined })
}

/** A value as JSON. */
export function createJsonDocument<Source>(read: (source: Source) => unknown) {
  return createDocument<Source>('application/json; charset=utf-8', (source) =>
    Buffer.from(JSON.stringify(read(source))),
  )
}
