/** Bytes whose row is gone. */
import type { BlobRemovalStore } from '../domain/blob-removal.ts'
import type { BlobStore } from '../domain/image.ts'

/** Removes bytes and then the note that they are to go, which stays when the bytes cannot be removed. */
export async function deleteOrphanedBlob(key: string, blobs: BlobStore, removals: BlobRemovalStore): Promise<void> {
  await blobs.remove(key)
  await removals.done(key)
}

/** The same at once, for whoever has just taken the row away: what fails is left to the sweep. */
export async function tryDeleteOrphanedBlob(key: string, blobs: BlobStore, removals: BlobRemovalStore): Promise<void> {
  await deleteOrphanedBlob(key, blobs, removals).catch(() => undefined)
}
