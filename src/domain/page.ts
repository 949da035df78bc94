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

export function hasMore(page: Page<unknown>, request: PageRequest): boolean {
  return request.offset + page.items.length < page.total
}
