/** Records of a CSV file, in bounded memory. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CsvError } from 'csv-parse'
import { nextPause } from '../../domain/pauses.ts'
import { limits } from '../../limits.ts'
import { countLines, type Lines } from './file-lines.ts'
import { FileProblem, TooManyProblems } from './file-problem.ts'

export interface CsvRecord {
  /** Its first line. */
  line: number
  /** The character between the cells of the file. */
  separator: string
  cells: string[]
}

/** A record that can't be read. */
export interface CsvProblem {
  line: number
  problem: string
  /** The parser can't find the row after it: what it reports from there on is wrong. */
  isLast: boolean
}

/**
 * The first record is the header. Throws `FileProblem` if the rest can't be read. Problems of single records come after the records of their
 * piece of the file.
 */
export async function* csvRecords(lines: AsyncIterable<Lines>): AsyncGenerator<CsvRecord | CsvProblem, void> {
  const texts = lines[Symbol.asyncIterator]()
  let head = await texts.next()
  let separator: string | undefined
  // Blank lines before the header don't show which character separates its cells.
  for (; !head.done; head = await texts.next()) {
    const { first, text } = head.value
    const declared = separator === undefined ? declaredSeparator.exec(text) : null
    separator ??= declared?.[2]
    // Its line stays, empty, so that the numbers of lines are right.
    const rest = declared ? `${declared[1]}\n${text.slice(declared[0].length)}` : text
    head = { done: false, value: { first, text: rest } }
    if (!/^\n*$/.test(rest)) break
  }
  if (head.done) return
  const start = head
  const linesBefore = start.value.first - 1
  const delimiter = separator ?? delimiterOf(start.value.text)
  const problems: CsvProblem[] = []
  // Not above: most starts read no CSV.
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    record_delimiter: ['\n'],
    // Wrong numbers of cells are reported by line.
    relax_column_count: true,
    skip_empty_lines: true,
    // Spreadsheets write empty rows as separators.
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    on_skip(error) {
      if (error) problems.push(problemOf(error, linesBefore))
      if (problems.length > limits.batchProblemsMax) throw new TooManyProblems()
    },
    max_record_size: limits.batchRowBytesMax,
    info: true,
  })
  async function* rest() {
    try {
      for (let next: typeof head = start; !next.done; next = await texts.next()) yield* inPieces(next.value.text)
    } finally {
      await texts.return?.(undefined)
    }
  }
  // An error of any part is thrown by the parser.
  pipeline(Readable.from(rest(), { highWaterMark: 1 }), parser).catch(() => undefined)
  let last: CsvProblem | undefined
  function* found(): Generator<CsvProblem, void> {
    for (const problem of problems.splice(0)) {
      if (problem.isLast) last ??= problem
      if (last === undefined) yield problem
    }
  }
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      yield* found()
      const line = linesBefore + info.lines - record.reduce((count, cell) => count + countLines(cell), 0)
      if (last !== undefined && line >= last.line) break
      yield { line, cells: record, separator: delimiter }
    }
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error
  }
  yield* found()
  if (last !== undefined) throw new FileProblem(last.line, last.problem)
}

/**
 * The parser takes up to 20 ms for a piece: it creates an error with a stack for each row with a wrong number of cells, and a row can have two bytes.
 * Between two pieces, other requests have their turn.
 */
const pieceBytes = 1_024

async function* inPieces(text: string): AsyncGenerator<Buffer, void> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (from > 0) await nextPause()
    yield bytes.subarray(from, from + pieceBytes)
  }
}

function problemOf({ code, message, lines }: CsvError, linesBefore: number): CsvProblem {
  const problem = messages[code] ?? `can't be read as CSV: ${message}`
  return { line: linesBefore + Number(lines ?? 1), problem, isLast: lastCodes.has(code) }
}

const lastCodes: ReadonlySet<string> = new Set(['CSV_MAX_RECORD_SIZE', 'CSV_INVALID_CLOSING_QUOTE'])

const quoting = 'Put the whole cell in quotes, and write a quote inside of it twice: "a ""quoted"" word".'

const messages: Record<string, string> = {
  INVALID_OPENING_QUOTE: `has a quote in the middle of a cell. ${quoting}`,
  CSV_INVALID_CLOSING_QUOTE: `has text after the closing quote of a cell. ${quoting}`,
  CSV_QUOTE_NOT_CLOSED: 'is the end of the file inside of a quoted cell: its closing quote is missing',
  CSV_MAX_RECORD_SIZE: `has a row of more than ${limits.batchRowBytesMax} bytes. Is a quote not closed?`,
}

/** A first line for spreadsheets that names the separator: `sep=;`. */
const declaredSeparator = /^(\n*)"?sep=([^"\n])"? *\n/i

/** Names of parameters contain none of these, so the header shows which one separates its cells. */
function delimiterOf(text: string): string {
  const [header = ''] = /[^\n]+/.exec(text) ?? []
  return [',', ';', '\t'].find((separator) => header.includes(separator)) ?? ','
}
