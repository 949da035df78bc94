/** CSV files in pieces, with cells that no spreadsheet runs as a formula. */

/** Minimum length of a piece of the file: between two pieces, the event loop serves other requests. */
const pieceCharsMin = 131_072

export async function* inPieces(rows: readonly (() => string[])[]): AsyncGenerator<Buffer, void> {
  let records: string[][] = []
  let chars = 0
  for (const cellsOf of rows) {
    const cells = cellsOf()
    records.push(cells)
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (chars < pieceCharsMin) continue
    yield await csvOf(records)
    records = []
    chars = 0
  }
  if (records.length > 0) yield await csvOf(records)
}

export async function csvOf(records: string[][]): Promise<Buffer> {
  // Not above: most starts write no CSV.
  const { stringify } = await import('csv-stringify/sync')
  // Spreadsheets of some languages separate cells at semicolons: the rest of an unquoted cell could be a formula.
  const options = { escape_formulas: true, quoted_match: /[;\t]/, record_delimiter: '\r\n' }
  return Buffer.from(stringify(records, options))
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
