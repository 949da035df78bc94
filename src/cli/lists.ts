/** Lists of the API as arrays. */
import { Option } from 'commander'
import { integerFrom1To } from './options.ts'

const limitDefault = 100

export const limitOption = () =>
  new Option('--limit <n>', 'maximum number of records').argParser(integerFrom1To(10_000)).default(limitDefault)

/** The first records of a list. Reports on standard error if there are more than by default. */
export async function firstOf<Item>(list: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    if (items.length === limit) {
      if (limit === limitDefault) process.stderr.write(`There are more than ${limit}: use --limit.\n`)
      break
    }
    items.push(item)
  }
  return items
}

/** The records as they are with `--json`, and otherwise one row for each. */
export function rows<Item>(items: Item[], row: (item: Item) => object): { answer: Item[]; view: object[] } {
  return { answer: items, view: items.map(row) }
}
