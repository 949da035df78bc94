import { open, readFile } from 'node:fs/promises'
import { HeadObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { md5 } from './s3-client.ts'
import type { ObjectHeaders } from './s3-headers.ts'

export interface ObjectPlace {
  Bucket: string
  Key: string
}

interface Staged {
  path: string
  bytes: number
  sha256: string
}

type PutParams = ObjectPlace & ObjectHeaders & { ContentLength: number; Metadata: Record<string, string> }

/** One request takes up to this, more goes in parts of it; two parts of an upload are in memory at once. */
const partBytes = 8_388_608
const partsAtOnce = 2

/** Puts a file there, whole or not at all, and returns when the service has told that it holds these very bytes. */
export async function uploadFile(client: S3Client, place: ObjectPlace, headers: ObjectHeaders, staged: Staged) {
  const { path, bytes, sha256 } = staged
  const params = { ...place, ...headers, ContentLength: bytes, Metadata: { sha256 } }
  const isProven = bytes <= partBytes ? await putWhole(client, params, path) : await putInParts(client, params, path)
  if (isProven) return
  const { ContentLength, Metadata } = await client.send(new HeadObjectCommand(place))
  if (ContentLength !== bytes || Metadata?.sha256 !== sha256)
    throw new Error(`the storage took ${place.Key}, and has something else there`)
}

async function putWhole(client: S3Client, params: PutParams, path: string): Promise<boolean> {
  const Body = await readFile(path)
  const { ETag } = await client.send(new PutObjectCommand({ ...params, Body }))
  // The tag of an object that came in one piece is its MD5, unless the service encrypts with keys of its own.
  return ETag?.replaceAll('"', '') === md5(Body).toString('hex')
}

async function putInParts(client: S3Client, params: PutParams, path: string): Promise<false> {
  const file = await open(path)
  try {
    const Body = file.createReadStream({ highWaterMark: 1_048_576, autoClose: false })
    const options = { client, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false }
    await new Upload({ ...options, params: { ...params, Body } }).done()
  } catch (error) {
    // So is answered who asks again for what was done, and whose answer was lost. It is looked at now anyway.
    if (!(error instanceof S3ServiceException && error.name === 'NoSuchUpload')) throw error
  } finally {
    await file.close()
  }
  return false
}
