/** Looks up the workflows of images before they are deleted. */
import { hasStatus } from '../../api/client.ts'
import type { ImageUses } from '../../api/images.ts'

export interface UsedImage extends ImageUses {
  id: string
}

const requestsAtATime = 4

/** Of these images, those that a workflow uses or may use. An image that no longer exists has no uses. */
export async function usedImages(
  ids: readonly string[],
  usesOf: (imageId: string) => Promise<ImageUses>,
): Promise<UsedImage[]> {
  const used: UsedImage[] = []
  for (let start = 0; start < ids.length; start += requestsAtATime) {
    const batch = ids.slice(start, start + requestsAtATime)
    const found = await Promise.all(batch.map(async (id) => ({ id, ...(await usesOrNone(id, usesOf)) })))
    used.push(...found.filter(({ workflows, hasMore }) => workflows.length > 0 || hasMore))
  }
  return used
}

async function usesOrNone(id: string, usesOf: (imageId: string) => Promise<ImageUses>): Promise<ImageUses> {
  try {
    return await usesOf(id)
  } catch (error) {
    if (hasStatus(error, 404)) return { workflows: [], hasMore: false }
    throw error
  }
}
