/** Problems of an uploaded file by line: the first ones, and how many there are. */
import { Fault, type Issue, issueSentence } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** The rest of the file can't be read. */
export class FileProblem extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.name = 'FileProblem'
    this.line = line
  }
}

/** The rest of the file is not read: reporting each problem of a large file takes minutes. */
export class TooManyProblems extends Error {}

export interface FileProblems {
  /** `column`: the parameter, or empty for the line. Throws `TooManyProblems` after the last one that counts. */
  add(line: number, column: string, message: string): void
  /** Adds the problem that ended the reading. Throws errors that are none. */
  end(error: unknown): void
  readonly count: number
  /** The name of a place in the file: of a row if it can have all rows in one line. */
  readonly unit: 'line' | 'row'
  /** `invalid_request` with the problems. */
  toFault(rowCount: number): Fault
}

export function createFileProblems(unit: FileProblems['unit'] = 'line'): FileProblems {
  const issues: { place: number; issue: Issue }[] = []
  let count = 0
  function note(line: number, column: string, message: string): void {
    count += 1
    if (issues.length >= limits.issuesMax) return
    // A name of an unknown column can be as long as the line.
    const place = `${unit} ${line}`
    const path = column === '' ? place : `${place}, ${beginningOf(column)}`
    issues.push({ place: line, issue: { path, message, ...(unit === 'line' && { line }) } })
  }
  return {
    unit,
    add(line, column, message) {
      note(line, column, message)
      if (count >= limits.batchProblemsMax) throw new TooManyProblems()
    },
    end(error) {
      if (error instanceof FileProblem) note(error.line, '', error.message)
      else if (!(error instanceof TooManyProblems)) throw error
    },
    get count() {
      return count
    },
    toFault(rowCount) {
      // Values are checked for many rows together, after their keys.
      const sorted = issues.toSorted((a, b) => a.place - b.place).map(({ issue }) => issue)
      const [first = { path: '', message: 'is invalid' }] = sorted
      const more = count > 1 ? ` (${count - 1} more ${count === 2 ? 'issue' : 'issues'})` : ''
      return new Fault('invalid_request', `${issueSentence(first, 'The file')}${more}`, {
        issues: sorted,
        issueCount: count,
        rowCount,
      })
    },
  }
}

const columnCharsMax = 200

function beginningOf(column: string): string {
  return column.length > columnCharsMax ? `${column.slice(0, columnCharsMax).toWellFormed()}...` : column
}
