/** The data of a chart, from lists or from text. */
import { counted } from '../../../shared/text.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'

export interface ChartSeries {
  name: string
  /** One per label; null for a gap. */
  values: (number | null)[]
}

export interface ChartData {
  labels: string[]
  series: ChartSeries[]
}

export const headers = ['auto', 'yes', 'no'] as const

/** Data from the params `labels` and `series`. */
export function dataFromLists(labels: string[], series: { name?: string; values: number[] }[]): ChartData {
  const count = Math.max(labels.length, ...series.map(({ values }) => values.length))
  for (const [at, { values }] of series.entries()) {
    if (labels.length > 0 && values.length !== labels.length) {
      throw failure(
        'input_invalid',
        `series.${at} has ${counted(values.length, 'value')} for ${counted(labels.length, 'label')}; it needs one for each.`,
      )
    }
  }
  checkCounts(series.length, count)
  return checked({
    labels: Array.from({ length: count }, (_, at) => labels[at] ?? String(at + 1)),
    series: series.map(({ name, values }, at) => ({
      name: name ?? `Series ${at + 1}`,
      values: Array.from({ length: count }, (_, point) => values[point] ?? null),
    })),
  })
}

/**
 * Data from lines of `label,value[,value]`; tabs or semicolons also work as separators, and then decimal commas are
 * allowed. The first line may name the series; by default it does if it has no number.
 */
export function dataFromText(text: string, header: (typeof headers)[number]): ChartData {
  const separator = text.includes('\t') ? '\t' : text.includes(';') ? ';' : ','
  const rows = rowsOf(text, separator)
  const [first] = rows
  if (first === undefined)
    throw failure('input_invalid', '`data` has no lines; it needs one `label,value` for each point.')
  const names = first.cells.slice(1)
  const isWords = names.length > 0 && names.every((cell) => cell !== '' && !isNumber(cell, separator))
  const hasHeader = header === 'yes' || (header === 'auto' && isWords)
  const points = hasHeader ? rows.slice(1) : rows
  const count = Math.max(...rows.map(({ cells }) => cells.length)) - 1
  if (points.length === 0) throw failure('input_invalid', '`data` has names of series, but no line with values.')
  if (count < 1) throw failure('input_invalid', '`data` has only labels; a line is `label,value`.')
  checkCounts(count, points.length)
  return checked({
    labels: points.map(({ cells }) => cells[0] ?? ''),
    series: Array.from({ length: count }, (_, at) => ({
      name: (hasHeader ? first.cells[at + 1] : '') || `Series ${at + 1}`,
      values: points.map(({ cells, line }) => numberIn(cells[at + 1] ?? '', separator, line)),
    })),
  })
}

/**
 * Checks the counts before the values are read: the lines of a short text can have tens of millions together, because a
 * gap needs no character.
 */
function checkCounts(series: number, points: number): void {
  if (series > limits.chartSeriesMax) {
    throw failure('limit_exceeded', `The chart has ${series} series; at most ${limits.chartSeriesMax} are drawn.`)
  }
  if (points > limits.chartPointsMax) {
    throw failure('limit_exceeded', `A series has ${points} values; at most ${limits.chartPointsMax} are drawn.`)
  }
  const count = points * series
  if (count > limits.chartValuesMax) {
    throw failure('limit_exceeded', `The chart has ${count} values; at most ${limits.chartValuesMax} are drawn.`)
  }
}

function checked(data: ChartData): ChartData {
  const { labels, series } = data
  const long = labels.concat(series.map(({ name }) => name)).find((name) => name.length > limits.labelCharsMax)
  if (long !== undefined) {
    throw failure(
      'limit_exceeded',
      `The label "${long.slice(0, 30)}..." has ${long.length} characters; at most ${limits.labelCharsMax} are allowed.`,
    )
  }
  const twice = series.find(({ name }, at) => series.findIndex((other) => other.name === name) < at)
  if (twice) throw failure('input_invalid', `Two series are named "${twice.name}"; each needs its own name.`)
  if (series.every(({ values }) => values.every((value) => value === null))) {
    throw failure('input_invalid', 'The chart has no values.')
  }
  return data
}

function numberIn(cell: string, separator: string, line: number): number | null {
  if (cell === '') return null
  if (!isNumber(cell, separator)) {
    throw failure('input_invalid', `Line ${line} of \`data\`: "${cell.slice(0, 40)}" is not a number.`)
  }
  return Number(separator === ',' ? cell : cell.replace(',', '.'))
}

function isNumber(cell: string, separator: string): boolean {
  const plain = separator === ',' ? cell : cell.replace(',', '.')
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i.test(plain)
}

/** Quoted cells may contain separators, line breaks and doubled quotes: RFC 4180. Empty lines are skipped. */
function rowsOf(text: string, separator: string): { cells: string[]; line: number }[] {
  const rows: { cells: string[]; line: number }[] = []
  let [cells, cell, quoted, line, start]: [string[], string, boolean, number, number] = [[], '', false, 1, 1]
  const endRow = () => {
    const whole = [...cells, cell.trim()]
    if (whole.some((one) => one !== '')) rows.push({ cells: whole, line: start })
    cells = []
    cell = ''
    start = line
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string
    if (char === '\n') line += 1
    if (quoted && char === '"' && text[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (char === '"' && (quoted || cell.trim() === '')) quoted = !quoted
    else if (quoted) cell += char
    else if (char === separator) {
      cells.push(cell.trim())
      cell = ''
    } else if (char === '\n') endRow()
    else if (char !== '\r' && char !== '\ufeff') cell += char
  }
  endRow()
  return rows
}
