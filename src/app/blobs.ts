/** Composition of the blob storage. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { BlobStore } from '../domain/images/image.ts'
import { DependencyUnavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { createFsBlobs } from '../storage/blobs/fs.ts'

export async function openBlobs({ dataDir, storageUrl }: Pick<Config, 'dataDir' | 'storageUrl'>): Promise<BlobStore> {
  if (storageUrl?.kind !== 's3') return createFsBlobs({ dir: storageUrl?.dir ?? join(dataDir, 'blobs') })
  // Its SDK takes a while to load, so only a bucket loads it.
  const { createS3Blobs } = await import('../storage/blobs/s3.ts')
  return createS3Blobs({ ...storageUrl, scratchDir: join(dataDir, 'tmp') })
}

const againMs = 1_000

/** Waits for storage that is still starting, for a bounded time. Throws an error that names the storage and its setting. */
export async function waitForBlobs(
  blobs: Pick<BlobStore, 'check'>,
  config: Pick<Config, 'dataDir' | 'storageUrl'>,
  onWait: (problem: string) => void,
  withinMs: number = limits.storageStartSeconds * 1_000,
): Promise<void> {
  const startMs = monotonicMs()
  for (;;) {
    try {
      return await blobs.check()
    } catch (error) {
      const problem = problemOf(error, config)
      if (!(error instanceof DependencyUnavailable) || elapsedSince(startMs) > withinMs)
        throw new Error(problem, { cause: error })
      onWait(problem)
      await pause(againMs)
    }
  }
}

function problemOf(error: unknown, { dataDir, storageUrl }: Pick<Config, 'dataDir' | 'storageUrl'>): string {
  const why = error instanceof Error ? error.message : String(error)
  if (storageUrl?.kind !== 's3') {
    const folder = storageUrl === undefined ? `${join(dataDir, 'blobs')} (DATA_DIR)` : `${storageUrl.dir} (STORAGE_URL)`
    return `The folder ${folder} can't be written: ${why}. Correct its permissions or the setting.`
  }
  const { endpoint = 'AWS', bucket } = storageUrl
  if (error instanceof DependencyUnavailable) {
    return `The S3 storage at ${endpoint} (STORAGE_URL) can't be reached: ${why}. Start it or correct STORAGE_URL.`
  }
  return `The bucket ${bucket} of the S3 storage at ${endpoint} (STORAGE_URL) can't be written: ${why}. Create the bucket, or correct STORAGE_URL or the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`
}
