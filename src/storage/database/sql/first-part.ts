/** Maximum size of the long values of rows that one statement reads or removes. */
const partBytesMax = 2_097_152

/** The first rows that have at most `partBytesMax` bytes together, and at least one. */
export function firstPart<Row extends { bytes: number }>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += Number(row.bytes)
    return i > 0 && bytes > partBytesMax
  })
  return end < 0 ? rows : rows.slice(0, end)
}
