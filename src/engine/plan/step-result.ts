/** What steps hand to their readers. */
import type { Picture } from '../../operations/define.ts'

export interface StepResult {
  /** None when it was skipped and had nothing to hand on; none of a list either, whose images stand in `list`. */
  image: Picture | undefined
  /** For templates: width, height, format, and what the operation declares. Of a list, a list of each, and `count`. */
  values: Record<string, unknown>
  skipped: boolean
  list?: ListResult
}

/** A node that ran over a list: one result for each item. */
export interface ListResult {
  results: StepResult[]
  items: unknown[]
  /** The nodes with `each` that it comes from. */
  origins: ReadonlySet<string>
}

export function listResult(list: ListResult, names: readonly string[]): StepResult {
  const { results } = list
  const values = Object.fromEntries(names.map((name) => [name, results.map((result) => result.values[name] ?? null)]))
  return {
    image: undefined,
    values: { ...values, count: results.length },
    skipped: results.length > 0 && results.every((result) => result.skipped),
    list,
  }
}

/** All its images, in their order. */
export function picturesOf(result: StepResult | undefined): Picture[] {
  const results = result?.list?.results ?? (result ? [result] : [])
  return results.flatMap(({ image }) => image ?? [])
}

/** Whether some of its pixels are still to be made. */
export function isPending(result: StepResult | undefined): boolean {
  return picturesOf(result).some(({ pending }) => pending !== undefined)
}

/** What templates see of it. */
export function withoutImages({ list, ...result }: StepResult): StepResult {
  const own = { ...result, image: undefined }
  return list
    ? { ...own, list: { ...list, results: list.results.map((each) => ({ ...each, image: undefined })) } }
    : own
}
