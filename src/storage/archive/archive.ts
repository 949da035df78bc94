/**
 * An archive is a tar file, plain, or compressed by gzip or zstd, written and read as a stream:
 *
 *     manifest.json                     the format, and the release that wrote it
 *     blobs/<key>                       the bytes of images, fonts and results of AI models ...
 *     blobs/00001.sha256                ... and after each 256 of them their hashes, for `sha256sum --check`
 *     records/<table>-00001.ndjson      one row for each line, in an order that references allow
 *     checks.json                       counts and hashes of everything above
 *
 * The records come after the bytes, so that a record that was deleted during the export is omitted with its bytes.
 */
import { createHash, type Hash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { refusal } from '../../errors.ts'

/** Increased when older releases cannot read the format of a newer one. */
export const formatVersion = 1
export const manifestName = 'manifest.json'
export const checksName = 'checks.json'

export interface Manifest {
  format: 'tintype-archive'
  formatVersion: number
  /** The version of the service that wrote it. */
  version: string
  engine: string
  createdAt: string
  /** The migrations that made its tables, in order. */
  migrations: string[]
}

/** Counts and hashes. */
export interface Checks {
  manifest: string
  /** Sums by table. */
  blobs: Record<string, BlobSums>
  /** Number of rows, and the hash of all lines, by table. */
  records: Record<string, { rows: number; sha256: string }>
  /** Hash by file of records. */
  files: Record<string, string>
}

export interface BlobSums {
  count: number
  bytes: number
  /** The hash of one line for each blob: see blob-facts.ts. */
  sha256: string
  /** The hash of the blob keys, for records that contain only the keys of their blobs. */
  keysSha256?: string
}

export const compressions = ['none', 'gzip', 'zstd'] as const
export type Compression = (typeof compressions)[number]

export function sha256(): Hash {
  return createHash('sha256')
}

/** The part of tar-stream that we use. Its published types don't fit the types of Node's streams. */
interface Pack extends Readable {
  entry(
    header: { name: string; size: number; mode: number; mtime: Date },
    done: (error?: Error | null) => void,
  ): Writable
  finalize(): void
}
interface Extract extends Writable {
  [Symbol.asyncIterator](): AsyncIterator<Entry, undefined>
}
interface Entry extends AsyncIterable<Uint8Array> {
  header: { name: string; size?: number; type?: string }
}

export interface ArchiveWriter {
  /** Throws if the content does not have this size; the archive is then useless. */
  add(name: string, bytes: number, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
}

/** Streams the entries that `work` adds to `out`. Throws the first error, of the work or of writing. */
export async function writeArchive<Result>(
  out: Writable,
  compression: Compression,
  modifiedAt: Date,
  work: (writer: ArchiveWriter) => Promise<Result>,
): Promise<Result> {
  const tar = pack() as unknown as Pack
  const through = compression === 'none' ? [] : [compression === 'gzip' ? createGzip() : createZstdCompress()]
  const outcome = pipeline([tar, ...through, out]).then(
    () => undefined,
    (error: unknown) => error,
  )

  async function add(name: string, bytes: number, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    const done = Promise.withResolvers<void>()
    // `done`, which is awaited at the end, reports a failure.
    done.promise.catch(() => {})
    const entry = tar.entry({ name, size: bytes, mode: 0o600, mtime: modifiedAt }, (error) =>
      error ? done.reject(error) : done.resolve(),
    )
    entry.on('error', () => {})
    for await (const chunk of content) {
      if (entry.write(chunk)) continue
      const { promise: room, resolve } = Promise.withResolvers<void>()
      entry.once('drain', resolve)
      await Promise.race([room, done.promise])
    }
    entry.end()
    await done.promise
  }

  try {
    const result = await work({ add })
    tar.finalize()
    const error = await outcome
    if (error !== undefined) throw error
    return result
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)))
    throw (await outcome) ?? error
  }
}

export interface ArchiveEntry {
  name: string
  bytes: number
  content: AsyncIterable<Uint8Array>
}

/** The entries in their order. Read each to its end before the next one. Throws `damaged` if the archive is cut or broken. */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry, void> {
  const tar = extract() as unknown as Extract
  let last = ''
  const unreadable = (error: unknown) =>
    damaged(last === '' ? 'it is not an archive of Tintype' : `after ${last}`, error)
  const iterator = tar[Symbol.asyncIterator]()
  const bytes = Readable.from(decompressed(source), { objectMode: false })
  const pumping = pipeline(bytes, tar).then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    for (;;) {
      const { value: entry, done } = await iterator.next().catch(async (error) => {
        throw unreadable((await pumping) ?? error)
      })
      if (done) return
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw damaged(`${name} is not a file`)
      let read = 0
      const content = async function* () {
        try {
          for await (const chunk of entry) {
            read += chunk.byteLength
            yield chunk
          }
        } catch (error) {
          throw damaged(`within ${name}`, (await pumping) ?? error)
        }
        if (read !== size) throw damaged(`within ${name}: it has ${read} of ${size} bytes`)
      }
      yield { name, bytes: size, content: content() }
      if (read !== size) throw new Error(`${name} was not read completely`)
      last = name
    }
  } finally {
    bytes.destroy()
    tar.destroy()
    await pumping
  }
}

/** The error of an archive that is not as it was written. */
export function damaged(where: string, cause?: unknown): Error {
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  return refusal(`The archive is corrupt: ${where}${why}. Export it again.`, { cause })
}

/** Detects the compression from the first bytes, because standard input has no file name. */
async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const iterator = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.byteLength < 4) {
    const { value, done } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  async function* fromStart() {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  const through = decompressorOf(head)
  if (through === undefined) {
    yield* fromStart()
    return
  }
  const from = Readable.from(fromStart(), { objectMode: false })
  // The reader of `through` gets its error.
  pipeline(from, through).catch(() => {})
  yield* through
}

function decompressorOf(head: Buffer) {
  if (head.byteLength < 4) return undefined
  if (head.readUInt16BE(0) === 0x1f8b) return createGunzip()
  if (head.readUInt32BE(0) === 0x28b52ffd) return createZstdDecompress()
  return undefined
}
