/** Looks up the workflows and brands of images before they are deleted. */
import { hasStatus } from '../../api/client.ts'
import type { ImageUses } from '../../api/images.ts'

export interface UsedImage extends ImageUses {
  id: string
}

const requestsAtATime = 4

/** Whether a workflow or a brand was found. */
export function isNamed({ workflows, brands = [] }: ImageUses): boolean {
  return workflows.length + brands.length > 0
}

/** The images of the list that a workflow or a brand uses, or may use. An image that no longer exists has no uses. */
export async function usedImages(
  ids: readonly string[],
  usesOf: (imageId: string) => Promise<ImageUses>,
): Promise<UsedImage[]> {
  const used: UsedImage[] = []
  for (let start = 0; start < ids.length; start += requestsAtATime) {
    const batch = ids.slice(start, start + requestsAtATime)
    const found = await Promise.all(batch.map(async (id) => ({ id, ...(await usesOrNone(id, usesOf)) })))
    used.push(...found.filter((image) => isNamed(image) || image.hasMore))
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
