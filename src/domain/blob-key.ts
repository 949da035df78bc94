import type { FontFormat } from './font.ts'
import { type ImageFormat, imageFormats } from './image.ts'

/** An id, with or without the extension of a file. */
export const blobKeyPattern = /^[a-z0-9_]{1,80}(\.[a-z0-9]{1,8})?$/

/** What the bytes of an image or a font are stored under: `img_<...>.png`. So a bucket serves them under their public name. */
export function blobKeyOf({ id, format }: { id: string; format: ImageFormat | FontFormat }): string {
  return `${id}.${isImageFormat(format) ? imageFormats[format].extension : format}`
}

/** The id of what a blob belongs to. */
export function idOfBlobKey(key: string): string {
  const [id = ''] = key.split('.', 1)
  return id
}

function isImageFormat(format: string): format is ImageFormat {
  return Object.hasOwn(imageFormats, format)
}
