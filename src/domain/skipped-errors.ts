/** Errors one after another after which the database itself probably doesn't work. */
const errorsMax = 10

/** Errors of single items of a job, which don't keep it from the other items. */
export interface SkippedErrors {
  /** Whether the work succeeded. Throws its error if it is the tenth one in a row. */
  skip(work: () => Promise<void>): Promise<boolean>
  /** Throws the first error, if there was one. */
  throwAny(): void
}

export function createSkippedErrors(): SkippedErrors {
  let first: { error: unknown } | undefined
  let inARow = 0
  return {
    async skip(work) {
      try {
        await work()
        inARow = 0
        return true
      } catch (error) {
        first ??= { error }
        inARow += 1
        if (inARow === errorsMax) throw error
        return false
      }
    },
    throwAny() {
      if (first !== undefined) throw first.error
    },
  }
}

/** The ids in their order, first those behind the last one that had its turn: no item keeps those behind it waiting for ever. */
export function startingAfter(lastId: string, ids: readonly string[]): string[] {
  const sorted = ids.toSorted()
  return [...sorted.filter((id) => id > lastId), ...sorted.filter((id) => id <= lastId)]
}
