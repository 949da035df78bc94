import assert from 'node:assert/strict'
import { systemClock } from '../../src/domain/clock.ts'
import type { BlobStore } from '../../src/domain/image.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { createSweep, ownerById } from '../../src/worker/jobs/sweep.ts'

/** What a sweep does once the grace of blobs is over. Keys of requests are left, so that they can still be asked about. */
export async function sweepAll(
  { stores }: Database,
  blobs: BlobStore,
  further: Pick<Parameters<typeof createSweep>[0], 'cancelOrphanedCalls'> = {},
): Promise<void> {
  // By then, the jobs of the last sweep started seven hours ago.
  sweeps += 1
  const now = systemClock.now() + sweeps * 7 * 3_600_000
  const sweep = createSweep({
    blobs,
    removals: stores.blobRemovals,
    backgroundJobs: stores.backgroundJobs,
    idempotency: { ...stores.idempotency, sweep: async () => 0 },
    owners: {
      img: ownerById(stores.images.existing),
      font: ownerById(stores.fonts.existing),
      step: stores.stepResults.existing,
      call: stores.providerCalls.existing,
    },
    clock: { now: () => now },
    ...further,
    onError: (error) => assert.fail(String(error)),
  })
  await sweep.run()
}

let sweeps = 0
