import { open, readFile } from 'node:fs/promises'
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
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

/** One request takes up to this, more goes in parts of it; two parts of an upload are in memory at once. */
export const partBytes = 8_388_608
const partsAtOnce = 2

/** Puts a file there, whole or not at all, and returns when the service has told that it holds these very bytes. */
export async function uploadFile(client: S3Client, place: ObjectPlace, headers: ObjectHeaders, staged: Staged) {
  const { path, bytes, sha256 } = staged
  const params = { ...place, ...headers, Metadata: { sha256 } }
  if (bytes <= partBytes) {
    const Body = await readFile(path)
    const { ETag } = await client.send(new PutObjectCommand({ ...params, Body, ContentLength: bytes }))
    // The tag of an object that came in one piece is its MD5, unless the service encrypts with keys of its own.
    if (ETag?.replaceAll('"', '') === md5(Body).toString('hex')) return
  } else {
    const file = await open(path)
    try {
      const Body = file.createReadStream({ highWaterMark: 1_048_576, autoClose: false })
      const options = { client, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false }
      await new Upload({ ...options, params: { ...params, Body, ContentLength: bytes } }).done()
    } finally {
      await file.close()
    }
  }
  const { ContentLength, Metadata } = await client.send(new HeadObjectCommand(place))
  if (ContentLength !== bytes || Metadata?.sha256 !== sha256)
    throw new Error(`the storage took ${place.Key} and does not have it: ${ContentLength} bytes of ${bytes}`)
}
