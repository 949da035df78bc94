/** A workflow's parameters: their declarations, and the values that an execution passes. */
import { parameterProblem } from '../../../shared/parameters.ts'
import { show } from '../../../shared/text.ts'
import { unknownName } from '../../domain/validate.ts'
import type { ParameterDeclaration, ParameterValues, WorkflowExample } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** The rules for declarations that the schema can't express: unique names, and defaults within their limits. */
export function checkDeclarations(declarations: readonly ParameterDeclaration[]): Issue[] {
  const issues: Issue[] = []
  const first = new Map<string, number>()
  for (const [i, declaration] of declarations.entries()) {
    const at = `parameters.${i}`
    const before = first.get(declaration.name)
    if (before !== undefined)
      issues.push({
        path: `${at}.name`,
        message: `is ${show(declaration.name)}, which is already declared at parameters.${before}. Choose another name.`,
      })
    else first.set(declaration.name, i)
    if (declaration.name === 'nodes')
      issues.push({
        path: `${at}.name`,
        message: 'is "nodes", which is reserved: templates read the values of nodes from it. Choose another name.',
      })
    if (declaration.type === 'number' && (declaration.minimum ?? -Infinity) > (declaration.maximum ?? Infinity)) {
      issues.push({
        path: `${at}.minimum`,
        message: `must be at most the maximum (${declaration.maximum}), not ${declaration.minimum}`,
      })
    }
    if (declaration.default !== undefined) {
      const problem = parameterProblem(declaration, declaration.default)
      if (problem) issues.push({ path: `${at}.default`, message: problem })
    }
  }
  return issues
}

/** The values with defaults filled in, or every problem under `parameters`. Converts nothing. */
export function bindParameters(
  declarations: readonly ParameterDeclaration[],
  args: Record<string, unknown>,
): { values: ParameterValues; issues: Issue[] } {
  const values: ParameterValues = {}
  const issues: Issue[] = []
  const names = declarations.map((declaration) => declaration.name)
  for (const name of Object.keys(args)) {
    if (names.includes(name)) continue
    if (issues.length >= limits.issuesMax) break
    const message =
      names.length > 0
        ? unknownName('parameter of this workflow', name, names)
        : 'is not a parameter of this workflow, which has no parameters'
    issues.push({ path: `parameters.${name}`, message })
  }
  for (const declaration of declarations) {
    // Null means that the parameter is not passed: no parameter has a type with null.
    const passed = Object.hasOwn(args, declaration.name) ? args[declaration.name] : undefined
    const value = passed ?? declaration.default
    if (value === undefined) {
      if (declaration.required)
        issues.push({ path: `parameters.${declaration.name}`, message: `is required (${declaration.type})` })
      continue
    }
    const problem = parameterProblem(declaration, value)
    if (problem) issues.push({ path: `parameters.${declaration.name}`, message: problem })
    else values[declaration.name] = value as string | number
  }
  return { values, issues }
}

/** The rules for examples that the schema can't express: unique names, and values that an execution accepts. */
export function checkExamples(
  examples: readonly WorkflowExample[],
  declarations: readonly ParameterDeclaration[],
): Issue[] {
  const names = examples.map(({ name }) => name)
  const found: Issue[] = []
  for (const [i, { name, parameters = {} }] of examples.entries()) {
    if (found.length >= limits.issuesMax) break
    const at = `examples.${i}`
    const before = names.indexOf(name)
    if (before < i)
      found.push({
        path: `${at}.name`,
        message: `is ${show(name)}, the name of examples.${before}. Choose another name.`,
      })
    const { issues } = bindParameters(declarations, parameters)
    found.push(...issues.map(({ path, message }) => ({ path: `${at}.${path}`, message })))
  }
  return found
}
