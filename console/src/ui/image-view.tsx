import { ActionIcon, Anchor, Center, Group, Modal, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Download, Maximize2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import classes from './image-view.module.css'
import { FullImage } from './thumbnail.tsx'

const Compare = lazy(() => import('./compare.tsx').then(({ Compare }) => ({ default: Compare })))

export interface ImageViewProps {
  /** URL on this origin. */
  url: string
  alt: string
  width?: number | undefined
  height?: number | undefined
  format?: string | undefined
  /** More about the file, after its size and format. */
  note?: string
  /** More controls, before those of every image. */
  actions?: ReactNode
  /** The previous image to compare with, and the label of the switch. */
  before?: { url: string; label: string } | undefined
}

/** A result image: fitted to its space, with full size, comparison and download. */
export function ImageView({ url, alt, width, height, format, note, actions, before }: ImageViewProps) {
  const [isFullSize, fullSize] = useDisclosure()
  const [isCompared, setCompared] = useState(false)
  const compared = isCompared ? before : undefined
  const content = compared ? (
    <Suspense>
      <Compare before={compared.url} after={url} />
    </Suspense>
  ) : (
    <FullImage url={url} alt={alt} format={format} className={`${classes.image} tt-checker`} />
  )
  return (
    <figure className={classes.figure}>
      <div className={classes.stage}>{content}</div>
      <Group component="figcaption" gap="sm" justify="space-between" className={classes.caption ?? ''}>
        <Text size="xs" c="dimmed">
          {[width && height ? `${width} × ${height}` : '', format, note].filter(Boolean).join(' · ')}
        </Text>
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
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Show the image in full size"
              onClick={fullSize.open}
            >
              <Maximize2 size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Download">
            <ActionIcon
              component="a"
              href={url}
              download
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Download the image"
            >
              <Download size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Modal opened={isFullSize} onClose={fullSize.close} fullScreen title={alt}>
        <Center mih="80vh" className="tt-checker">
          <Anchor href={url} target="_blank" rel="noreferrer" aria-label="Open the image in a new tab">
            <FullImage url={url} alt={alt} format={format} className={classes.fullSize} />
          </Anchor>
        </Center>
      </Modal>
    </figure>
  )
}
