import assert from 'node:assert/strict'
import { systemClock } from '../../src/domain/clock.ts'
import type { BlobStore } from '../../src/domain/images/image.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { ownerById } from '../../src/worker/jobs/blobs.ts'
import { createSweep } from '../../src/worker/jobs/sweep.ts'
import { retentionOf } from '../harness/retention.ts'

/** Runs a sweep after the grace period of blobs. Idempotency keys stay, so that requests can still be repeated. */
export async function sweepAll(
  database: Database,
  blobs: BlobStore,
  further: Pick<Parameters<typeof createSweep>[0], 'cancelOrphanedCalls'> = {},
): Promise<void> {
  const { stores } = database
  // By then, the jobs of the last sweep started seven hours ago.
  sweeps += 1
  const now = systemClock.now() + sweeps * 7 * 3_600_000
  const sweep = createSweep({
    blobs,
    removals: stores.blobRemovals,
    backgroundJobs: stores.backgroundJobs,
    retention: retentionOf({ ...database, clock: { now: () => now } }, { except: ['idempotency-keys'] }),
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
