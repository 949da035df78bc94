/**
 * Work of templates, counted in units of about 0.1 µs. A count accepts and rejects the same templates on every machine; a
 * clock doesn't. Rates are measured: see docs/decisions/0025-template-costs.md.
 */
import { Drop } from 'liquidjs'
import { templateLimits as limits } from '../limits.ts'

/** Units that several renderings share. */
export interface TemplateBudget {
  unitsLeft: number
  /** Milliseconds of processor time. Service and console read different clocks. */
  readonly processorMs: () => number
}

/** Its message is the end of a sentence that begins with the path of the template. */
export class TemplateLimitExceeded extends Error {}

const clockEveryUnits = 5_000

/** Counts one rendering. Throws `TemplateLimitExceeded` as soon as the rendering passes a limit. */
export class Meter {
  spent = 0
  readonly #unitsMax: number
  readonly #processorMs: () => number
  #memory = 0
  #nextLook = clockEveryUnits
  #startMs: number | undefined

  constructor(unitsMax: number, processorMs: () => number) {
    this.#unitsMax = unitsMax
    this.#processorMs = processorMs
  }

  get exceeded(): boolean {
    return this.spent > this.#unitsMax
  }

  charge(units: number): void {
    this.spent += units
    if (this.exceeded) throw new TemplateLimitExceeded('template work limit exceeded')
    if (this.spent >= this.#nextLook) this.#lookAtClock()
  }

  /** All characters and items of a value, at every level. */
  chargeSize(value: unknown, perItem: number, perChar: number): void {
    const unitsLeft = this.#unitsMax - this.spent
    this.charge(sizeUnits(value, perItem, perChar, unitsLeft))
  }

  useMemory(count: unknown): void {
    const added = Number(count)
    if (!(added > 0)) return
    this.#memory += added
    if (this.#memory > limits.templateMemoryUnitsMax) {
      this.spent = Number.POSITIVE_INFINITY
      throw new TemplateLimitExceeded('template memory limit exceeded')
    }
    this.charge(added / 100)
  }

  /** The second bound, for work that the rates underestimate. A cheap rendering never gets here. */
  #lookAtClock(): void {
    const now = this.#processorMs()
    this.#startMs ??= now
    this.#nextLook = this.spent + clockEveryUnits
    if (now - this.#startMs <= limits.templateRenderMsMax) return
    this.spent = Number.POSITIVE_INFINITY
    throw new TemplateLimitExceeded('template time limit exceeded')
  }
}

/** Stops counting above `most`: arrays that contain each other several times can have any size. */
export function sizeUnits(value: unknown, perItem: number, perChar: number, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length * perChar
  if (typeof value !== 'object' || value === null || value instanceof Drop) return perItem
  let units = perItem
  const waiting: object[] = [value]
  for (let container = waiting.pop(); container !== undefined && units <= most; container = waiting.pop()) {
    const items: unknown[] = Array.isArray(container) ? container : Object.values(container)
    for (const item of items) {
      units += perItem
      if (typeof item === 'string') units += item.length * perChar
      else if (typeof item === 'object' && item !== null && !(item instanceof Drop)) waiting.push(item)
      if (units > most) break
    }
  }
  return units
}

/** Charges one call of a filter, by its arguments; the first is the value that it is applied to. */
export function chargeFilter(meter: Meter, name: string, [value, ...args]: unknown[]): void {
  const rule = filterRules[name] ?? regularRule
  meter.charge(2)
  rule(meter, value, args)
}

type Rule = (meter: Meter, value: unknown, args: unknown[]) => void

/** Charge for filters whose rule isn't listed: loops or regular expressions that look at each character. */
const regularRule: Rule = (meter, value, args) => chargeAll(meter, [value, ...args], 2, 0.5)
/** Built into the engine, and fast. */
const nativeRule: Rule = (meter, value, args) => chargeAll(meter, [value, ...args], 2, 0.1)
const constantRule: Rule = () => undefined

/** The engine searches a text for a long pattern in time that grows with the product of both. */
const searchRule: Rule = (meter, value, args) => {
  nativeRule(meter, value, args)
  chargeSearch(meter, value, args[0])
}

/** The engine compares the pattern at each place, whatever its length. */
const lastSearchRule: Rule = (meter, value, args) => {
  nativeRule(meter, value, args)
  meter.charge((textLength(value) * textLength(args[0])) / 100)
}

/** Looks a property up in each item. */
function itemRule(perItem: number): Rule {
  return (meter, value, args) => {
    chargeAll(meter, [value, ...args], 2, 0.1)
    meter.charge(itemCount(value) * (perItem + textLength(args[0])))
  }
}

/** Evaluates an expression, given as text, for each item. */
const expressionRule: Rule = (meter, value, args) => {
  chargeAll(meter, [value, ...args], 2, 0.1)
  meter.charge((itemCount(value) + 1) * (15 + 2 * textLength(args[1])))
}

function sortRule(perComparison: number, perChar: number): Rule {
  return (meter, value, args) => {
    const rounds = 1 + Math.log2(1 + itemCount(value))
    chargeAll(meter, [value, ...args], 2 + perComparison * rounds, perChar * rounds)
    if (args[0] !== undefined) meter.charge(itemCount(value) * (10 + textLength(args[0])))
  }
}

/** Names of days and months, and whole dates, come from `Intl`, which is slow. */
const dateRule: Rule = (meter, value, args) => {
  chargeAll(meter, [value, ...args], 2, 1)
  const format = typeof args[0] === 'string' ? args[0] : '%A, %B'
  meter.charge(500 + 10 * format.length)
  for (const letter of format) if ('aAbBhcxXZ'.includes(letter)) meter.charge(800)
}

/** Formats with `Intl`. A new formatter is charged when it is created. */
const formatRule: Rule = (meter, value, args) => {
  chargeAll(meter, [value, ...args], 2, 1)
  meter.charge(150)
}

const filterRules: Record<string, Rule> = {
  ...rules(constantRule, 'size first last default raw'),
  ...rules(nativeRule, 'append prepend downcase upcase capitalize slice truncate base64_encode base64_decode sha256'),
  ...rules(nativeRule, 'hmac_sha256 concat push pop shift unshift reverse compact uniq'),
  ...rules(searchRule, 'split remove remove_first replace replace_first'),
  ...rules(lastSearchRule, 'remove_last replace_last'),
  ...rules(itemRule(10), 'map sum'),
  ...rules(itemRule(20), 'where reject has find find_index group_by'),
  ...rules(expressionRule, 'where_exp reject_exp has_exp find_exp find_index_exp group_by_exp'),
  ...rules(sortRule(0.5, 0.01), 'sort'),
  ...rules(sortRule(1, 0.05), 'sort_natural'),
  ...rules(formatRule, 'format_number format_currency format_date format_time format_datetime'),
  ...rules(dateRule, 'date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string'),
}

function rules(rule: Rule, names: string): Record<string, Rule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]))
}

export function chargeSearch(meter: Meter, text: unknown, pattern: unknown): void {
  const length = textLength(pattern)
  if (length > shortPatternMax) meter.charge((textLength(text) * length) / 150)
}

/** V8's searches stay linear up to this length. */
const shortPatternMax = 200

function chargeAll(meter: Meter, values: unknown[], perItem: number, perChar: number): void {
  for (const value of values) meter.chargeSize(value, perItem, perChar)
}

function itemCount(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1
}

/** Length of the text that filters make of a list; its size has been charged before. */
function textLength(value: unknown): number {
  return Math.ceil(sizeUnits(value, 20, 1))
}
