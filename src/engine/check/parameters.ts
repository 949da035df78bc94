/** A workflow's parameters: their declarations, and the values that an execution passes. */
import type { TSchema } from 'typebox'
import { joined, type ValuesLeft } from '../../../shared/json-schema.ts'
import { reservedParameterNames } from '../../../shared/names.ts'
import { isDataUrl, parameterFormats } from '../../../shared/parameter-formats.ts'
import { readValue, visitImages } from '../../../shared/parameters.ts'
import { list, show } from '../../../shared/text.ts'
import { fixOfField, fixOfValue } from '../../domain/fix.ts'
import { unknownName } from '../../domain/validate.ts'
import type { ParameterDeclaration, ParameterValues, WorkflowExample } from '../../domain/workflows/workflow.ts'
import type { Fix, Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { dataUrlInDocument, schemaIssues } from './value-schemas.ts'

/** The rules for declarations that the schema can't express: unique names, and defaults within their limits. */
export function checkDeclarations(declarations: readonly ParameterDeclaration[]): Issue[] {
  const issues: Issue[] = []
  const first = new Map<string, number>()
  for (const [i, declaration] of declarations.entries()) {
    if (issues.length >= limits.issuesMax) break
    const at = `parameters.${i}`
    const before = first.get(declaration.name)
    if (before !== undefined)
      issues.push({
        path: `${at}.name`,
        message: `is ${show(declaration.name)}, which is already declared at parameters.${before}. Choose another name.`,
      })
    else first.set(declaration.name, i)
    const reserved = reservedParameterNames.get(declaration.name)
    if (reserved !== undefined)
      issues.push({
        path: `${at}.name`,
        message: `is ${show(declaration.name)}, which is reserved: templates read ${reserved} from it. Choose another name.`,
      })
    if (declaration.type === 'number' && (declaration.minimum ?? -Infinity) > (declaration.maximum ?? Infinity)) {
      issues.push({
        path: `${at}.minimum`,
        message: `must be at most the maximum (${declaration.maximum}), not ${declaration.minimum}`,
      })
    }
    const wrong = formatIssues(declaration, at)
    issues.push(...wrong)
    // A value means nothing under a declaration that is not understood.
    if (declaration.default !== undefined && wrong.length === 0)
      issues.push(...storedIssues(declaration, declaration.default, `${at}.default`))
  }
  return issues
}

const typesElsewhere: Record<string, string> = {
  integer: 'number',
  float: 'number',
  text: 'string',
  array: 'json',
  list: 'json',
  object: 'json',
  bool: 'boolean',
}

/** A format, or a type of another language, in place of the type of a parameter. */
export function withParameterType(issue: Issue, declarations: readonly unknown[]): Issue {
  const [, index] = /^parameters\.(\d+)\.type$/.exec(issue.path) ?? []
  if (index === undefined) return issue
  const { type } = declarations[Number(index)] as { type?: unknown }
  const named = typeof type === 'string' ? type.toLowerCase() : ''
  const known = typesElsewhere[named] ?? named
  if (known === 'number' || known === 'string') return { ...issue, fix: { value: known } }
  if (!(parameterFormats as readonly string[]).includes(known)) return issue
  const message = `${issue.message}. Use \`type: string\` and \`format: ${known}\`.`
  return { ...issue, message, fix: { value: 'string' } }
}

/** The declarations without invalid schemas: values and fields can't be checked with them. */
export function withoutInvalidSchemas(declarations: readonly ParameterDeclaration[]): ParameterDeclaration[] {
  return declarations.map((declaration) => {
    if (declaration.type === 'number' || declaration.schema === undefined) return declaration
    const { schema, default: _, ...rest } = declaration
    return schemaIssues(schema, '').length === 0 ? declaration : rest
  })
}

/** The fields that belong to a format, and to no other. */
function formatIssues(declaration: ParameterDeclaration, at: string): Issue[] {
  if (declaration.type === 'number') return []
  const { format, enum: allowed, labels, schema } = declaration
  const issues: Issue[] = []
  const report = (field: string, message: string) => issues.push({ path: `${at}.${field}`, message })
  if (format === 'json') {
    if (schema === undefined) report('schema', 'is required by the format "json": a JSON Schema of the value')
    else issues.push(...schemaIssues(schema, `${at}.schema`))
  } else if (schema !== undefined) report('schema', 'requires `format: json`')
  if (format === 'enum' && allowed === undefined) report('enum', 'is required by the format "enum": the allowed values')
  if (allowed !== undefined && (format === 'json' || format === 'boolean'))
    report('enum', `can't be combined with the format ${show(format)}`)
  if (labels !== undefined && allowed === undefined) report('labels', 'requires `enum`')
  for (const value of Object.keys(labels ?? {})) {
    if (allowed !== undefined && !allowed.includes(value))
      report(`labels.${value}`, `is not a value of enum. Allowed: ${list(allowed)}.`)
  }
  if (issues.length > 0 || format === 'json' || format === 'boolean') return issues
  for (const [i, value] of (allowed ?? []).entries()) {
    if (issues.length >= limits.issuesMax) break
    issues.push(...storedIssues(declaration, value, `${at}.enum.${i}`))
  }
  return issues
}

/** The issues of a value in a document, which names the stored images. */
export function storedIssues(declaration: ParameterDeclaration, passed: unknown, path: string): Issue[] {
  const { value, problems } = readValue(declaration, passed)
  if (problems)
    return problems.map((problem) => ({
      path: joined(path, problem.path),
      message: problem.message,
      ...(problem.path === '' && { fix: { remove: true }, ...fixOf(declaration, passed) }),
    }))
  const issues: Issue[] = []
  const visit = (source: string, at: string) => {
    if (isDataUrl(source) && issues.length < limits.issuesMax)
      issues.push({ path: joined(path, at), message: dataUrlInDocument })
  }
  visitImages(declaration, value, visit, () => undefined)
  return issues
}

function fixOf(declaration: ParameterDeclaration, value: unknown): { fix?: Fix } {
  const { type } = declaration
  const isColor = type === 'string' && declaration.format === 'color'
  const schema = { ...declaration, ...(isColor && { format: 'color' }) } as unknown as TSchema
  const fix = fixOfValue(value, schema, (candidate) => readValue(declaration, candidate).problems === undefined)
  return fix ? { fix } : {}
}

/** The values as templates see them, with defaults filled in, or every problem under `parameters`. */
export function bindParameters(
  declarations: readonly ParameterDeclaration[],
  args: Record<string, unknown>,
): { values: ParameterValues; issues: Issue[] } {
  const values: ParameterValues = {}
  const issues: Issue[] = []
  const left: ValuesLeft = { values: limits.parameterValuesMax }
  const names = declarations.map((declaration) => declaration.name)
  for (const name of Object.keys(args)) {
    if (names.includes(name)) continue
    if (issues.length >= limits.issuesMax) break
    const message =
      names.length > 0
        ? unknownName('parameter of this workflow', name, names)
        : 'is not a parameter of this workflow, which has no parameters'
    issues.push({ path: `parameters.${name}`, message, fix: fixOfField(name, names, args) })
  }
  for (const declaration of declarations) {
    // Null means that the parameter is not passed: no parameter has a type with null.
    const passed = Object.hasOwn(args, declaration.name) ? args[declaration.name] : undefined
    const value = passed ?? declaration.default
    if (value === undefined) {
      if (declaration.required)
        issues.push({ path: `parameters.${declaration.name}`, message: `is required (${kindOf(declaration)})` })
      continue
    }
    const read = readValue(declaration, value, left)
    if (read.problems === undefined) values[declaration.name] = read.value
    for (const { path, message } of read.problems ?? [])
      issues.push({
        path: joined(`parameters.${declaration.name}`, path),
        message,
        ...(path === '' && fixOf(declaration, value)),
      })
    if (issues.length >= limits.issuesMax) break
  }
  return { values, issues }
}

function kindOf(declaration: ParameterDeclaration): string {
  return (declaration.type === 'string' ? declaration.format : undefined) ?? declaration.type
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
    found.push(...issues.map((issue) => ({ ...issue, path: `${at}.${issue.path}` })))
  }
  return found
}
