/** The part of the composition that keeps bytes. */
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { BlobStore } from './domain/image.ts'
import { createFsBlobs } from './storage/blobs/fs.ts'

export async function wireBlobs({ dataDir, storageUrl }: Pick<Config, 'dataDir' | 'storageUrl'>): Promise<BlobStore> {
  if (storageUrl?.kind !== 's3') return createFsBlobs({ dir: storageUrl?.dir ?? join(dataDir, 'blobs') })
  // Its SDK takes a while to load, and is only wanted where there is a bucket.
  const { createS3Blobs } = await import('./storage/blobs/s3.ts')
  return createS3Blobs({ ...storageUrl, scratchDir: join(dataDir, 'tmp') })
}
