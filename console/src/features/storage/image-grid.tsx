import { Checkbox } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import classes from './image-grid.module.css'

interface ImageGridProps<Item> {
  images: readonly Item[]
  /** The picture in a card. */
  picture(image: Item): ReactNode
  /** The text below a picture. */
  caption(image: Item): ReactNode
  selected: ReadonlySet<string>
  onSelect(id: string, isSelected: boolean): void
  /** Default: Enter and a click select, too. */
  onOpen?(id: string): void
  /** F2 on a card. */
  onRename?(id: string): void
}

/** A grid of images. Arrow keys move, Space selects, Enter opens, F2 renames. */
export function ImageGrid<Item extends { id: string; name: string }>(props: ImageGridProps<Item>) {
  const { images, picture, caption, selected, onSelect, onOpen, onRename } = props
  const toggle = (id: string) => onSelect(id, !selected.has(id))
  return (
    <ul className={classes.grid} aria-label="Images" onKeyDown={moveFocus}>
      {images.map((image) => (
        <li key={image.id} className={classes.card} data-selected={selected.has(image.id) || undefined}>
          <button
            type="button"
            className={classes.open}
            data-card
            onClick={() => (onOpen ?? toggle)(image.id)}
            onKeyDown={(event) => {
              if (event.key === 'F2') onRename?.(image.id)
              if (event.key !== ' ') return
              event.preventDefault()
              toggle(image.id)
            }}
            {...(onOpen === undefined
              ? { 'aria-pressed': selected.has(image.id), 'aria-label': image.name }
              : { 'aria-label': `Open ${image.name}` })}
          >
            {picture(image)}
          </button>
          <Checkbox
            className={classes.check ?? ''}
            checked={selected.has(image.id)}
            onChange={({ currentTarget }) => onSelect(image.id, currentTarget.checked)}
            aria-label={`Select ${image.name}`}
          />
          <div className={classes.caption}>{caption(image)}</div>
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
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')]
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
