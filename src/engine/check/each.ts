/** Checks `each` of a node: the list of its items, or their number. */
import Type from 'typebox'
import { type Check, checker, joinPath } from '../../domain/validate.ts'
import { Each, eachExpected } from '../../domain/workflows/workflow.ts'

/** The schema of `each`, for `resolve`. */
export const EachHolder = Type.Object({ each: Each })
const checkEach = checker(EachHolder)
/** One issue: the errors as a list and as a count would contradict each other. */
export const checkEachHolder: Check = (value, at = '') => {
  const path = joinPath(at, 'each')
  const hasIssue = checkEach(value, at).some((issue) => issue.path === path)
  return hasIssue ? [{ path, message: `must be ${eachExpected}` }] : []
}
