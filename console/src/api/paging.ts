/** The offset of the next page of an infinite list; undefined after the last page. */
export function offsetAfter(pages: readonly { hasMore: boolean }[], pageSize: number): number | undefined {
  return pages.at(-1)?.hasMore ? pages.length * pageSize : undefined
}

/** The maximum page size of the API. */
export const pageSizeMax = 100
const pagesMax = 10

/**
 * The records of up to ten pages, newest first: for fields that offer all records of an account. `readPage` gets the limit
 * and the offset of a page.
 */
export async function firstThousand<Row>(
  readPage: (page: { limit: number; offset: number }) => Promise<{ rows: readonly Row[]; hasMore: boolean }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 0; page < pagesMax; page++) {
    const read = await readPage({ limit: pageSizeMax, offset: page * pageSizeMax })
    rows.push(...read.rows)
    if (!read.hasMore) break
  }
  return rows
}

/** Removes undefined fields, so that they are not sent. */
export function withoutUndefined<Query extends object>(
  query: Query,
): { [Name in keyof Query]?: Exclude<Query[Name], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Query]?: Exclude<Query[Name], undefined>
  }
}
