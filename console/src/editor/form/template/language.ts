/**
 * Renders templates in the browser with LiquidJS and the limits of the API (src/engine/check/template.ts), as far as
 * values are known before a run. Loaded with the first template.
 */
import { Drop, Liquid, Output, type Template } from 'liquidjs'
import type { JsonSchema } from '../schema.ts'
import { convert, problemOf } from '../value.ts'
import type { NodeValues, TemplateName } from './names.ts'

const limits = { templateChars: 20_000, renderMs: 100, memoryUnits: 1_000_000, outputChars: 200_000 }

export interface TemplateScope {
  names: readonly TemplateName[]
  /** By name. A missing parameter renders to nothing. */
  parameters: Readonly<Record<string, unknown>>
  /** `item` and `index`, if they are known. */
  item?: Readonly<Record<string, unknown>>
  nodes: NodeValues
}

export type Rendered =
  | { kind: 'value'; value: unknown }
  /** Names whose values are known only at run time. */
  | { kind: 'unknown'; names: string[] }
  | { kind: 'problem'; message: string }

const liquid = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: limits.templateChars,
  renderLimit: limits.renderMs,
  memoryLimit: limits.memoryUnits,
})
for (const tag of ['include', 'render', 'layout', 'block']) delete liquid.tags[tag]
delete liquid.filters.sample

/** The result is converted to the type of the schema, as in the API. */
export function render(text: string, schema: JsonSchema, scope: TemplateScope): Rendered {
  try {
    if (text.length > limits.templateChars)
      return problem(`is ${text.length} characters long; a template has at most ${limits.templateChars}`)
    const parsed = liquid.parse(text)
    const read = namesRead(parsed)
    const wrong = read.map((name) => problemOfName(name, scope.names)).find((message) => message !== undefined)
    if (wrong !== undefined) return problem(wrong)
    const unknown = read.filter((name) => !isKnown(name, scope))
    if (unknown.length > 0) return { kind: 'unknown', names: unknown }
    return convertResult(evaluate(parsed, text, scope), schema)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return problem(
      message.includes('limit exceeded') ? 'takes too much time or memory' : `is not a valid template: ${message}`,
    )
  }
}

function convertResult(rendered: unknown, schema: JsonSchema): Rendered {
  const value = convert(rendered instanceof Drop ? rendered.valueOf() : rendered, schema)
  if (value === undefined) return { kind: 'value', value: schema.default }
  if (typeof value === 'string' && value.length > limits.outputChars)
    return problem(`gives ${value.length} characters; at most ${limits.outputChars} are allowed`)
  const message = problemOf(value, schema)
  return message === undefined ? { kind: 'value', value } : problem(message)
}

function problem(message: string): Rendered {
  return { kind: 'problem', message }
}

function evaluate(parsed: Template[], text: string, scope: TemplateScope): unknown {
  const names = scope.names.filter(({ name }) => !name.includes('.')).map(({ name }) => [name, null])
  const values = {
    ...Object.fromEntries(names),
    ...scope.parameters,
    ...scope.item,
    nodes: Object.fromEntries(scope.nodes),
  }
  const isWhole = parsed.length === 1 && parsed[0] instanceof Output
  if (!isWhole) return liquid.renderSync(parsed, values)
  const expression = text
    .trim()
    .replace(/^\{\{-?/, '')
    .replace(/-?\}\}$/, '')
  return liquid.evalValueSync(expression, values)
}

/** The names that a template reads, as in `TemplateName`: `width`, `nodes.photo.width`. */
function namesRead(parsed: Template[]): string[] {
  const { globals } = liquid.analyzeSync(parsed, { partials: false })
  const names = Object.values(globals)
    .flat()
    .map(({ segments }) =>
      (segments[0] === 'nodes' ? segments.slice(0, 3) : segments.slice(0, 1)).map(String).join('.'),
    )
  return [...new Set(names)]
}

function problemOfName(read: string, names: readonly TemplateName[]): string | undefined {
  if (names.some(({ name }) => name === read)) return undefined
  const [root, node, value] = read.split('.')
  if (root !== 'nodes') {
    if (root === 'item' || root === 'index') return `names \`${root}\`, which only nodes have that run over a list`
    const declared = names.filter(({ name }) => !name.includes('.')).map(({ name }) => name)
    const known = declared.length > 0 ? `declared are: ${declared.join(', ')}` : 'the workflow declares none'
    return `names the parameter "${root}", which is not declared; ${known}`
  }
  if (node === undefined || value === undefined)
    return 'reads `nodes` without naming a node and its value, as in `nodes.photo.width`'
  const outputs = names.filter(({ name }) => name.startsWith(`nodes.${node}.`)).map(({ name }) => name.split('.')[2])
  return outputs.length === 0
    ? `names the node "${node}", which does not exist or comes after this one`
    : `names "${value}" of ${node}, which gives only: ${outputs.join(', ')}`
}

function isKnown(name: string, { nodes, item }: TemplateScope): boolean {
  if (name === 'item' || name === 'index') return item !== undefined && Object.hasOwn(item, name)
  const [root, node = '', value = ''] = name.split('.')
  return root !== 'nodes' || Object.hasOwn(nodes.get(node) ?? {}, value)
}
