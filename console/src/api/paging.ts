/** The page after the cursor, or the first page. */
export function pageAt(limit: number, cursor: string | undefined) {
  return { limit, ...(cursor === undefined ? {} : { cursor }) }
}

/** The options of an infinite query, whose `pageParam` is the cursor. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }: { cursor: string | null }) => cursor ?? undefined,
}

/** The maximum page size of the API. */
export const pageSizeMax = 100
const pagesMax = 10

/** The records of up to ten pages, newest first: for fields that offer all records of an account. */
export async function firstThousand<Row>(
  readPage: (page: { limit: number; cursor?: string }) => Promise<{ rows: readonly Row[]; cursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const read = await readPage(pageAt(pageSizeMax, cursor ?? undefined))
    rows.push(...read.rows)
    cursor = read.cursor
    if (cursor === null) break
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
