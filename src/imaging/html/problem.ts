/** A mistake in HTML or CSS, at a place of its text. Lines and columns start at 1. */
export interface Problem {
  line: number
  column: number
  /** One or two sentences: the problem, and the fix. */
  message: string
}

/** Problems in the order of the text, each once. */
export function sorted(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((problem) => [`${problem.line} ${problem.column} ${problem.message}`, problem]))
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column)
}

/** The end of a sentence that begins with the name of the text. */
export function sentence({ line, column, message }: Problem): string {
  return `line ${line}, column ${column}: ${message}`
}
