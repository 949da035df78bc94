import { Skeleton } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { type KeyboardEvent, useEffect } from 'react'
import classes from './card.module.css'
import { Card } from './card.tsx'
import type { CardActions } from './card-menu.tsx'
import type { Entry } from './entries.ts'

interface Props {
  entries: readonly Entry[]
  projects: ReadonlyMap<string, string>
  actions: CardActions
  /** Called when the end of the list becomes visible. */
  onEnd(): void
  isLoading: boolean
}

/** A grid of cards. Arrow keys move between them. */
export function Grid({ entries, projects, actions, onEnd, isLoading }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const isEndSeen = entry?.isIntersecting ?? false
  useEffect(() => {
    if (isEndSeen && !isLoading) onEnd()
  }, [isEndSeen, isLoading, onEnd])
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-workflow]') : null
    if (link === null || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Delete') {
      const chosen = entries.find(({ workflowId }) => workflowId === link.dataset.workflow)
      if (chosen) actions.onDelete(chosen)
      return
    }
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-workflow]')]
    const next = links[nextIndex(links, links.indexOf(link), event.key)]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    next.closest('article')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <ul className={classes.grid} onKeyDown={onKeyDown}>
        {entries.map((galleryEntry) => (
          <li key={galleryEntry.workflowId}>
            <Card entry={galleryEntry} project={projects.get(galleryEntry.projectId)} actions={actions} />
          </li>
        ))}
        {isLoading && <CardSkeletons count={entries.length === 0 ? 8 : 4} />}
      </ul>
      <div ref={ref} />
    </>
  )
}

function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
    <li key={index} aria-hidden="true" className={classes.card}>
      <Skeleton radius={0} className={classes.image ?? ''} />
      <div className={classes.words}>
        <Skeleton height={14} width="60%" my={9} />
        <Skeleton height={10} width="40%" />
      </div>
    </li>
  ))
}

/** The index of the next card for a key, by the positions of the cards; -1 for none. */
function nextIndex(links: readonly HTMLElement[], index: number, pressed: string): number {
  if (pressed === 'ArrowLeft') return index - 1
  if (pressed === 'ArrowRight') return index + 1
  if (pressed === 'Home') return 0
  if (pressed === 'End') return links.length - 1
  if (pressed !== 'ArrowUp' && pressed !== 'ArrowDown') return -1
  const tops = links.map((link) => link.closest('article')?.getBoundingClientRect().top ?? 0)
  const columns = tops.filter((top) => top === tops[0]).length
  return pressed === 'ArrowUp' ? index - columns : Math.min(index + columns, links.length - 1)
}
