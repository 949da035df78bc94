import { fontFormats } from '../../domain/accounts/font.ts'
import { imageFormats } from '../../domain/images/image.ts'

export interface ObjectHeaders {
  ContentType: string
  CacheControl?: string
  ContentDisposition?: string
}

const images = new Map<string, { mediaType: string; downloadOnly?: boolean }>(
  Object.values(imageFormats).map((format) => [format.extension, format]),
)
const fonts = new Set<string>(fontFormats)

/** The headers of a blob for browsers that read it from the bucket. */
export function headersOf(key: string): ObjectHeaders {
  const [, extension = ''] = key.split('.')
  const image = images.get(extension)
  if (image === undefined)
    return { ContentType: fonts.has(extension) ? `font/${extension}` : 'application/octet-stream' }
  return {
    ContentType: image.mediaType,
    // The same as the service sends: the bytes of an id never change, but the image may be deleted.
    CacheControl: 'public, max-age=3600, immutable',
    ...(image.downloadOnly && { ContentDisposition: 'attachment' }),
  }
}
