import { fontFormats } from '../../domain/font.ts'
import { imageFormats } from '../../domain/image.ts'

export interface ObjectHeaders {
  ContentType: string
  CacheControl?: string
  ContentDisposition?: string
}

const mediaTypes = new Map<string, string>([
  ...Object.values(imageFormats).map(({ extension, mediaType }) => [extension, mediaType] as const),
  ...fontFormats.map((format) => [format, `font/${format}`] as const),
])

/** The headers of a blob for browsers that read it from the bucket. */
export function headersOf(key: string): ObjectHeaders {
  const [, extension = ''] = key.split('.')
  const ContentType = mediaTypes.get(extension) ?? 'application/octet-stream'
  if (!ContentType.startsWith('image/')) return { ContentType }
  // The same as the service sends: the bytes of an id never change, but the image may be deleted.
  const headers = { ContentType, CacheControl: 'public, max-age=3600, immutable' }
  // An SVG is a document that can contain scripts: always a download.
  return extension === imageFormats.svg.extension ? { ...headers, ContentDisposition: 'attachment' } : headers
}
