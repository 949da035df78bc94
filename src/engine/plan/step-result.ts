/** The results of steps. */
import type { Frame } from '../../../shared/frames.ts'
import type { ImageValue } from '../../imaging/types.ts'

export interface StepResult {
  /** Undefined for a step that was skipped without an image, and for a list, whose images are in `list`. */
  image: ImageValue | undefined
  /**
   * Values for templates: width, height, format and the values of the operation. For a list: a list of each, and
   * `count`.
   */
  values: Record<string, unknown>
  skipped: boolean
  list?: ListResult
  /** Frames of the image; of the first image of a list. Undefined for none. */
  frames?: readonly Frame[]
  /** Warnings of the operation, and of the results that it was made from. Undefined for none. */
  warnings?: readonly ResultWarning[]
}

/** A problem of a result that can be used. Stored with the result, so that a cache hit has it too. */
export interface ResultWarning {
  node: string
  /** The operation of the node. The cache is shared by workflows, in which the node can be another. */
  operation: string
  message: string
}

/** The result of a node that ran over a list: one result for each item. */
export interface ListResult {
  results: StepResult[]
  items: unknown[]
  /** The nodes with `each` that it comes from. */
  origins: ReadonlySet<string>
}

export function listResult(list: ListResult, names: readonly string[]): StepResult {
  const { results } = list
  const values = Object.fromEntries(names.map((name) => [name, results.map((result) => result.values[name] ?? null)]))
  const frames = results.find(({ image }) => image)?.frames
  return {
    image: undefined,
    values: { ...values, count: results.length },
    skipped: results.length > 0 && results.every((result) => result.skipped),
    list,
    ...(frames && { frames }),
  }
}

/** All its images in order. */
export function imagesOf(result: StepResult | undefined): ImageValue[] {
  const results = result?.list?.results ?? (result ? [result] : [])
  return results.flatMap(({ image }) => image ?? [])
}

/** Whether it has unfinished pipeline stages. */
export function isPending(result: StepResult | undefined): boolean {
  return imagesOf(result).some(({ pending }) => pending !== undefined)
}

/** The result without images, for templates. */
export function withoutImages({ list, ...result }: StepResult): StepResult {
  const single = { ...result, image: undefined }
  return list
    ? { ...single, list: { ...list, results: list.results.map((result) => ({ ...result, image: undefined })) } }
    : single
}
