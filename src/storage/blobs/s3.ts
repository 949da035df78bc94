/**
 * Blobs as objects of an S3-compatible service: `<prefix><key>`, with the headers that a browser needs, so that the
 * bucket can serve images by itself. A staged blob is in a local file, and becomes an object in one step at its commit.
 */
import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { blobKeyPattern } from '../../domain/blob-key.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import { BlobMissing, type BlobStore, type StoredBytes } from '../../domain/images/image.ts'
import { limits } from '../../limits.ts'
import { isMissing } from './files.ts'
import { factsOf } from './hash.ts'
import { createClient, type S3Service } from './s3-client.ts'
import { headersOf } from './s3-headers.ts'
import { type ObjectRange, readObject } from './s3-read.ts'
import { type PutParams, uploadBytes, uploadFile } from './s3-upload.ts'
import { openScratch } from './scratch.ts'
import { stageFile } from './stage-file.ts'

export type S3Options = Pick<S3Service, 'endpoint' | 'region' | 'credentials' | 'forcePathStyle'> & {
  bucket: string
  /** The prefix of each key: empty, or `path/of/it/`. */
  prefix: string
  /** A local folder for staged uploads. */
  scratchDir: string
  clock?: Clock
  /** The most bytes of one request for an entire blob. Larger blobs take several requests. */
  readBytes?: number
  /** The most bytes of one request for a reader that may be slow. */
  openBytes?: number
} & Partial<Omit<S3Service, 'endpoint' | 'region' | 'credentials' | 'forcePathStyle'>>

const pieceBytes = 262_144

/** Sends no request yet. Other processes may use the bucket at the same time. */
export function createS3Blobs({
  bucket,
  prefix,
  scratchDir,
  clock = systemClock,
  readBytes = 8_388_608,
  openBytes = 1_048_576,
  ...service
}: S3Options): BlobStore {
  const bounds = {
    connectSeconds: limits.s3ConnectSeconds,
    idleSeconds: limits.s3IdleSeconds,
    requestSeconds: limits.s3RequestSeconds,
    attemptsMax: limits.s3AttemptsMax,
    socketsMax: limits.s3SocketsMax,
    ...service,
  }
  const client = createClient(bounds)
  const newScratchFile = openScratch(scratchDir, clock)
  let checking: Promise<void> | undefined

  const locationOf = (key: string) => {
    if (!blobKeyPattern.test(key)) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not the key of a blob`)
    return { Bucket: bucket, Key: `${prefix}${key}` }
  }

  const paramsOf = (key: string, { bytes, sha256 }: StoredBytes): PutParams => ({
    ...locationOf(key),
    ...headersOf(key),
    ContentLength: bytes,
    Metadata: { sha256 },
  })

  async function read(key: string, start: number, end: number, tag?: string): Promise<ObjectRange> {
    try {
      return await readObject(client, locationOf(key), { start, end, tag }, bounds)
    } catch (error) {
      throw error instanceof S3ServiceException && error.name === 'NoSuchKey' ? new BlobMissing(key) : error
    }
  }

  /** Continues after a first range, up to `end`. */
  async function* rangesFrom(key: string, first: ObjectRange, start: number, end: number, bytesEach: number) {
    yield first
    const last = Math.min(end, first.total - 1)
    for (let at = start + first.bytes.byteLength; at <= last; at += bytesEach)
      yield await read(key, at, Math.min(last, at + bytesEach - 1), first.tag)
  }

  async function* piecesFrom(key: string, first: ObjectRange, start: number, end: number): AsyncIterable<Uint8Array> {
    const isWhole = start === 0 && end >= first.total - 1
    const check = isWhole ? createHashCheck(key, first) : () => {}
    for await (const { bytes } of rangesFrom(key, first, start, end, openBytes)) {
      check(bytes)
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    }
  }

  async function exists(key: string): Promise<boolean> {
    try {
      await client.send(new HeadObjectCommand(locationOf(key)))
      return true
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return false
      throw error
    }
  }

  async function writeAndRemove(): Promise<void> {
    // No blob key has a dot there. All checks use one name, so a failure leaves at most one object.
    const location = { Bucket: bucket, Key: `${prefix}.check` }
    await client.send(new PutObjectCommand({ ...location, Body: new Uint8Array(1), ContentLength: 1 }))
    await client.send(new DeleteObjectCommand(location))
  }

  return {
    async put(key, bytes) {
      const facts = factsOf(bytes)
      await uploadBytes(client, paramsOf(key, facts), bytes)
      return facts
    },

    async stage(source, { bytesMax }) {
      const path = newScratchFile()
      return stageFile(path, source, bytesMax, async (key, facts) => {
        await uploadFile(client, paramsOf(key, facts), path)
        await unlink(path).catch((error) => {
          if (!isMissing(error)) throw error
        })
      })
    },

    async read(key) {
      const first = await read(key, 0, readBytes - 1)
      const check = createHashCheck(key, first)
      const all: Buffer[] = []
      for await (const { bytes } of rangesFrom(key, first, 0, first.total - 1, readBytes)) {
        check(bytes)
        all.push(bytes)
      }
      return all.length === 1 ? first.bytes : Buffer.concat(all)
    },

    async open(key, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const first = await read(key, start, Math.min(end, start + openBytes - 1))
      return piecesFrom(key, first, start, end)
    },

    async copy(key, to) {
      const { Bucket, Key } = locationOf(key)
      // With its headers, and the hash from when it was stored.
      const copy = new CopyObjectCommand({ ...locationOf(to), CopySource: `${Bucket}/${encodeURIComponent(Key)}` })
      try {
        await client.send(copy)
        return true
      } catch (error) {
        const hasNoBlob = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
        throw hasNoBlob ? new BlobMissing(key) : error
      }
    },

    async remove(key) {
      // The response to a deletion is the same for an object that never existed.
      const wasThere = await exists(key)
      await client.send(new DeleteObjectCommand(locationOf(key)))
      return wasThere
    },

    async *list() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        // A response of another kind would look like an empty list.
        if (page.Name !== bucket) throw new Error(`the storage did not list the bucket ${bucket}`)
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const key = Key.slice(prefix.length)
          if (LastModified && blobKeyPattern.test(key)) yield { key, modifiedAt: LastModified.getTime() }
        }
      }
    },

    async check() {
      // Checks at the same time share one result, so that many health checks don't cause many writes.
      checking ??= writeAndRemove().finally(() => {
        checking = undefined
      })
      await checking
    },
  }
}

/** Passes an object on range by range, and throws at the last one if the bytes are not those that were stored. */
function createHashCheck(key: string, { total, sha256 }: ObjectRange): (bytes: Buffer) => void {
  const hash = createHash('sha256')
  let length = 0
  return (bytes) => {
    hash.update(bytes)
    length += bytes.byteLength
    if (length === total && sha256 !== undefined && hash.digest('hex') !== sha256)
      throw new Error(`the storage returned other bytes for ${key} than were stored`)
  }
}
