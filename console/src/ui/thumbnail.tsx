import { type ComponentProps, useState } from 'react'
import { onThisOrigin } from '../api/executions.ts'
import { thumbnailPath } from '../api/images.ts'

interface ImageProps extends Omit<ComponentProps<'img'>, 'src' | 'loading'> {
  /** The URL of the image. */
  url: string
  alt: string
}

/** A small copy of an image, for lists and cards. If it has none, the image itself. `onError`: it can't be shown either. */
export function Thumbnail({ url, alt, onError, ...props }: ImageProps) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const hasFailed = failedUrl === url
  return (
    <img
      {...props}
      alt={alt}
      loading="lazy"
      decoding="async"
      src={hasFailed ? onThisOrigin(url) : thumbnailPath(url)}
      onError={(event) => {
        if (hasFailed) onError?.(event)
        else setFailedUrl(url)
      }}
    />
  )
}

/** Formats that no browser shows in an image element. Some show TIFF. */
const unshownFormats = new Set(['pdf', 'psd'])

/** The path of an image in a format that browsers show. */
export function shownPath({ url, format }: { url: string; format: string | undefined }): string {
  return unshownFormats.has(format ?? '') ? thumbnailPath(url) : onThisOrigin(url)
}

/** The image itself, or its thumbnail if the browser can't show the format. `format`: undefined if it is not known. */
export function FullImage({
  url,
  alt,
  format,
  ...props
}: Omit<ImageProps, 'onError'> & { format?: string | undefined }) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const src = failedUrl === url ? thumbnailPath(url) : shownPath({ url, format })
  return <img {...props} alt={alt} src={src} onError={() => setFailedUrl(url)} />
}
