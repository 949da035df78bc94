/** The names that a parsed template reads. LiquidJS's analysis takes ten times as long. */
import { type Template as LiquidTemplate, Output, type Token, TypeGuards, Value } from 'liquidjs'
import { templateLimits as limits } from '../limits.ts'
import { weigh } from './language.ts'

/** The names between dots and brackets; undefined for one that is looked up itself, such as `[index]`. */
export type Path = (string | number | undefined)[]

type Argument = Value | Token

/** Paths of names that the template doesn't define itself. Each node gets its weight on the way. */
export function pathsIn(parsed: LiquidTemplate[]): Path[] {
  const paths: Path[] = []
  visitAll(parsed, { paths, local: new Set(), blocks: [] })
  return paths
}

/** Whether the template is `{{ a.b[0] }}`: without filters, operators and names that are looked up. `paths`: those in it. */
export function isOnlyAName(parsed: readonly LiquidTemplate[], paths: readonly Path[]): boolean {
  const [only, second] = parsed
  const [path, otherPath] = paths
  if (!(only instanceof Output) || second || path === undefined || otherPath || path.includes(undefined)) return false
  const { initial, filters } = only.value
  const [token, other] = initial.postfix
  return filters.length === 0 && other === undefined && TypeGuards.isPropertyAccessToken(token)
}

interface Visit {
  paths: Path[]
  /** Names that `assign` and `capture` define, from there to the end of the template. */
  local: Set<string>
  /** Names that exist inside a tag only, such as the variable of `for`. */
  blocks: string[][]
}

function visitAll(templates: Iterable<LiquidTemplate>, visit: Visit): void {
  for (const template of templates) {
    let tokens = 0
    for (const argument of template.arguments?.() ?? []) tokens += readArgument(argument, visit)
    if (tokens > 0) weigh(template, tokens)
    for (const { content } of template.localScope?.() ?? []) visit.local.add(content)
    if (template.children === undefined) continue
    if (template.blockScope) visit.blocks.push([...template.blockScope()])
    visitAll(childrenOf(template), visit)
    if (template.blockScope) visit.blocks.pop()
  }
}

/** The tags that read other files are gone, so children never have to be waited for. */
function childrenOf(template: LiquidTemplate): LiquidTemplate[] {
  return (template.children?.(false, true).next().value ?? []) as LiquidTemplate[]
}

/** Returns how many tokens are evaluated for it. */
function readArgument(argument: Argument, visit: Visit): number {
  if (argument instanceof Value) return readExpression(argument.initial.postfix, argument.filters, visit)
  return TypeGuards.isValueToken(argument) ? readToken(argument, visit) : 1
}

function readExpression(postfix: readonly Token[], filters: readonly FilterUse[], visit: Visit): number {
  let tokens = postfix.length
  let operators = filters.length
  for (const token of postfix) {
    if (TypeGuards.isOperatorToken(token)) operators += 1
    else tokens += readToken(token, visit)
  }
  if (operators > limits.templateOperatorsMax) throw new TooManyOperators(operators)
  for (const { args } of filters) {
    for (const arg of args) tokens += readToken(Array.isArray(arg) ? arg[1] : arg, visit)
  }
  return tokens
}

interface FilterUse {
  args: readonly (Token | [string?, Token?])[]
}

/** Thrown if the parser found more operators in one expression than are allowed. */
export class TooManyOperators extends Error {
  readonly operators: number
  constructor(operators: number) {
    super('too many operators and filters')
    this.operators = operators
  }
}

function readToken(token: Token | undefined, visit: Visit): number {
  if (TypeGuards.isRangeToken(token)) return 1 + readToken(token.lhs, visit) + readToken(token.rhs, visit)
  if (TypeGuards.isFilteredValueToken(token)) return 1 + readExpression(token.initial.postfix, token.filters, visit)
  if (!TypeGuards.isPropertyAccessToken(token)) return 1
  readPath(pathOf(token, visit), visit)
  return 1 + token.props.length
}

function readPath(path: Path, { paths, local, blocks }: Visit): void {
  const [root] = path
  if (typeof root !== 'string' || local.has(root) || blocks.some((names) => names.includes(root))) return
  paths.push(path)
}

function pathOf({ props: [root, ...rest] }: PropertyAccess, visit: Visit): Path {
  if (root === undefined) return []
  const path: Path = TypeGuards.isPropertyAccessToken(root) ? pathOf(root, visit) : namesOf(root)
  for (const property of rest) {
    if (!TypeGuards.isPropertyAccessToken(property)) path.push(...namesOf(property))
    else {
      path.push(undefined)
      readPath(pathOf(property, visit), visit)
    }
  }
  return path
}

type PropertyAccess = { props: readonly Token[] }

function namesOf(token: Token): (string | number)[] {
  const isName = TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isWordToken(token)
  return isName ? [token.content] : []
}
