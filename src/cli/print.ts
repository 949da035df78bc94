import { isObject } from '../../shared/values.ts'

/** One JSON value, or a table that reads well: a list as rows, one thing as its fields. */
export function print(value: unknown, json: boolean): string {
  if (json) return `${JSON.stringify(value)}\n`
  if (typeof value === 'string') return value.endsWith('\n') ? value : `${value}\n`
  if (Array.isArray(value)) return table(value as Record<string, unknown>[])
  return columns(fields(value as Record<string, unknown>, ''))
}

function fields(value: Record<string, unknown>, prefix: string): string[][] {
  return Object.entries(value).flatMap(([name, field]) =>
    isObject(field) ? fields(field, `${prefix}${name}.`) : [[`${prefix}${name}`, text(field)]],
  )
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows
  if (first === undefined) return '(none)\n'
  const names = Object.keys(first)
  return columns([names, ...rows.map((row) => names.map((name) => text(row[name])))])
}

function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(text).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
