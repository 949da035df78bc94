/** Pages of lists: the query, the cursor and the response. A cursor is the place of the last item of a page, bound to its list. */
import { createHash } from 'node:crypto'
import Type, { type Static, type TProperties } from 'typebox'
import { named } from '../../domain/named-schema.ts'
import type { CountedPage, Page, PageRequest, Place } from '../../domain/page.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RouteRequest } from '../define-route.ts'

export const PageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSizeDefault,
    description: 'Maximum number of results to return.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: limits.pageOffsetMax,
    default: 0,
    description:
      'Number of results to skip. In long lists, use `cursor`: the more results are skipped, the longer it takes.',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'Return the results after a page: its `cursor`, with the same filters and order. No result that existed meanwhile is missed or returned twice.',
    }),
  ),
}

const Query = Type.Object(PageQuery)

/** The page that a request asks for, its filters, and the fields of a page after its items. */
export function paging<Filter extends object>({
  query,
  caller,
  url,
}: Pick<RouteRequest<unknown, Static<typeof Query> & Filter, unknown>, 'query' | 'caller' | 'url'>) {
  const { limit, offset, cursor, ...filter } = query
  // It chooses fields, not items.
  const { include: _, ...selection } = filter as Record<string, unknown>
  const scope = JSON.stringify([caller.account.id, url.split('?', 1), Object.entries(selection).sort()])
  const page: PageRequest = { limit, offset, after: cursor === undefined ? undefined : placeOf(cursor, scope) }
  return {
    page,
    filter,
    fieldsOf: ({ next, ...found }: Omit<Page<unknown>, 'items'> & Partial<CountedPage<unknown>>) => ({
      ...(found.total === undefined ? {} : { total: found.total }),
      hasMore: next !== null,
      cursor: next && cursorOf(next, scope),
    }),
  }
}

/** A part of the hash binds the place to the list, its filters and the account. It protects from mistakes, not from forgery. */
function cursorOf({ value, text: order, id }: Place, scope: string): string {
  const text = `${order === undefined ? value : `"${Buffer.from(order).toString('base64url')}`} ${id}`
  const hash = createHash('sha256').update(`${scope} ${text}`).digest('base64url').slice(0, 12)
  return Buffer.from(`${hash} ${text}`).toString('base64url')
}

/** Throws `invalid_request` if the cursor is not one of this list. */
function placeOf(cursor: string, scope: string): Place {
  const parts = /^\S+ (?:(\d{1,15})|"([\w-]*)) (\w{0,100})$/.exec(Buffer.from(cursor, 'base64url').toString())
  const [, value = 0, text, id = ''] = parts ?? []
  const place = { value: Number(value), text: text && Buffer.from(text, 'base64url').toString(), id }
  if (parts === null || cursorOf(place, scope) !== cursor)
    throw invalidRequest([
      {
        path: 'cursor',
        message: 'must be the `cursor` of a page of this list, requested with the same filters and the same order',
      },
    ])
  return place
}

const pageFields = {
  hasMore: Type.Boolean({ description: 'Whether more results follow this page.' }),
  cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Pass it as `cursor` to get the next page. Null on the last page.',
  }),
}

/** The response with a page of a list. */
export function pageOf<Items extends TProperties>(name: string, items: Items) {
  return Type.Object({ ...items, ...pageFields }, named(name))
}

/** The response with a page of a list that is counted. */
export function countedPageOf<Items extends TProperties>(
  name: string,
  items: Items,
  total = 'Total number of matching results.',
) {
  return Type.Object({ ...items, total: Type.Integer({ description: total }), ...pageFields }, named(name))
}
