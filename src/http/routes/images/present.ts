/** Converts images to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { Image } from '../../../domain/image.ts'
import type { Images } from '../../../services/images.ts'

export function imageItem(image: Image, images: Images) {
  const { id, name, size, createdAt } = image
  return { id, url: images.url(image), name, size, createdAt: timestamp(createdAt) }
}

export function imageDetail(image: Image, images: Images) {
  const { id, name, size, format, width, height, origin, credentials, createdAt, projectId } = image
  return {
    id,
    url: images.url(image),
    name,
    size,
    format,
    width,
    height,
    ...(origin === null ? {} : { origin }),
    ...(credentials === null ? {} : { credentials }),
    createdAt: timestamp(createdAt),
    ...(projectId === null ? {} : { projectId }),
  }
}
