import { Checkbox, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { ImageItem } from '../../api/types.ts'
import { byteSize } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import classes from './image-grid.module.css'

interface ImageGridProps {
  images: readonly ImageItem[]
  selected: ReadonlySet<string>
  onSelect(id: string, isSelected: boolean): void
  onOpen(id: string): void
}

/** A grid of images. Arrow keys move, Space selects, Enter opens. */
export function ImageGrid({ images, selected, onSelect, onOpen }: ImageGridProps) {
  return (
    <ul className={classes.grid} aria-label="Images" onKeyDown={moveFocus}>
      {images.map((image) => (
        <li key={image.id} className={classes.card} data-selected={selected.has(image.id) || undefined}>
          <button
            type="button"
            className={classes.open}
            onClick={() => onOpen(image.id)}
            onKeyDown={(event) => {
              if (event.key !== ' ') return
              event.preventDefault()
              onSelect(image.id, !selected.has(image.id))
            }}
            aria-label={`Open ${image.name}`}
          >
            <Thumbnail url={image.url} thumbnailUrl={image.thumbnailUrl} alt="" className="tt-checker" />
          </button>
          <Checkbox
            className={classes.check ?? ''}
            checked={selected.has(image.id)}
            onChange={({ currentTarget }) => onSelect(image.id, currentTarget.checked)}
            aria-label={`Select ${image.name}`}
          />
          <div className={classes.caption}>
            <Text size="sm" truncate title={image.name}>
              {image.name}
            </Text>
            <Text size="xs" c="dimmed">
              {byteSize(image.size)} · <RelativeTime at={image.createdAt} span />
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Moves the focus by the positions of the cards, because the style sheet sets the number of columns. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const steps: Record<string, [number, number]> = {
    ArrowRight: [1, 0],
    ArrowLeft: [-1, 0],
    ArrowDown: [0, 1],
    ArrowUp: [0, -1],
  }
  const step = steps[event.key]
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = cards.indexOf(event.target as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  const [first] = cards
  const row = cards.filter((card) => card.offsetParent && top(card) === (first ? top(first) : 0)).length || 1
  cards[at + step[0] + step[1] * row]?.focus()
}

function top(card: HTMLElement): number {
  return Math.round(card.getBoundingClientRect().top)
}
