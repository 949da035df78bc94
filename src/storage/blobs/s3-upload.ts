import { open, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { HeadObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { md5 } from './s3-client.ts'
import type { ObjectHeaders } from './s3-headers.ts'

export interface ObjectLocation {
  Bucket: string
  Key: string
}

/** `Metadata` has the hash. */
export type PutParams = ObjectLocation & ObjectHeaders & { ContentLength: number; Metadata: { sha256: string } }

/** The most bytes of one request. More are uploaded in parts of this size, two of them in memory at the same time. */
const partBytes = 8_388_608
const partsAtOnce = 2

/** Uploads a file completely or not at all, and returns when the service has confirmed these bytes. */
export async function uploadFile(client: S3Client, params: PutParams, path: string): Promise<void> {
  if (params.ContentLength <= partBytes) return putWhole(client, params, await readFile(path))
  const file = await open(path)
  try {
    await putInParts(client, params, file.createReadStream({ highWaterMark: 1_048_576, autoClose: false }))
  } finally {
    await file.close()
  }
}

/** Like `uploadFile`, for bytes in memory. */
export function uploadBytes(client: S3Client, params: PutParams, bytes: Buffer): Promise<void> {
  return params.ContentLength <= partBytes ? putWhole(client, params, bytes) : putInParts(client, params, bytes)
}

async function putWhole(client: S3Client, params: PutParams, Body: Buffer): Promise<void> {
  const { ETag } = await client.send(new PutObjectCommand({ ...params, Body }))
  // The ETag of an object from one request is its MD5, unless the service encrypts with its keys.
  if (ETag?.replaceAll('"', '') !== md5(Body).toString('hex')) await confirm(client, params)
}

async function putInParts(client: S3Client, params: PutParams, Body: Buffer | Readable): Promise<void> {
  try {
    const options = { client, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false }
    await new Upload({ ...options, params: { ...params, Body } }).done()
  } catch (error) {
    // The response to a retry after a lost response. The object is checked below in any case.
    if (!(error instanceof S3ServiceException && error.name === 'NoSuchUpload')) throw error
  }
  await confirm(client, params)
}

async function confirm(client: S3Client, { Bucket, Key, ContentLength: bytes, Metadata: { sha256 } }: PutParams) {
  const { ContentLength, Metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }))
  if (ContentLength !== bytes || Metadata?.sha256 !== sha256)
    throw new Error(`the storage has other bytes at ${Key} than were uploaded`)
}
