/** Converts images to response bodies. */
import { testField } from '../../../domain/accounts/twin.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { Image } from '../../../domain/images/image.ts'
import type { ImageUrls } from '../../../services/images/image-urls.ts'

export function imageItem(image: Image, urls: ImageUrls) {
  const { id, name, size } = image
  return { id, url: urls.url(image), ...access(image, urls), name, size, ...times(image) }
}

export function imageDetail(image: Image, urls: ImageUrls) {
  const { id, name, size, format, width, height, origin, credentials, projectId } = image
  return {
    id,
    url: urls.url(image),
    ...access(image, urls),
    name,
    size,
    format,
    width,
    height,
    ...(origin === null ? {} : { origin }),
    ...(credentials === null ? {} : { credentials }),
    ...times(image),
    ...(projectId === null ? {} : { projectId }),
  }
}

function times({ createdAt, expiresAt }: Image) {
  return { createdAt: timestamp(createdAt), ...(expiresAt === undefined ? {} : { expiresAt: timestamp(expiresAt) }) }
}

function access(image: Image, urls: ImageUrls) {
  const thumbnailUrl = urls.thumbnailUrl(image)
  return {
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
    ...(image.requiresSignature ? { private: true } : {}),
    ...testField(image.accountId),
  }
}
