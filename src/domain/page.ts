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

/** The place of an item in a list with the newest first. */
export interface Place {
  createdAt: number
  id: string
}

export interface UncountedRequest extends PageRequest {
  /** The items after this place. The offset counts from there. */
  after?: Place | undefined
}

/** A page of a list that can have millions of items, which are not counted. */
export interface UncountedPage<Item> {
  items: Item[]
  /** The place of the last item, if more follow. */
  next: Place | null
}

/** `longIds`: items without their longest fields, which are read one by one, because those of a page can have 100 MB together. */
export interface WithLong {
  longIds: ReadonlySet<string>
}
export type PageOfLong<Item> = Page<Item> & WithLong
export type UncountedPageOfLong<Item> = UncountedPage<Item> & WithLong

export function hasMore(page: Page<unknown>, { offset }: Pick<PageRequest, 'offset'>): boolean {
  return offset + page.items.length < page.total
}
