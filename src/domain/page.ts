/** A page of a list, newest first, as every list endpoint accepts and returns it. */
export interface PageRequest {
  limit: number
  offset: number
}

export interface Page<Item> {
  items: Item[]
  /** The number of all matches. */
  total: number
}

/** `longIds`: items without their longest fields, which are read one by one, because those of a page can have 100 MB together. */
export type PageOfLong<Item> = Page<Item> & { longIds: ReadonlySet<string> }

export function hasMore(page: Page<unknown>, { offset }: Pick<PageRequest, 'offset'>): boolean {
  return offset + page.items.length < page.total
}
