import { open, readFile } from 'node:fs/promises'
import { HeadObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { md5 } from './s3-client.ts'
import type { ObjectHeaders } from './s3-headers.ts'

export interface ObjectLocation {
  Bucket: string
  Key: string
}

interface Staged {
  path: string
  bytes: number
  sha256: string
}

type PutParams = ObjectLocation & ObjectHeaders & { ContentLength: number; Metadata: Record<string, string> }

/** The most bytes of one request. Larger files are uploaded in parts of this size, two of them in memory at the same time. */
const partBytes = 8_388_608
const partsAtOnce = 2

/** Uploads a file completely or not at all, and returns when the service has confirmed these bytes. */
export async function uploadFile(client: S3Client, location: ObjectLocation, headers: ObjectHeaders, staged: Staged) {
  const { path, bytes, sha256 } = staged
  const params = { ...location, ...headers, ContentLength: bytes, Metadata: { sha256 } }
  const isProven = bytes <= partBytes ? await putWhole(client, params, path) : await putInParts(client, params, path)
  if (isProven) return
  const { ContentLength, Metadata } = await client.send(new HeadObjectCommand(location))
  if (ContentLength !== bytes || Metadata?.sha256 !== sha256)
    throw new Error(`the storage has other bytes at ${location.Key} than were uploaded`)
}

async function putWhole(client: S3Client, params: PutParams, path: string): Promise<boolean> {
  const Body = await readFile(path)
  const { ETag } = await client.send(new PutObjectCommand({ ...params, Body }))
  // The ETag of an object from one request is its MD5, unless the service encrypts with its keys.
  return ETag?.replaceAll('"', '') === md5(Body).toString('hex')
}

async function putInParts(client: S3Client, params: PutParams, path: string): Promise<false> {
  const file = await open(path)
  try {
    const Body = file.createReadStream({ highWaterMark: 1_048_576, autoClose: false })
    const options = { client, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false }
    await new Upload({ ...options, params: { ...params, Body } }).done()
  } catch (error) {
    // The response to a retry after a lost response. The object is checked below in any case.
    if (!(error instanceof S3ServiceException && error.name === 'NoSuchUpload')) throw error
  } finally {
    await file.close()
  }
  return false
}
