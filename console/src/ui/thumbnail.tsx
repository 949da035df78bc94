import { type ComponentProps, useState } from 'react'
import { onThisOrigin } from '../api/executions.ts'
import { thumbnailPath } from '../api/images.ts'

interface ImageProps extends Omit<ComponentProps<'img'>, 'src' | 'loading'> {
  /** The URL of the image. */
  url: string
  /** `thumbnailUrl` of a response. Without it, the image is public, and the path of its thumbnail follows from `url`. */
  thumbnailUrl?: string | undefined
  alt: string
}

/** A small copy of an image, for lists and cards. If it has none, the image itself. `onError`: it can't be shown either. */
export function Thumbnail({ url, thumbnailUrl, alt, onError, ...props }: ImageProps) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const hasFailed = failedUrl === url
  return (
    <img
      {...props}
      alt={alt}
      loading="lazy"
      decoding="async"
      src={hasFailed ? onThisOrigin(url) : smallOf(url, thumbnailUrl)}
      onError={(event) => {
        if (hasFailed) onError?.(event)
        else setFailedUrl(url)
      }}
    />
  )
}

/** Formats that no browser shows in an image element. Some show TIFF. */
const unshownFormats = new Set(['pdf', 'psd'])

interface Shown extends Pick<ImageProps, 'url' | 'thumbnailUrl'> {
  /** Undefined if it is not known. */
  format?: string | undefined
}

/** The path of an image in a format that browsers show. */
export function shownPath({ url, thumbnailUrl, format }: Shown): string {
  return unshownFormats.has(format ?? '') ? smallOf(url, thumbnailUrl) : onThisOrigin(url)
}

/** The image itself, or its thumbnail if the browser can't show the format. */
export function FullImage({ url, thumbnailUrl, alt, format, ...props }: Omit<ImageProps, 'onError'> & Shown) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const src = failedUrl === url ? smallOf(url, thumbnailUrl) : shownPath({ url, thumbnailUrl, format })
  return <img {...props} alt={alt} src={src} onError={() => setFailedUrl(url)} />
}

function smallOf(url: string, thumbnailUrl: string | undefined): string {
  return thumbnailUrl === undefined ? thumbnailPath(url) : onThisOrigin(thumbnailUrl)
}
