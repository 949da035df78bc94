/** Lists: one page, or all items. */
import type { List } from './types.ts'

interface Page {
  hasMore?: boolean
  cursor?: string | null
}

type Query = Record<string, unknown>

/** `read` gets one page. Iteration follows `cursor` if pages have one, otherwise `offset`. */
export function createList<Item>(
  read: (query: Query) => Promise<unknown>,
  itemsField: string,
  query: Query = {},
): List<unknown, Item> {
  let first: Promise<unknown> | undefined
  const itemsOf = (page: unknown): Item[] => (page as Record<string, Item[] | undefined>)[itemsField] ?? []

  async function* pages(): AsyncGenerator<unknown> {
    let { offset = 0, cursor, ...filters } = { limit: 100, ...query } as Query & { offset?: number }
    for (;;) {
      const position = cursor !== undefined ? { cursor } : offset > 0 ? { offset } : {}
      const page = (await read({ ...filters, ...position })) as Page
      yield page
      const count = itemsOf(page).length
      if (!page.hasMore || page.cursor === null || (page.cursor === undefined && count === 0)) return
      cursor = page.cursor
      offset += count
    }
  }

  async function* items(): AsyncGenerator<Item> {
    // Without a cursor, an item is on two pages if the list grew meanwhile.
    const seen = new Set<unknown>()
    for await (const page of pages()) {
      for (const item of itemsOf(page)) {
        const id = idOf(item)
        if (id !== undefined && seen.has(id)) continue
        if ((page as Page).cursor === undefined) seen.add(id)
        yield item
      }
    }
  }

  const promise = (): Promise<unknown> => {
    first ??= read(query)
    return first
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is a promise of its first page, sent when it is awaited.
    then: (onFulfilled, onRejected) => promise().then(onFulfilled, onRejected),
    catch: (onRejected) => promise().catch(onRejected),
    finally: (onFinally) => promise().finally(onFinally),
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: items,
    pages,
  }
}

/** Id of an item; undefined if it has none. */
function idOf(item: unknown): unknown {
  const { id, executionId, key } = item as Record<string, unknown>
  return id ?? executionId ?? key
}
