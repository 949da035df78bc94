import { isObject } from '../../shared/values.ts'

/** One JSON value, or a table that reads well: a list as rows, one thing as its fields. `width`: the columns of a terminal, for tables. */
export function print(value: unknown, json: boolean, width?: number): string {
  if (json) return `${JSON.stringify(value)}\n`
  if (typeof value === 'string') return value.endsWith('\n') ? value : `${value}\n`
  if (Array.isArray(value)) return table(value as Record<string, unknown>[], width)
  return columns(fields(value as Record<string, unknown>, ''))
}

function fields(value: Record<string, unknown>, prefix: string): string[][] {
  return Object.entries(value).flatMap(([name, field]) =>
    isObject(field) ? fields(field, `${prefix}${name}.`) : [[`${prefix}${name}`, text(field)]],
  )
}

function table(rows: Record<string, unknown>[], width?: number): string {
  const [first] = rows
  if (first === undefined) return '(none)\n'
  const names = Object.keys(first)
  const cells = [names, ...rows.map((row) => names.map((name) => text(row[name])))]
  return columns(width === undefined ? cells : cutTo(width, cells))
}

const gap = 2
const cellMin = 8

/** Shortens the longest cells until the rows fit. The first column names the record, so it stays. */
function cutTo(width: number, rows: string[][]): string[][] {
  const widths = widthsOf(rows)
  const total = () => widths.reduce((sum, each) => sum + each + gap, -gap)
  while (total() > width) {
    const widest = widths.reduce((at, each, i) => (i > 0 && each > (widths[at] ?? 0) ? i : at), 1)
    if ((widths[widest] ?? 0) <= cellMin) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return rows.map((row) => row.map((cell, i) => cut(cell, widths[i] ?? 0)))
}

function cut(cell: string, max: number): string {
  const characters = [...cell]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : cell
}

function widthsOf(rows: string[][]): number[] {
  return (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => [...(row[i] ?? '')].length)))
}

function columns(rows: string[][]): string {
  const widths = widthsOf(rows)
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - [...cell].length)))
          .join(' '.repeat(gap))
          .trimEnd()}\n`,
    )
    .join('')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(text).join(',')
  // A name with a line break or an escape sequence must not change the table or the terminal.
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll(/\p{Cc}/gu, ' ')
}
