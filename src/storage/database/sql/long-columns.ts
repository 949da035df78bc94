/** Columns of a list that leave out long values of a row, because those of a page can have 100 MB together. */
import { type RawBuilder, sql } from 'kysely'

/** Size of the values and brand values of a row in a list. */
const listedBytesMax = 16_384

/** `is_long`, and both columns without values if they are long. `values`: the column of a JSON object. */
export function shortened<Values extends string>(
  table: string,
  values: Values,
  brand: RawBuilder<unknown> = sql.ref(`${table}.brand`),
) {
  const column = sql.ref(`${table}.${values}`)
  const isLong = sql<
    number | boolean
  >`(octet_length(${column}) + coalesce(octet_length(${brand}), 0) > ${sql.lit(listedBytesMax)})`
  return [
    isLong.as('is_long'),
    sql<string>`case when ${isLong} then '{}' else ${column} end`.as(values),
    sql<string | null>`case when ${isLong} then null else ${brand} end`.as('brand'),
  ] as const
}
