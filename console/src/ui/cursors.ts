/** The page of a list in the URL of the console, by its cursor. The first page has none. */
export interface CursorSearch {
  cursor?: string
}

export function cursorSearch(cursor: unknown): CursorSearch {
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : {}
}

export function withCursor<Search extends CursorSearch>(search: Search, cursor: string | undefined): Search {
  const { cursor: _, ...rest } = search
  return { ...rest, ...cursorSearch(cursor) } as Search
}

/** The cursors between the first page and this one, of those that were visited, in their order. */
export function cursorsBefore(visited: readonly string[], cursor: string | undefined): readonly string[] {
  if (cursor === undefined) return []
  const at = visited.indexOf(cursor)
  return at === -1 ? visited : visited.slice(0, at)
}
