/** Removal of blobs whose row is gone. */
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { BlobStore } from '../../domain/images/image.ts'

/** Removes the bytes, then the note of their removal. The note stays if the bytes can't be removed. */
export async function deleteOrphanedBlob(
  key: string,
  blobs: Pick<BlobStore, 'remove'>,
  removals: Pick<BlobRemovalStore, 'done'>,
): Promise<void> {
  await blobs.remove(key)
  await removals.done(key)
}

/** Removes the bytes right after their row. If that fails, the note remains: the sweep tries again, and logs its errors. */
export async function tryDeleteOrphanedBlob(
  key: string,
  blobs: Pick<BlobStore, 'remove'>,
  removals: Pick<BlobRemovalStore, 'done'>,
): Promise<void> {
  await deleteOrphanedBlob(key, blobs, removals).catch(() => undefined)
}
