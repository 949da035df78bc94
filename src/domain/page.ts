/** A stretch of a list, newest first, as every list endpoint takes and gives it. */
export interface PageRequest {
  limit: number
  offset: number
}

export interface Page<Item> {
  items: Item[]
  /** How many match in all. */
  total: number
}

export function hasMore(page: Page<unknown>, request: PageRequest): boolean {
  return request.offset + page.items.length < page.total
}
