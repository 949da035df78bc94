import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { ObjectLocation } from './s3-upload.ts'

/** Part of an object, in memory. */
export interface ObjectRange {
  bytes: Buffer
  /** The size of the object in bytes. */
  total: number
  /** The ETag: identifies this version of the object. */
  tag: string | undefined
  /** The hash of the entire object that was stored with it; `undefined` if another program stored the object. */
  sha256: string | undefined
}

interface RequestedRange {
  start: number
  /** Inclusive. Past the end of the object, its end. */
  end: number
  /** The version of an earlier range. */
  tag?: string | undefined
}

export interface ReadBounds {
  requestSeconds: number
  attemptsMax: number
}

/**
 * Reads a range. It closes its connection, however slowly its bytes are used. A body that stalls, ends early or
 * differs from its headers is requested again: the SDK retries only up to the headers.
 */
export async function readObject(
  client: S3Client,
  location: ObjectLocation,
  range: RequestedRange,
  { requestSeconds, attemptsMax }: ReadBounds,
): Promise<ObjectRange> {
  const { start, end, tag } = range
  for (let attempt = 1; ; attempt++) {
    const command = new GetObjectCommand({
      ...location,
      Range: `bytes=${start}-${end}`,
      ...(tag === undefined ? {} : { IfMatch: tag }),
    })
    try {
      const response = await client.send(command).catch(unlessEmpty)
      if (response === undefined) return { bytes: Buffer.alloc(0), total: start, tag, sha256: undefined }
      return await takeBody(response, range, location.Key, requestSeconds)
    } catch (error) {
      if (!(error instanceof BrokenBody) || attempt >= attemptsMax) throw error
      await sleep(100 * 2 ** attempt)
    }
  }
}

class BrokenBody extends Error {}

async function takeBody(
  { Body, ContentRange, ETag, Metadata }: GetObjectCommandOutput,
  { start, end }: RequestedRange,
  key: string,
  requestSeconds: number,
): Promise<ObjectRange> {
  if (!(Body instanceof Readable)) throw new Error(`the storage returned no body for ${key}`)
  const timer = setTimeout(() => {
    Body.destroy(new Error(`took more than ${requestSeconds} s`))
  }, requestSeconds * 1_000)
  try {
    const [, first, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? []).map(Number)
    if (first === undefined || last === undefined || total === undefined) throw new Error('no Content-Range')
    if (first !== start || last !== Math.min(end, total - 1))
      throw new Error(`the response has the range ${ContentRange}`)
    const bytes = Buffer.allocUnsafe(last - first + 1)
    let length = 0
    for await (const chunk of Body as AsyncIterable<Buffer>) {
      if (length + chunk.byteLength > bytes.byteLength) throw new Error('more bytes than announced')
      length += chunk.copy(bytes, length)
    }
    if (length < bytes.byteLength) throw new Error(`${length} bytes of ${bytes.byteLength}`)
    return { bytes, total, tag: ETag, sha256: Metadata?.sha256 }
  } catch (cause) {
    Body.destroy()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new BrokenBody(`the storage did not return all of ${key}: ${why}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the range starts at the end of the object, which is the response to every range of an empty object. */
function unlessEmpty(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return undefined
  throw error
}
