import { ActionIcon, Badge, Group, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { Clock3, Maximize2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { FileActions } from './file-actions.tsx'
import classes from './image-view.module.css'
import { lazyPart } from './lazy-part.ts'
import { FullImage } from './thumbnail.tsx'

const Lightbox = lazyPart(() => import('./lightbox.tsx'), 'Lightbox')
const Compare = lazyPart(() => import('./compare.tsx'), 'Compare')

export interface ImageViewProps {
  /** URL on this origin. */
  url: string
  /** The URL for other programs. */
  address: string
  alt: string
  width?: number | undefined
  height?: number | undefined
  format?: string | undefined
  /** More about the file, after its size and format. */
  note?: string
  /** Opens the image in full size, if it is one of several. Default: a lightbox with this image. */
  onFullSize?: (() => void) | undefined
  /** A change since would give another image. */
  isOutdated?: boolean
  /** More controls, before those of every image. */
  actions?: ReactNode
  /** The previous image to compare with, and the label of the switch. */
  before?: { url: string; label: string } | undefined
}

/** A result image: fitted to its space, with full size, comparison and download. */
export function ImageView(props: ImageViewProps) {
  const { url, address, alt, width, height, format, note, isOutdated = false, actions, before } = props
  const [isFullSize, setFullSize] = useState(false)
  const open = props.onFullSize ?? (() => setFullSize(true))
  const [isCompared, setCompared] = useState(false)
  const compared = isCompared ? before : undefined
  const content = compared ? (
    <Suspense>
      <Compare before={compared.url} after={url} />
    </Suspense>
  ) : (
    <FullImage
      url={url}
      alt={alt}
      format={format}
      className={`${classes.image} tt-checker`}
      // The button below is for the keyboard.
      onDoubleClick={open}
    />
  )
  return (
    <figure className={classes.figure}>
      <div className={classes.stage} data-outdated={isOutdated || undefined}>
        {content}
      </div>
      <Group component="figcaption" gap="sm" justify="space-between" className={classes.caption ?? ''}>
        <Group gap="xs">
          {isOutdated && (
            <Badge color="copper" variant="light" tt="none" leftSection={<Clock3 size={12} aria-hidden />}>
              Outdated
            </Badge>
          )}
          <Text size="xs" c="dimmed">
            {[width && height ? `${width} × ${height}` : '', format, note].filter(Boolean).join(' · ')}
          </Text>
        </Group>
        <Group gap={4}>
          {actions}
          {before && (
            <SegmentedControl
              size="xs"
              aria-label="Image"
              data={[
                { value: 'result', label: 'Result' },
                { value: 'compare', label: before.label },
              ]}
              value={isCompared ? 'compare' : 'result'}
              onChange={(value) => setCompared(value === 'compare')}
            />
          )}
          <Tooltip label="Full size">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Show the image in full size" onClick={open}>
              <Maximize2 size={16} />
            </ActionIcon>
          </Tooltip>
          <FileActions url={url} address={address} />
        </Group>
      </Group>
      {isFullSize && (
        <Suspense>
          <Lightbox images={[{ url, address, alt, format }]} onClose={() => setFullSize(false)} />
        </Suspense>
      )}
    </figure>
  )
}
