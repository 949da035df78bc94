/** Long responses in pieces, which `reads.ts` reads one at a time: other requests are handled between two of them. */

import type { WithLong } from '../../domain/page.ts'
import { Fault } from '../../errors.ts'

const pieceCharsMin = 65_536

export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let piece: string[] = []
  let chars = 0
  for await (const text of texts) {
    piece.push(text)
    chars += text.length
    if (chars < pieceCharsMin) continue
    yield Buffer.from(piece.join(''))
    piece = []
    chars = 0
  }
  if (piece.length > 0) yield Buffer.from(piece.join(''))
}

/** The response to a GET or HEAD request with this JSON. */
export function jsonInPieces(method: string, pieces: AsyncIterable<Uint8Array>) {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { headers, body: method === 'HEAD' ? null : pieces }
}

/**
 * The response with a page of a list. `find` reads an item that the page has without its longest fields, while the response is sent. `toRecord`
 * converts an item to its JSON.
 */
export function pageOfLong<Item extends { id: string }>(
  field: string,
  { items, longIds }: { items: readonly Item[] } & WithLong,
  { method, rest }: { method: string; rest: object },
  toRecord: (item: Item) => object,
  find: (id: string) => Promise<Item>,
) {
  if (longIds.size === 0) return { body: { [field]: items.map(toRecord), ...rest } }
  async function* records() {
    for (const item of items) {
      const found = longIds.has(item.id) ? await find(item.id).catch(undefinedIfGone) : item
      if (found !== undefined) yield toRecord(found)
    }
  }
  return jsonInPieces(method, pageInPieces(field, records(), rest))
}

/** An item can be deleted while the items before it are sent. */
function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof Fault && error.code === 'not_found')) throw error
}

/** A page of a list as JSON. `rest`: its other fields. */
export async function* pageInPieces(
  field: string,
  records: AsyncIterable<object>,
  rest: object,
): AsyncGenerator<Buffer, void> {
  yield* inPieces(texts())

  async function* texts(): AsyncGenerator<string, void> {
    let before = `{"${field}":[`
    for await (const record of records) {
      yield before + JSON.stringify(record)
      before = ','
    }
    yield `${before === ',' ? '' : before}],${JSON.stringify(rest).slice(1)}`
  }
}
