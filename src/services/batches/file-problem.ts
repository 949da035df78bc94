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

export interface FileProblems {
  /** `column`: the parameter, or empty for the line. */
  add(line: number, column: string, message: string): void
  readonly count: number
  /** `invalid_request` with the problems. */
  toFault(rowCount: number): Fault
}

export function createFileProblems(): FileProblems {
  const issues: Issue[] = []
  let count = 0
  return {
    add(line, column, message) {
      count += 1
      if (issues.length < limits.issuesMax)
        issues.push({ path: column === '' ? `line ${line}` : `line ${line}, ${column}`, message, line })
    },
    get count() {
      return count
    },
    toFault(rowCount) {
      const [first = { path: '', message: 'is invalid' }] = issues
      const more = count > 1 ? ` (${count - 1} more ${count === 2 ? 'issue' : 'issues'})` : ''
      return new Fault('invalid_request', `${issueSentence(first, 'The file')}${more}`, {
        issues,
        issueCount: count,
        rowCount,
      })
    },
  }
}
