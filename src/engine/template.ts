/** LiquidJS, with its limits set: the only home of the template language. */
import { CaptureTag, Context, Drop, Liquid, type Template as LiquidTemplate, Output } from 'liquidjs'
import { processorMs } from '../domain/clock.ts'
import { limits } from '../limits.ts'

/** A name that a template reads: `width`, or `nodes.<node>.<value>`; `rest` is what it reads of that: `size`, say. */
export type Reference = { rest: (string | number)[] } & (
  | { kind: 'parameter'; name: string }
  | { kind: 'value'; node: string; value: string }
)

export interface Template {
  text: string
  references: Reference[]
  /**
   * What it gives in this scope: the very value when the whole text is one `{{ ... }}`, else text.
   * Throws `TemplateProblem` when it fails or passes a limit.
   */
  evaluate(scope: Scope, time: TemplateTime): unknown
}

/**
 * What is left for all templates of one plan, or of one execution, together: they hold everybody else up. As the processor
 * counts it: how busy the machine is besides is not theirs to answer for.
 */
export interface TemplateTime {
  leftMs: number
}

export function newTemplateTime(): TemplateTime {
  return { leftMs: limits.templatesMsMax }
}

/** What templates see: parameters by name (null when not passed), and the values of the nodes that have run. */
export type Scope = Record<string, unknown>

/** Its message is meant for the author of the template. */
export class TemplateProblem extends Error {
  /** Whether it was stopped by a limit rather than wrong. */
  readonly overLimit: boolean
  constructor(message: string, overLimit = false) {
    super(message)
    this.name = 'TemplateProblem'
    this.overLimit = overLimit
  }
}

export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('{{') || value.includes('{%'))
}

/** Throws `TemplateProblem` where it does not parse, or reads a name in a way that cannot be checked. */
export function parseTemplate(text: string): Template {
  if (text.length > limits.templateCharsMax) {
    throw new TemplateProblem(
      `is ${text.length} characters long; a template has at most ${limits.templateCharsMax}`,
      true,
    )
  }
  const parsed = guarded(() => liquid.parse(text))
  const references = referencesOf(parsed)
  const expression = wholeExpression(parsed, text)
  return {
    text,
    references,
    evaluate(scope, time) {
      if (time.leftMs <= 0) throw tooSlow()
      const startMs = processorMs()
      const context = new Context(
        scope,
        liquid.options,
        { sync: true },
        { liquid, renderLimit: processorLimit(startMs) },
      )
      try {
        return bounded(
          guarded(() =>
            expression === undefined ? liquid.renderSync(parsed, context) : liquid.evalValueSync(expression, context),
          ),
        )
      } finally {
        time.leftMs -= processorMs() - startMs
      }
    },
  }
}

const liquid = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: limits.templateCharsMax,
  memoryLimit: limits.templateMemoryUnitsMax,
})
// The tags that read files, and the one filter that rolls dice.
for (const tag of ['include', 'render', 'layout', 'block']) delete liquid.tags[tag]
delete liquid.filters.sample
// What a template captures counts as memory, which the language itself forgets.
liquid.registerTag(
  'capture',
  class extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, unknown> {
      yield* super.render(context) as Generator<unknown, void, unknown>
      context.memoryLimit.use(String(context.bottom()[this.variable] ?? '').length)
    }
  },
)

/** In place of the language's own, which looks at the clock on the wall. */
function processorLimit(startMs: number): Context['renderLimit'] {
  const limit: Pick<Context['renderLimit'], 'use' | 'check'> = {
    use: () => undefined,
    check() {
      if (processorMs() - startMs > limits.templateRenderMsMax) throw new Error('template render limit exceeded')
    },
  }
  return limit as Context['renderLimit']
}

function referencesOf(parsed: LiquidTemplate[]): Reference[] {
  const globals = guarded(() => liquid.analyzeSync(parsed, { partials: false })).globals
  const references = new Map<string, Reference>()
  for (const variable of Object.values(globals).flat()) {
    const [root, node, value] = variable.segments
    const key = JSON.stringify(variable.segments)
    if (root !== 'nodes') {
      references.set(key, { kind: 'parameter', name: String(root), rest: literal(variable.segments.slice(1)) })
    } else if (typeof node === 'string' && typeof value === 'string') {
      references.set(key, { kind: 'value', node, value, rest: literal(variable.segments.slice(3)) })
    } else {
      throw new TemplateProblem('reads `nodes` without naming a node and its value, as in `nodes.photo.width`')
    }
  }
  return [...references.values()]
}

/** Up to the first name that is itself looked up, such as `[index]`. */
function literal(segments: unknown[]): (string | number)[] {
  const end = segments.findIndex((segment) => typeof segment !== 'string' && typeof segment !== 'number')
  return (end < 0 ? segments : segments.slice(0, end)) as (string | number)[]
}

/** The inside of `{{ ... }}` when that is the whole text. */
function wholeExpression(parsed: LiquidTemplate[], text: string): string | undefined {
  const [only] = parsed
  if (parsed.length !== 1 || !(only instanceof Output)) return undefined
  return text
    .trim()
    .replace(/^\{\{-?/, '')
    .replace(/-?\}\}$/, '')
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateProblem) throw error
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    if (message.includes('limit exceeded')) {
      throw new TemplateProblem(`takes too much time or memory (${message.replace(/, line.*/, '')})`, true)
    }
    if (error instanceof RangeError) throw new TemplateProblem('is nested too deeply, or makes a value too large', true)
    throw new TemplateProblem(`is not a valid template: ${message}`)
  }
}

function tooSlow(): TemplateProblem {
  return new TemplateProblem(`is not rendered: the templates together took ${limits.templatesMsMax} ms already`, true)
}

function bounded(result: unknown): unknown {
  // `nil`, `empty` and `blank` are objects of the language's own.
  const value = result instanceof Drop ? result.valueOf() : result
  if (typeof value === 'string' && value.length > limits.templateOutputCharsMax) {
    throw new TemplateProblem(
      `gives ${value.length} characters; at most ${limits.templateOutputCharsMax} are allowed`,
      true,
    )
  }
  return value
}
