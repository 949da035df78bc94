/** Converts images of the bin to response bodies. */
import { testField } from '../../../domain/accounts/twin.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { BinnedImage } from '../../../domain/images/bin.ts'
import { removedAt } from '../../../services/images/bin.ts'

export function binnedItem(image: BinnedImage) {
  const { id, name, size, projectId, createdAt, binnedAt } = image
  return {
    id,
    name,
    size,
    ...(projectId === null ? {} : { projectId }),
    createdAt: timestamp(createdAt),
    binnedAt: timestamp(binnedAt),
    removedAt: timestamp(removedAt(image)),
    ...testField(image.accountId),
  }
}
