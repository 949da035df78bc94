import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { OperationPicture } from '../../ui/operation-picture.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { Point } from '../document/geometry.ts'
import classes from './add-palette.module.css'
import { type PaletteEntry, resultsOf, type Section } from './palette-entries.ts'

interface SearchListProps {
  label: string
  placeholder: string
  icon: ReactNode
  /** The purpose of the choice. */
  purpose: string | undefined
  /** The position in the window. Default: the middle. */
  screen: Point | undefined
  entries: readonly PaletteEntry[]
  /** Shown before a search. */
  sections: readonly Section[]
  recent: readonly string[]
  /** Shown below the entries. */
  hint?: string | undefined
  onSearch?(query: string): void
  onChoose(entry: PaletteEntry): void
  onClose(): void
}

/** A list with a search field. Arrow keys and Enter choose. */
export function SearchList(props: SearchListProps) {
  const { label, placeholder, icon, purpose, screen, entries, sections, recent, hint, onSearch, onChoose, onClose } =
    props
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const visibleSections = query.trim() === '' ? sections : resultsOf(entries, query, recent)
  const rows = visibleSections.flatMap((section) => section.entries)
  const panel = usePlace(screen)
  useLayoutEffect(() => input.current?.focus(), [])

  const move = (to: number) => {
    const next = (to + rows.length) % Math.max(1, rows.length)
    setAt(next)
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const row = rows[at]
    if (event.key === 'ArrowDown') move(at + 1)
    else if (event.key === 'ArrowUp') move(at - 1)
    else if (event.key === 'PageDown') move(Math.min(at + 8, rows.length - 1))
    else if (event.key === 'PageUp') move(Math.max(at - 8, 0))
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && row !== undefined) onChoose(row)
    else if (event.key !== 'Enter' && event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  let index = -1
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div className={classes.backdrop} onClick={onClose} onContextMenu={(event) => event.preventDefault()} />
      <div ref={panel} className={classes.panel} role="dialog" aria-modal="true" aria-label={label}>
        <div className={classes.search}>
          {icon}
          <input
            ref={input}
            className={classes.input}
            role="combobox"
            aria-expanded
            aria-controls={list}
            aria-activedescendant={rows.length > 0 ? `${list}-${at}` : undefined}
            aria-label={label}
            aria-autocomplete="list"
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setAt(0)
              onSearch?.(event.currentTarget.value.trim())
            }}
            onKeyDown={handleKeyDown}
          />
        </div>
        {purpose === undefined ? null : <div className={classes.purpose}>{purpose}</div>}
        <div className={classes.list} id={list} role="listbox" aria-label={label} tabIndex={-1}>
          {rows.length === 0 ? <div className={classes.nothing}>No results for “{query}”.</div> : null}
          {visibleSections.map((section) => (
            // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options
            <div key={section.title} role="group" aria-label={section.title || 'Results'}>
              {section.title === '' ? null : <div className={classes.heading}>{section.title}</div>}
              {section.entries.map((entry) => {
                index++
                const row = index
                return (
                  <Row
                    key={entry.id}
                    id={`${list}-${row}`}
                    entry={entry}
                    isAt={row === at}
                    onPoint={() => setAt(row)}
                    onChoose={() => onChoose(entry)}
                  />
                )
              })}
            </div>
          ))}
        </div>
        {hint === undefined ? null : <div className={classes.hint}>{hint}</div>}
      </div>
    </>
  )
}

interface RowProps {
  id: string
  entry: PaletteEntry
  isAt: boolean
  onPoint(): void
  onChoose(): void
}

function Row({ id, entry, isAt, onPoint, onChoose }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isAt}
      tabIndex={-1}
      className={classes.entry}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Picture {...entry} />
      <div className={classes.words}>
        <div className={classes.title}>{entry.title}</div>
        <div className={classes.summary}>{entry.summary}</div>
      </div>
    </div>
  )
}

function Picture({ picture, operationGroup }: PaletteEntry) {
  if (picture === undefined) return <GroupIcon group={operationGroup} />
  if ('operation' in picture) return <OperationPicture id={picture.operation} group={operationGroup} />
  return (
    <span className={`${classes.picture} tt-checker`}>
      <Thumbnail url={picture.url} thumbnailUrl={picture.thumbnailUrl} alt="" />
    </span>
  )
}

const edge = 8

/** Positions the panel next to a point, entirely inside the window. */
function usePlace(screen: Point | undefined) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    const { width } = element.getBoundingClientRect()
    const height = Math.min(460, window.innerHeight - 2 * edge)
    const position = screen ?? { x: (window.innerWidth - width) / 2, y: window.innerHeight * 0.16 }
    element.style.left = `${Math.max(edge, Math.min(position.x, window.innerWidth - width - edge))}px`
    element.style.top = `${Math.max(edge, Math.min(position.y, window.innerHeight - height - edge))}px`
  }, [screen])
  return panel
}
