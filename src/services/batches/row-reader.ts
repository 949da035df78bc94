/** Reads the rows of an uploaded file: keys and parameters, converted to the declared types. */
import { counted, show } from '../../../shared/text.ts'
import { numberText } from '../../../shared/values.ts'
import type { NewBatchItem } from '../../domain/batches/batch-item.ts'
import { unknownName } from '../../domain/validate.ts'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import { limits } from '../../limits.ts'
import { type CsvRecord, csvRecords } from './csv-rows.ts'
import { linesOf } from './file-lines.ts'
import type { FileProblems } from './file-problem.ts'
import { type JsonRecord, jsonRecords } from './json-rows.ts'
import { ndjsonRecords } from './ndjson-rows.ts'

export const batchFormats = ['csv', 'ndjson', 'json'] as const
export type BatchFormat = (typeof batchFormats)[number]

export interface ReadRow extends NewBatchItem {
  /** The number of the row in a JSON array. */
  line: number
}

interface Options {
  declarations: readonly ParameterDeclaration[]
  /** Parameters that a row doesn't need. */
  defaults: Record<string, unknown>
  problems: FileProblems
  rowsMax?: number
}

/**
 * The rows whose values can be checked, in their order: also those with a key or a name that is reported as a problem, so that the other problems
 * of the row are found, too. Ends after a header with problems: they would be repeated for each row.
 */
export async function* readRows(
  format: BatchFormat,
  source: AsyncIterable<Uint8Array>,
  options: Options,
): AsyncGenerator<ReadRow, void> {
  const { problems, rowsMax = limits.batchRowsMax } = options
  const lineOfKey = new Map<string, number>()
  let count = 0
  for await (const row of rowsOf(format, source, options)) {
    count += 1
    if (count > rowsMax) {
      problems.add(
        row.line,
        '',
        `is row ${count}: a batch has at most ${rowsMax} rows. Split the file into several batches.`,
      )
      return
    }
    const key = row.key ?? String(count)
    const problem = row.keyProblem ?? problemOf(key, lineOfKey.get(key), problems.unit)
    if (problem === undefined) lineOfKey.set(key, row.line)
    else problems.add(row.line, 'key', problem)
    yield { line: row.line, key, parameters: row.parameters }
  }
}

function rowsOf(format: BatchFormat, source: AsyncIterable<Uint8Array>, options: Options): AsyncIterable<RawRow> {
  if (format === 'json') return jsonRows(jsonRecords(source), options)
  return format === 'csv' ? csvRows(linesOf(source), options) : jsonRows(ndjsonRecords(linesOf(source)), options)
}

interface RawRow {
  line: number
  /** Undefined: the number of the row. */
  key: string | undefined
  /** Set if the value can't be a key. */
  keyProblem?: string
  parameters: Record<string, unknown>
}

/** `before`: the line that has the key already. */
function problemOf(key: string, before: number | undefined, unit: string): string | undefined {
  if (before !== undefined)
    return `is ${show(key)}, which is the key of ${unit} ${before} already. Each row needs its own key.`
  if (key === '') return 'must not be empty. Remove the column to use the numbers of the rows as keys.'
  if (key.length > limits.batchKeyCharsMax)
    return `must have at most ${limits.batchKeyCharsMax} characters, not ${key.length}`
  if (key === '.' || key === '..')
    return `can't be ${show(key)}, which clients remove from the URL of a row. Add a letter or a digit.`
  // Half of a surrogate pair can't be stored.
  return /^[^\p{Cc}\p{Cs}]+$/u.test(key) ? undefined : `must be text without control characters, not ${show(key)}`
}

async function* csvRows(lines: Parameters<typeof csvRecords>[0], options: Options): AsyncGenerator<RawRow, void> {
  const { problems } = options
  let columns: Column[] | undefined
  let isEmpty = true
  for await (const record of csvRecords(lines)) {
    isEmpty = false
    if ('problem' in record) problems.add(record.line, '', record.problem)
    else if (columns === undefined) {
      const before = problems.count
      columns = columnsOf(record, options)
      if (problems.count > before) return
    } else {
      const row = rowOf({ ...record, cells: withoutEmptyEnd(record.cells, columns.length) }, columns)
      if (typeof row === 'string') problems.add(record.line, '', row)
      else yield row
    }
  }
  if (isEmpty)
    problems.add(1, '', 'is missing: the file is empty. It must have a header with the names of parameters, and rows.')
}

/** Spreadsheets write empty cells at the right of a table. */
function withoutEmptyEnd(cells: string[], lengthMin: number): string[] {
  let length = cells.length
  while (length > lengthMin && cells[length - 1]?.trim() === '') length -= 1
  return cells.slice(0, length)
}

type Column = ParameterDeclaration | 'key'

function columnsOf(header: CsvRecord, { declarations, defaults, problems }: Options): Column[] {
  const { line } = header
  const cells = withoutEmptyEnd(header.cells, 1)
  const columnsMax = declarations.length + 1
  if (cells.length > columnsMax) {
    // A header can repeat a known name half a million times.
    const known = new Set(['key', ...declarations.map(({ name }) => (name === 'key' ? 'parameters.key' : name))])
    const extra = cells.find((cell) => !known.has(cell.trim()))
    const hint = extra === undefined ? '' : ` The first unknown column is ${show(extra)}.`
    problems.add(
      line,
      '',
      `has ${counted(cells.length, 'column')}, but the workflow has only ${counted(declarations.length, 'parameter')} and "key".${hint}`,
    )
    return []
  }
  const columns: Column[] = []
  for (const [i, cell] of cells.entries()) {
    const name = cell.trim()
    const column = name === 'key' ? name : declarations.find((declaration) => declaration.name === parameterOf(name))
    if (name === '') problems.add(line, '', `has no name for column ${i + 1}`)
    else if (column === undefined) problems.add(line, name, unknownColumn(name, declarations))
    else if (columns.includes(column)) problems.add(line, name, 'is the name of two columns')
    else columns.push(column)
  }
  for (const missing of missingOf(declarations, defaults)) {
    if (!columns.includes(missing))
      problems.add(
        line,
        missing.name,
        'is required by the workflow, but there is no such column. Add the column, or a value to `defaults`.',
      )
  }
  return columns
}

/** `parameters.key` is the column of a parameter with the name of the key column. */
function parameterOf(name: string): string {
  return name === 'parameters.key' ? 'key' : name
}

function missingOf(declarations: readonly ParameterDeclaration[], defaults: Record<string, unknown>) {
  return declarations.filter(
    ({ name, required, default: preset }) => required && preset === undefined && defaults[name] === undefined,
  )
}

function unknownColumn(name: string, declarations: readonly ParameterDeclaration[]): string {
  const names = declarations.map((declaration) => (declaration.name === 'key' ? 'parameters.key' : declaration.name))
  return unknownName('column: it must be "key" or a parameter', name, ['key', ...names])
}

/** The row, or the problem that it has. */
function rowOf({ line, cells, separator }: CsvRecord, columns: readonly Column[]): RawRow | string {
  if (cells.length !== columns.length)
    return `has ${counted(cells.length, 'cell')}, but the header has ${counted(columns.length, 'column')}. Quote cells that contain the separator.`
  let key: string | undefined
  const parameters: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? ''
    if (column === 'key') key = cell
    // An empty cell passes no value.
    else if (cell !== '') parameters[column.name] = convertCell(cell, column, separator)
  }
  return { line, key, parameters }
}

/** A cell that doesn't fit stays text, and the check of the row reports it. */
function convertCell(
  cell: string,
  { type, format }: ParameterDeclaration & { format?: string },
  separator: string,
): unknown {
  const text = cell.trim()
  if (type === 'number') {
    // Spreadsheets separate cells by semicolons where numbers have a decimal comma.
    const number = separator === ';' && decimalComma.test(text) ? text.replace(',', '.') : text
    return numberText.test(number) ? Number(number) : cell
  }
  // Spreadsheets write TRUE.
  if (format === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return cell
}

const decimalComma = /^[+-]?\d*,\d+(e[+-]?\d+)?$/i

async function* jsonRows(
  records: AsyncIterable<JsonRecord>,
  { declarations, problems }: Options,
): AsyncGenerator<RawRow, void> {
  const names = new Set(declarations.map(({ name }) => name))
  for await (const record of records) {
    const { line } = record
    if (record.problem !== undefined) {
      problems.add(line, '', record.problem)
      continue
    }
    const unknown = Object.keys(record.value).filter((name) => name !== 'key' && !names.has(parameterOf(name)))
    for (const name of unknown.slice(0, limits.issuesMax)) problems.add(line, name, unknownColumn(name, declarations))
    const { key, ...values } = record.value
    // Null passes no value.
    const passed = Object.entries(values).filter(([name, value]) => value !== null && names.has(parameterOf(name)))
    const parameters = Object.fromEntries(passed.map(([name, value]) => [parameterOf(name), value]))
    yield { line, ...jsonKey(key), parameters }
  }
}

function jsonKey(key: unknown): Pick<RawRow, 'key' | 'keyProblem'> {
  if (key === undefined || key === null) return { key: undefined }
  if (typeof key === 'string') return { key }
  if (typeof key !== 'number') return { key: undefined, keyProblem: `must be text, not ${show(key)}` }
  if (Number.isSafeInteger(key)) return { key: String(key) }
  // Its last digits are lost: two keys could become one.
  const keyProblem = 'must be text or a whole number of at most 15 digits. Put it in quotes.'
  return { key: undefined, keyProblem }
}
