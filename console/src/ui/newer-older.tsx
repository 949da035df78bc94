import { Button, Center } from '@mantine/core'

interface Props {
  hasNewer: boolean
  hasOlder: boolean
  /** `step`: -1 for the page with newer records. */
  onMove(step: -1 | 1): void
}

/** Search parameters with another page. The first page has none. */
export function withPage<Search extends { page?: number }>(search: Search, page: number): Search {
  const { page: _, ...rest } = search
  return (page === 1 ? rest : { ...rest, page }) as Search
}

/** Turns the pages of a list whose newest records come first. Nothing if it has one page. */
export function NewerOlder({ hasNewer, hasOlder, onMove }: Props) {
  if (!hasNewer && !hasOlder) return null
  return (
    <Center>
      <Button.Group>
        <Button variant="default" disabled={!hasNewer} onClick={() => onMove(-1)}>
          Newer
        </Button>
        <Button variant="default" disabled={!hasOlder} onClick={() => onMove(1)}>
          Older
        </Button>
      </Button.Group>
    </Center>
  )
}
