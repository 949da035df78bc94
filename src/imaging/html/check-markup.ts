/** Checks the HTML and CSS of a node with its templates in place, when a workflow is saved. Values of templates are not known. */
import { inspectCss } from './check-css.ts'
import { inspectHtml } from './check-html.ts'
import { maskTemplates } from './mask.ts'
import type { Wired } from './node-reference.ts'
import { type Problem, sorted } from './problem.ts'

export function checkHtmlSource(source: string, wired: Wired): Problem[] {
  const problems: Problem[] = []
  for (const text of maskTemplates(source)) problems.push(...inspectHtml(text, wired).problems)
  return sorted(problems)
}

export function checkCssSource(source: string, wired: Wired): Problem[] {
  const problems: Problem[] = []
  for (const text of maskTemplates(source))
    problems.push(...inspectCss({ text, context: 'stylesheet' }, wired).problems)
  return sorted(problems)
}
