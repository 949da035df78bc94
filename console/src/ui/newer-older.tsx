import { Button, Center } from '@mantine/core'
import { useState } from 'react'
import { cursorsBefore } from './cursors.ts'

interface Props {
  /** The cursor of the shown page; undefined for the first one. */
  cursor: string | undefined
  /** The cursor of the page after it; null if there is none. */
  next: string | null
  onTurn(cursor: string | undefined): void
}

/**
 * Turns the pages of a list whose newest records come first. Nothing if it has one page. Cursors lead to older pages only, so it remembers those of
 * the visited pages. From a page that was opened by its URL, "Newer" leads to the first page.
 */
export function NewerOlder({ cursor, next, onTurn }: Props) {
  const [visited, setVisited] = useState<readonly string[]>([])
  if (cursor === undefined && next === null) return null
  const before = cursorsBefore(visited, cursor)
  const turnToOlder = () => {
    setVisited(cursor === undefined ? [] : [...before, cursor])
    onTurn(next ?? undefined)
  }
  return (
    <Center mt="md">
      <Button.Group>
        <Button variant="default" disabled={cursor === undefined} onClick={() => onTurn(before.at(-1))}>
          Newer
        </Button>
        <Button variant="default" disabled={next === null} onClick={turnToOlder}>
          Older
        </Button>
      </Button.Group>
    </Center>
  )
}
