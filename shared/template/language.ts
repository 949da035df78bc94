/** LiquidJS, with every tag, operator and filter charged to the meter of the rendering. The home of the template language. */
import {
  CaptureTag,
  CaseTag,
  Context,
  CycleTag,
  defaultOperators,
  type Emitter,
  evalToken,
  ForTag,
  Liquid,
  LiquidError,
  type Template as LiquidTemplate,
  Output,
  RenderError,
  TablerowTag,
  TypeGuards,
  toValue,
  toValueSync,
} from 'liquidjs'
import { templateLimits as limits } from '../limits.ts'
import { chargeFilter, chargeSearch, type Meter } from './cost.ts'
import { escapeFunctions } from './escape.ts'
import { formatFilters } from './formats.ts'

/** Tokens that a template node evaluates in addition to those of the nodes in it; set by `weigh`. */
const weightOf = Symbol('weight')
type Weighed = LiquidTemplate & { [weightOf]?: number }

export function weigh(template: LiquidTemplate, tokens: number): void {
  ;(template as Weighed)[weightOf] = tokens
}

const renderingUnits = 20
const nodeUnits = 5
const tokenUnits = 3
const loopUnits = 2

export function parseLiquid(text: string, markup?: Markup): LiquidTemplate[] {
  return liquidFor(markup).parse(text)
}

export function filterNames(): string[] {
  return Object.keys(liquidFor(undefined).filters)
}

export function tagNames(): string[] {
  return Object.keys(liquidFor(undefined).tags)
}

/** The value of the only expression of a template, or the text of a whole one. */
export function renderLiquid(parsed: LiquidTemplate[], scope: object, meter: Meter, isExpression: boolean): unknown {
  const context = new MeteredContext(scope, meter)
  meter.charge(renderingUnits)
  const [only] = parsed
  if (!isExpression || !(only instanceof Output)) return liquidFor(undefined).renderSync(parsed, context)
  meter.charge(unitsOf(only))
  return toValueSync(only.value.value(context) as IterableIterator<unknown>)
}

class MeteredContext extends Context {
  readonly meter: Meter

  constructor(scope: object, meter: Meter) {
    const liquid = liquidFor(undefined)
    super(scope, liquid.options, { sync: true }, { liquid, ...limitersOf(meter) })
    this.meter = meter
  }

  override spawn(scope = {}): Context {
    return new MeteredContext(scope, this.meter)
  }

  override readProperty(object: Parameters<Context['readProperty']>[0], key: Parameters<Context['readProperty']>[1]) {
    this.meter.charge(1)
    // Only the size of an object takes time.
    if (key === 'size' && typeof object === 'object' && object !== null && !Array.isArray(object))
      this.meter.charge(Object.keys(object).length)
    return super.readProperty(object, key)
  }
}

/** Replaces the language's own counters, of which one looks at the clock on the wall. */
function limitersOf(meter: Meter): { memoryLimit: Context['memoryLimit']; renderLimit: Context['renderLimit'] } {
  const nothing = () => undefined
  const memoryLimit = { use: (count: number) => meter.useMemory(count), check: nothing }
  const renderLimit = { use: nothing, check: nothing }
  return {
    memoryLimit: memoryLimit as unknown as Context['memoryLimit'],
    renderLimit: renderLimit as unknown as Context['renderLimit'],
  }
}

function meterOf(context: Context): Meter {
  return (context as MeteredContext).meter
}

function unitsOf(template: LiquidTemplate): number {
  return nodeUnits + ((template as Weighed)[weightOf] ?? 0) * tokenUnits
}

class MeteredEmitter implements Emitter {
  buffer = ''
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  write(value: unknown): void {
    this.#meter.chargeSize(value, 2, 0.02)
    this.buffer += textOf(value)
  }
}

/** The text, as LiquidJS writes values. */
function textOf(input: unknown): string {
  const value = toValue(input)
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

type Operator = (left: unknown, right: unknown, context: Context) => unknown

function metered(name: string, operator: Operator): Operator {
  if (name === 'not') return (value, context) => operator(value, context, context as Context)
  if (name === 'and' || name === 'or') return charged(operator, () => undefined)
  return charged(operator, (meter, left, right) => {
    meter.chargeSize(left, 2, 0.01)
    meter.chargeSize(right, 2, 0.01)
    if (name === 'contains' && typeof left === 'string') chargeSearch(meter, left, right)
  })
}

function charged(operator: Operator, charge: (meter: Meter, left: unknown, right: unknown) => void): Operator {
  return (left, right, context) => {
    const meter = meterOf(context)
    meter.charge(3)
    charge(meter, left, right)
    return operator(left, right, context)
  }
}

const operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [name, metered(name, operator as Operator)]),
) as typeof defaultOperators
const equals = operators['=='] as Operator

/** The language of the text around the templates: their values are escaped for it, except after `| raw`. */
export type Markup = 'html' | 'css'

const liquids = new Map<Markup | undefined, Liquid>()

function liquidFor(markup: Markup | undefined): Liquid {
  const known = liquids.get(markup) ?? createLiquid(markup)
  liquids.set(markup, known)
  return known
}

function createLiquid(markup: Markup | undefined): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: limits.templateCharsMax,
    operators,
    ...(markup && { outputEscape: (value: unknown) => escapeFunctions[markup](textOf(value)) }),
  })
  // The tags that read files, and the one filter that isn't deterministic.
  for (const tag of ['include', 'render', 'layout', 'block']) delete liquid.tags[tag]
  delete liquid.filters.sample
  registerFilters(liquid, markup)
  registerTags(liquid)
  return liquid
}

/** Their results are not escaped a second time. */
const escapingFilters = ['escape', 'escape_once', 'xml_escape']

type FilterHandler = (this: { context: Context }, ...args: unknown[]) => unknown

function registerFilters(liquid: Liquid, markup: Markup | undefined): void {
  for (const [name, format] of Object.entries(formatFilters))
    liquid.registerFilter(name, function (this: { context: Context }, value: unknown, ...args: unknown[]) {
      return format(meterOf(this.context), value, args)
    })
  for (const [name, filter] of Object.entries(liquid.filters)) {
    const { handler, raw } =
      typeof filter === 'function'
        ? { handler: filter, raw: false }
        : (filter as { handler: FilterHandler; raw: boolean })
    liquid.registerFilter(name, {
      raw: raw || (markup === 'html' && escapingFilters.includes(name)),
      handler(this: { context: Context }, ...args: unknown[]) {
        chargeFilter(meterOf(this.context), name, args)
        return (handler as FilterHandler).apply(this, name === 'slice' ? withNumbers(args) : args)
      },
    } as Parameters<Liquid['registerFilter']>[1])
  }
}

/** `slice` compares its arguments once for each character. A text of digits would be read as a number each time. */
function withNumbers([value, ...args]: unknown[]): unknown[] {
  return [value, ...args.map((arg) => (arg === undefined ? arg : Number(arg)))]
}

function registerTags(liquid: Liquid): void {
  liquid.renderer.renderTemplates = function* (templates, context, output) {
    const meter = meterOf(context)
    const emitter = output ?? new MeteredEmitter(meter)
    // Also a loop over nothing but its own items takes time.
    meter.charge(loopUnits)
    for (const template of templates) {
      try {
        meter.charge(unitsOf(template))
        const text: unknown = yield template.render(context, emitter)
        if (text) emitter.write(text)
        if (context.breakCalled || context.continueCalled) break
      } catch (error) {
        throw LiquidError.is(error) ? error : new RenderError(error as Error, template)
      }
    }
    return emitter.buffer
  }

  // Text that a template captures counts as memory, which the language itself doesn't do.
  liquid.registerTag(
    'capture',
    class extends CaptureTag {
      override *render(context: Context): Generator<unknown, void, unknown> {
        yield* super.render(context) as Generator<unknown, void, unknown>
        context.memoryLimit.use(String(context.bottom()[this.variable] ?? '').length)
      }
    },
  )

  // The next four tags look at whole lists without an operator, a filter or another tag.
  liquid.registerTag(
    'case',
    class extends CaseTag {
      override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
        const target = yield this.value.value(context)
        let isHit = false
        for (const { values, templates } of this.branches) {
          for (const token of values) {
            const value = yield evalToken(token, context)
            if (!(yield equals(target, value, context))) continue
            isHit = true
            yield liquid.renderer.renderTemplates(templates, context, emitter)
            break
          }
        }
        if (!isHit) yield liquid.renderer.renderTemplates(this.elseTemplates, context, emitter)
      }
    },
  )
  liquid.registerTag(
    'cycle',
    class extends CycleTag {
      override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
        const { group } = this as unknown as { group?: Parameters<typeof evalToken>[0] }
        if (group) meterOf(context).chargeSize(yield evalToken(group, context), 2, 0.01)
        return yield* super.render(context, emitter)
      }
    },
  )
  liquid.registerTag(
    'for',
    class extends ForTag {
      override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
        yield* chargeItems(this.collection, context) as Generator<unknown, void, LiquidTemplate[]>
        return yield* super.render(context, emitter)
      }
    },
  )
  liquid.registerTag(
    'tablerow',
    class extends TablerowTag {
      constructor(...parsed: ConstructorParameters<typeof TablerowTag>) {
        super(...parsed)
        const render = this.args.render.bind(this.args)
        // It divides by the number of columns in each cell.
        this.args.render = function* (context) {
          const { cols, ...rest } = yield* render(context)
          return cols === undefined ? rest : { ...rest, cols: Number(cols) }
        }
      }

      override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
        yield* chargeItems(this.collection, context)
        yield* super.render(context, emitter)
      }
    },
  )
}

/** A loop copies its list, even if it looks at one item. A range counts its items itself. */
function* chargeItems(token: ForTag['collection'], context: Context): Generator<unknown, void, unknown> {
  if (TypeGuards.isRangeToken(token)) return
  const list = yield evalToken(token, context)
  if (typeof list !== 'object' || list === null) return
  meterOf(context).charge((Array.isArray(list) ? list : Object.keys(list)).length / 50)
}
