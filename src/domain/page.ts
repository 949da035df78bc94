/** A page of a list, as every list endpoint accepts and returns it. */
export interface PageRequest {
  limit: number
  offset: number
  /** The items after this place. The offset counts from there. */
  after?: Place | undefined
}

/** The place of an item in the order of a list. It stays the same if the item is deleted. */
export interface Place {
  /** The time, size or number that orders the list. */
  value: number
  /** The text that orders the list, in place of the value. */
  text?: string | undefined
  /** The id, which orders items with the same value. Empty if no two items of the list have the same value. */
  id: string
}

export interface Page<Item> {
  items: Item[]
  /** The place of the last item, if more follow. */
  next: Place | null
}

export interface CountedPage<Item> extends Page<Item> {
  /** The number of all matches, on every page. */
  total: number
}

/** `longIds`: items without their longest fields, which are read one by one, because those of a page can have 100 MB together. */
export interface WithLong {
  longIds: ReadonlySet<string>
}
export type PageOfLong<Item> = Page<Item> & WithLong
export type CountedPageOfLong<Item> = CountedPage<Item> & WithLong
