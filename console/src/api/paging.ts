/** The offset of the next page of an infinite list; undefined after the last page. */
export function offsetAfter(pages: readonly { hasMore: boolean }[], pageSize: number): number | undefined {
  return pages.at(-1)?.hasMore ? pages.length * pageSize : undefined
}

/** Removes undefined fields, so that they are not sent. */
export function withoutUndefined<Query extends object>(
  query: Query,
): { [Name in keyof Query]?: Exclude<Query[Name], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Query]?: Exclude<Query[Name], undefined>
  }
}
