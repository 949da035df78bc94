/** Trees of params: where the templates are, and what they become under a schema. */
import type { TSchema } from 'typebox'
import { sizeUnits, type TemplateBudget } from '../../../shared/template/cost.ts'
import type { Markup } from '../../../shared/template/language.ts'
import {
  parseTemplate,
  type Reference,
  type Scope,
  type Template,
  TemplateProblem,
} from '../../../shared/template/template.ts'
import { alternativesOf, convert, convertedTypesOf, isTemplate } from '../../../shared/values.ts'
import { type Check, joinPath } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** Values that may contain templates, and the schema of the rendered values. */
export interface Templated {
  values: Record<string, unknown>
  templates: readonly TemplateAt[]
  references: Reference[]
  /** The work of copying the values, in the units of templates. */
  copyUnits: number
}

export interface TemplateAt {
  /** Inside `values`. Not only the path: keys of objects in a list can contain dots. */
  keys: readonly string[]
  /** The same with dots, for messages. */
  path: string
  /** The types that the rendered value is converted to. */
  types: readonly string[]
  template: Template
}

/** Finds the templates, and checks everything that is known before they are rendered. Issues are under `at`. */
export function parseTemplated(
  values: Record<string, unknown>,
  schema: TSchema,
  check: Check,
  at: string,
): { parsed: Templated; issues: Issue[]; overLimit: boolean } {
  const templates: TemplateAt[] = []
  const issues: Issue[] = []
  const paths: string[] = []
  let overLimit = false
  for (const { keys, text } of templatesIn(values, [])) {
    const path = joinPath(...keys)
    const schemas = schemasAt(schema, keys)
    const types = [...new Set(schemas.flatMap(convertedTypesOf))]
    if (types.length > 0) paths.push(joinPath(at, path))
    // Further problems are not reported, and each would take as long to find as a valid template takes to parse.
    if (issues.length >= limits.issuesMax) continue
    try {
      const markup = schemas.find((alternative) => alternative['x-template'] !== undefined)?.['x-template']
      templates.push({ keys, path, types, template: parseTemplate(text, markup) })
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error
      overLimit ||= error.overLimit
      issues.push({ path: joinPath(at, path), ...problemOf(error) })
    }
  }
  const copyUnits = sizeUnits(values, 10, 0.01)
  // The value of a template isn't known yet: only the path is checked against the schema, not the text.
  const templated = new Set(paths)
  issues.push(...check(structuredClone(values), at).filter((issue) => !templated.has(issue.path)))
  return {
    parsed: {
      values,
      templates,
      references: templates.flatMap(({ template }) => template.references),
      copyUnits,
    },
    issues,
    overLimit,
  }
}

/** The message and the correction of a template that doesn't parse. */
export function problemOf({ message, corrected }: TemplateProblem): Pick<Issue, 'message' | 'fix'> {
  return { message, ...(corrected !== undefined && { fix: { value: corrected } }) }
}

/** Renders the templates and fills in defaults. Adds remaining issues under `at`. */
export function resolve(
  { values, templates }: Templated,
  check: Check,
  { scope, budget }: { scope: Scope; budget: TemplateBudget },
  at: string,
): { resolved: Record<string, unknown>; issues: Issue[]; overLimit: boolean } {
  const resolved = copyOf(values)
  const issues: Issue[] = []
  let overLimit = false
  for (const { keys, path, types, template } of templates) {
    try {
      assign(resolved, keys, convert(template.evaluate(scope, budget), types))
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error
      overLimit ||= error.overLimit
      issues.push({ path: joinPath(at, path), message: error.message })
    }
  }
  if (issues.length === 0) issues.push(...check(resolved, at).map((issue) => ofTemplate(issue, templates, at)))
  return { resolved, issues, overLimit }
}

/** A correction of the rendered value would replace the template, so it is left out. A fraction has a filter. */
function ofTemplate(issue: Issue, templates: Templated['templates'], at: string): Issue {
  if (!templates.some(({ path }) => joinPath(at, path) === issue.path)) return issue
  const { fix: _, ...rest } = issue
  return /^must be a whole number, not -?\d+\.\d+ /.test(issue.message)
    ? { ...rest, message: `${issue.message}. Add the filter \`round\` to the template.` }
    : rest
}

/** A deep copy of JSON. With `structuredClone`, a small execution takes 2 % more CPU. */
function copyOf<Value>(value: Value): Value
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  // Defines the fields. An assignment to `__proto__` would set the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copyOf(field)]))
}

function* templatesIn(value: unknown, keys: string[]): Generator<{ keys: string[]; text: string }> {
  if (isTemplate(value)) yield { keys, text: value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) yield* templatesIn(field, [...keys, key])
  }
}

/** `undefined` omits the param, so that its default applies. */
function assign(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let holder: Record<string, unknown> = root
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined && !Array.isArray(holder)) delete holder[last]
  else holder[last] = value
}

/** The schemas of the value at this path; several if there are alternatives. */
function schemasAt(schema: TSchema, path: readonly string[]): JsonSchema[] {
  let found: JsonSchema[] = [schema as JsonSchema]
  for (const key of path)
    found = found
      .flatMap(alternativesOf<JsonSchema>)
      .flatMap((alternative) => alternative.properties?.[key] ?? alternative.items ?? [])
  return found
}

interface JsonSchema {
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  /** The language of a text with templates, for which values are escaped. */
  'x-template'?: Markup
}
