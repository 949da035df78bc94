import type { FontFormat } from './accounts/font.ts'
import { type ImageFormat, imageFormats } from './images/image.ts'

/** An id, with or without the extension of a file. */
export const blobKeyPattern = /^[a-z0-9_]{1,80}(\.[a-z0-9]{1,8})?$/

/** The key of an image's or a font's bytes: `img_<...>.png`, so that a bucket serves an image under its public name. */
export function blobKeyOf({ id, format }: { id: string; format: ImageFormat | FontFormat }): string {
  return `${id}.${isImageFormat(format) ? imageFormats[format].extension : format}`
}

/** The id of the image or font that a blob belongs to. */
export function idOfBlobKey(key: string): string {
  const [id = ''] = key.split('.', 1)
  return id
}

function isImageFormat(format: string): format is ImageFormat {
  return Object.hasOwn(imageFormats, format)
}
