import type { Problem } from './problem.ts'

/** Parts of the document that need fonts, and mistakes in its CSS. */
export interface Usage {
  families: Set<string>
  /** Text of `content`. */
  texts: string[]
  /** Attributes whose values `content` can draw. */
  attributes: Set<string>
  changesCase: boolean
  /** Whether it spaces letters. */
  hasSpacing: boolean
  /** Whether it cuts lines with an ellipsis. */
  cutsLines: boolean
  /** Whether it has flexboxes or grids, whose items can be texts. */
  hasItems: boolean
  problems: Problem[]
}

export function emptyUsage(): Usage {
  return {
    families: new Set(),
    texts: [],
    attributes: new Set(),
    changesCase: false,
    hasSpacing: false,
    cutsLines: false,
    hasItems: false,
    problems: [],
  }
}
