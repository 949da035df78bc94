import { ActionIcon, Group, Modal, Text, Tooltip } from '@mantine/core'
import { select } from 'd3-selection'
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom'
import { ChevronLeft, ChevronRight, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { FileActions, type ImageFile } from './file-actions.tsx'
import classes from './lightbox.module.css'
import { FullImage } from './thumbnail.tsx'
import { useReturnFocus } from './use-return-focus.ts'

export interface LightboxImage extends ImageFile {
  alt: string
}

interface Props {
  images: readonly LightboxImage[]
  /** Default: the first image. */
  index?: number
  /** Shows another image, if there are several. */
  onChange?(index: number): void
  onClose(): void
}

/** Zoom of one step of a key or a button. */
const zoomStep = 1.4
const panStep = 80
/** Pixels of the screen for a pixel of the image, at most. */
const pixelMax = 8

/** An image in the entire window: zoom and pan with wheel, pinch, drag and keys; the next image. */
export function Lightbox({ images, index = 0, onChange, onClose }: Props) {
  useReturnFocus()
  const image = images[index]
  const view = useZoom(image?.url)
  if (image === undefined) return null
  const go = (by: number) => {
    const next = index + by
    if (next >= 0 && next < images.length) onChange?.(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    const [x, y] = arrows[key] ?? [0, 0]
    if (key === '+' || key === '=') view.by(zoomStep)
    else if (key === '-') view.by(1 / zoomStep)
    else if (key === '0') view.fit()
    else if (key === '1') view.actual()
    else if (key === 'PageUp') go(-1)
    else if (key === 'PageDown') go(1)
    else if (x === 0 && y === 0) return
    else if (view.isZoomed) view.pan(-x, -y)
    else go(x || y)
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={images.length > 1 ? `${image.alt} (${index + 1} of ${images.length})` : image.alt}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      onKeyDown={onKeyDown}
    >
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap={4}>
          <Step label="Zoom out (−)" Icon={ZoomOut} onClick={() => view.by(1 / zoomStep)} />
          <Text size="sm" ta="center" w={56} aria-live="polite">
            {view.scale === undefined ? '' : `${Math.round(view.scale * 100)} %`}
          </Text>
          <Step label="Zoom in (+)" Icon={ZoomIn} onClick={() => view.by(zoomStep)} />
          <Step label="Fit (0)" Icon={Maximize} onClick={view.fit} />
          <Tooltip label="Actual size (1)">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Actual size, 1:1" onClick={view.actual}>
              1:1
            </ActionIcon>
          </Tooltip>
        </Group>
        <Group gap={4}>
          {images.length > 1 && (
            <>
              <Step label="Previous image" Icon={ChevronLeft} onClick={() => go(-1)} isDisabled={index === 0} />
              <Step
                label="Next image"
                Icon={ChevronRight}
                onClick={() => go(1)}
                isDisabled={index === images.length - 1}
              />
            </>
          )}
          <FileActions {...image} />
        </Group>
      </Group>
      <div
        ref={view.stage}
        tabIndex={-1}
        className={`${classes.stage} tt-checker`}
        data-zoomed={view.isZoomed || undefined}
      >
        <FullImage
          url={image.url}
          thumbnailUrl={image.thumbnailUrl}
          format={image.format}
          alt={image.alt}
          className={classes.image}
          draggable={false}
          style={view.style}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => view.setSize(naturalWidth, naturalHeight)}
        />
      </div>
    </Modal>
  )
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface StepProps {
  label: string
  Icon: typeof ZoomIn
  onClick(): void
  isDisabled?: boolean
}

/** A button of the toolbar. It isn't `disabled` after the last image: then it would keep all keys to itself while it has the focus. */
function Step({ label, Icon, onClick, isDisabled = false }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        {...(isDisabled ? { 'data-disabled': true, 'aria-disabled': true } : {})}
        onClick={onClick}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** The zoom of the stage: 1 fits the image into it. */
function useZoom(url: string | undefined) {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [transform, setTransform] = useState<ZoomTransform>(zoomIdentity)
  const behavior = useRef<ZoomBehavior<HTMLDivElement, unknown>>(undefined)
  // Pixels of the screen for a pixel of the image that fits. A small image isn't enlarged.
  const fitted =
    element && size.width > 0
      ? Math.min(1, element.clientWidth / size.width, element.clientHeight / size.height)
      : undefined
  useEffect(() => {
    if (element === null) return
    const zooming = zoom<HTMLDivElement, unknown>()
      .scaleExtent([1, Math.max(1, pixelMax / (fitted ?? 1))])
      .translateExtent([
        [0, 0],
        [element.clientWidth, element.clientHeight],
      ])
      .on('zoom', ({ transform }: { transform: ZoomTransform }) => setTransform(transform))
    behavior.current = zooming
    const selection = select(element)
    selection.call(zooming)
    return () => void selection.on('.zoom', null)
  }, [element, fitted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image fits first
  useEffect(() => {
    if (element !== null) behavior.current?.transform(select(element), zoomIdentity)
  }, [url, element])
  const scaleTo = (scale: number) => element && behavior.current?.scaleTo(select(element), scale)
  const { x, y, k } = transform
  return {
    stage: setElement,
    setSize: (width: number, height: number) => setSize({ width, height }),
    /** Pixels of the screen for a pixel of the image. */
    scale: fitted === undefined ? undefined : fitted * k,
    isZoomed: k > 1,
    style: {
      transform: `translate(${x}px, ${y}px) scale(${k})`,
      imageRendering: fitted !== undefined && fitted * k >= 3 ? ('pixelated' as const) : ('auto' as const),
    },
    by: (factor: number) => element && behavior.current?.scaleBy(select(element), factor),
    pan: (byX: number, byY: number) =>
      element && behavior.current?.translateBy(select(element), (byX * panStep) / k, (byY * panStep) / k),
    fit: () => scaleTo(1),
    actual: () => scaleTo(1 / (fitted ?? 1)),
  }
}
