/** For infinite lists: the offset of the page after these, while there is one. */
export function offsetAfter(pages: readonly { hasMore: boolean }[], pageSize: number): number | undefined {
  return pages.at(-1)?.hasMore ? pages.length * pageSize : undefined
}

/** What is undefined is not asked for. */
export function withoutUndefined<Query extends object>(
  query: Query,
): { [Name in keyof Query]?: Exclude<Query[Name], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Query]?: Exclude<Query[Name], undefined>
  }
}
