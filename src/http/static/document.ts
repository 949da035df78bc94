/** Documents that never change while the service runs. Each is made once, and all of its responses share the bytes. */
import { type StaticFile, staticFile } from './static-file.ts'

/** Returns the file of a source, and makes it for the first request of each source. After an error, the next request tries again. */
export function createDocument<Source>(
  mediaType: string,
  bytesOf: (source: Source) => Promise<Buffer> | Buffer,
): (source: Source) => Promise<StaticFile> {
  let made: { source: Source; file: Promise<StaticFile> } | undefined
  return (source) => {
    if (made && made.source === source) return made.file
    const file = Promise.try(bytesOf, source).then((bytes) => staticFile(mediaType, bytes))
    const current = { source, file }
    made = current
    file.catch(() => {
      if (made === current) made = undefined
    })
    return file
  }
}

/** A value as JSON. */
export function createJsonDocument<Source>(read: (source: Source) => unknown) {
  return createDocument<Source>('application/json; charset=utf-8', (source) =>
    Buffer.from(JSON.stringify(read(source))),
  )
}
