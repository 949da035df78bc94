/** Checks `when` of a node: a template, or a value. */
import { parseTemplate, type Template, TemplateProblem } from '../../../shared/template/template.ts'
import { isTemplate } from '../../../shared/values.ts'
import type { WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { problemOf } from './values.ts'

interface CheckedCondition {
  condition: Template | boolean
  issues: Issue[]
  overLimit: boolean
}

export function checkWhen(when: WorkflowNode['when'], at: string): CheckedCondition {
  const right = { issues: [], overLimit: false }
  if (when === undefined) return { condition: true, ...right }
  if (!isTemplate(when)) return { condition: isTruthy(when), ...right }
  try {
    return { condition: parseTemplate(when), ...right }
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return { condition: true, issues: [{ path: at, ...problemOf(error) }], overLimit: error.overLimit }
  }
}

/** Nothing, `false` and `0` are false. Everything else is true. */
export function isTruthy(value: unknown): boolean {
  const text = value === null || value === undefined ? '' : String(value).trim()
  return text !== '' && text !== 'false' && text !== '0'
}
