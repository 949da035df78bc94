/** Parsed templates: the names that they read, and their results. */
import { Drop, type Template as LiquidTemplate, Output } from 'liquidjs'
import { templateLimits as limits } from '../limits.ts'
import { corrections } from './corrections.ts'
import { Meter, sizeUnits, type TemplateBudget } from './cost.ts'
import { FilterProblem } from './formats.ts'
import { filterNames, type Markup, parseLiquid, renderLiquid, tagNames } from './language.ts'
import { unknownFilter, unknownTag } from './names.ts'
import { isOnlyAName, type Path, pathsIn, TooManyOperators } from './references.ts'

/** A name that a template reads: `width`, or `nodes.<node>.<value>`; `rest` is what it reads of that: `size`, say. */
export type Reference = { rest: (string | number)[] } & (
  | { kind: 'parameter'; name: string }
  | { kind: 'value'; node: string; value: string }
)

export interface Template {
  text: string
  references: Reference[]
  /** Set if the template is nothing but a name, as `{{ people }}`: its value is the value of the name. */
  name: Reference | undefined
  /**
   * Renders the template in this scope: the value itself if the entire text is one `{{ ... }}`, otherwise text.
   * Throws `TemplateProblem` when it fails or passes a limit.
   */
  evaluate(scope: Scope, budget: TemplateBudget): unknown
}

/** The scope of templates: parameters by name (null when not passed), and the values of the nodes that have run. */
export type Scope = Record<string, unknown>

/** Its message is meant for the author of the template. */
export class TemplateProblem extends Error {
  /** Whether it was stopped by a limit rather than wrong. */
  readonly overLimit: boolean
  /** The text of the template with the most likely correction. */
  corrected: string | undefined
  constructor(message: string, overLimit = false) {
    super(message)
    this.name = 'TemplateProblem'
    this.overLimit = overLimit
  }
}

/** Throws `TemplateProblem` where it does not parse, or reads a name in a way that cannot be checked. `markup`: the language of the text around its values. */
export function parseTemplate(text: string, markup?: Markup): Template {
  if (text.length > limits.templateCharsMax) {
    throw new TemplateProblem(
      `must be a template of at most ${limits.templateCharsMax} characters, not ${text.length}`,
      true,
    )
  }
  const parsed = parsedText(text, markup)
  const { references, paths } = referencesOf(parsed)
  const isExpression = parsed.length === 1 && parsed[0] instanceof Output
  return {
    text,
    references,
    name: isOnlyAName(parsed, paths) ? references[0] : undefined,
    evaluate(scope, budget) {
      if (budget.unitsLeft <= 0) throw usedUp()
      const unitsMax = Math.min(limits.templateUnitsMax, budget.unitsLeft)
      const meter = new Meter(unitsMax, budget.processorMs)
      try {
        const value = guarded(() => renderLiquid(parsed, scope, meter, isExpression), meter)
        return bounded(value, meter)
      } catch (error) {
        if (meter.exceeded && unitsMax < limits.templateUnitsMax) throw usedUp()
        throw error
      } finally {
        budget.unitsLeft -= Math.min(meter.spent, unitsMax)
      }
    },
  }
}

/** The error of a text that doesn't parse has a correction, if there is one that parses. */
function parsedText(text: string, markup: Markup | undefined): LiquidTemplate[] {
  const parse = (each: string) => guarded(() => parseLiquid(each, markup))
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof TemplateProblem && !error.overLimit)
      error.corrected = corrections(text, error.message).find((each) => {
        try {
          return parse(each).length > 0
        } catch {
          return false
        }
      })
    throw error
  }
}

function referencesOf(parsed: LiquidTemplate[]): { references: Reference[]; paths: Path[] } {
  const references = new Map<string, Reference>()
  const paths = guarded(() => pathsIn(parsed))
  for (const path of paths) {
    const [root, node, value] = path
    const key = JSON.stringify(path)
    if (root !== 'nodes') {
      references.set(key, { kind: 'parameter', name: String(root), rest: literal(path.slice(1)) })
    } else if (typeof node === 'string' && typeof value === 'string') {
      references.set(key, { kind: 'value', node, value, rest: literal(path.slice(3)) })
    } else {
      throw new TemplateProblem('must name a node and its value after `nodes`, as in `nodes.photo.width`')
    }
  }
  return { references: [...references.values()], paths }
}

/** Up to the first name that is itself looked up, such as `[index]`. */
function literal(path: Path): (string | number)[] {
  const end = path.indexOf(undefined)
  return (end < 0 ? path : path.slice(0, end)) as (string | number)[]
}

function guarded<Result>(work: () => Result, meter?: Meter): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateProblem) throw error
    const problem = filterProblemIn(error)
    if (problem) throw new TemplateProblem(problem.message)
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    if (meter?.exceeded) throw new TemplateProblem(tooMuch(message), true)
    if (message.includes('limit exceeded')) throw new TemplateProblem(tooMuch(message), true)
    if (error instanceof TooManyOperators) {
      const most = limits.templateOperatorsMax
      throw new TemplateProblem(
        `must have at most ${most} operators and filters in one expression, not ${error.operators}`,
        true,
      )
    }
    const unknown = unknownWord(message)
    if (unknown !== undefined) throw new TemplateProblem(unknown)
    if (error instanceof RangeError)
      throw new TemplateProblem(
        'is nested too deeply, or creates a value that is too large. Simplify the template.',
        true,
      )
    throw new TemplateProblem(`is not a valid template: ${message}`)
  }
}

/** LiquidJS wraps the errors of filters. */
function filterProblemIn(error: unknown): FilterProblem | undefined {
  const { originalError = error } = error as { originalError?: unknown }
  return originalError instanceof FilterProblem ? originalError : undefined
}

/** LiquidJS: `undefined filter: upcas, line:1, col:4` and `tag "fro" not found`. */
function unknownWord(message: string): string | undefined {
  const [, filter] = /^undefined filter: (\w+)/.exec(message) ?? []
  if (filter !== undefined) return unknownFilter(filter, filterNames())
  const [, tag] = /^tag "(\w+)" not found/.exec(message) ?? []
  return tag === undefined ? undefined : unknownTag(tag, tagNames())
}

function tooMuch(message: string): string {
  const limit = message.includes('memory limit')
    ? 'memory limit'
    : `time limit (${limits.templateUnitsMax / 10_000} ms)`
  return `exceeds the ${limit} of a template. Use shorter lists and texts, or fewer loops.`
}

function usedUp(): TemplateProblem {
  return new TemplateProblem(
    `was not rendered, because the templates of the workflow together exceed the time limit (${limits.templatesUnitsMax / 10_000} ms). Use shorter lists and texts, or fewer loops.`,
    true,
  )
}

function bounded(result: unknown, meter: Meter): unknown {
  // `nil`, `empty` and `blank` are objects of the language's own.
  const value = result instanceof Drop ? result.valueOf() : result
  if (typeof value === 'string') {
    if (value.length <= limits.templateOutputCharsMax) return value
    const most = limits.templateOutputCharsMax
    throw new TemplateProblem(`must result in at most ${most} characters, not ${value.length}`, true)
  }
  const values = sizeUnits(value, 1, 0, limits.templateOutputValuesMax)
  if (values > limits.templateOutputValuesMax)
    throw new TemplateProblem(
      `must result in a list or an object of at most ${limits.templateOutputValuesMax} values`,
      true,
    )
  guarded(() => meter.charge(values * valueUnits), meter)
  return value
}

/** Each value is compared with the schema of its param. */
const valueUnits = 20
