/**
 * Filters that write numbers, money and dates as a locale does: ECMA-402 (`Intl`) with the names and arguments of Twig's
 * `format_*` filters (https://twig.symfony.com/doc/3.x/filters/format_number.html).
 */
import { didYouMean } from '../suggest.ts'
import { show } from '../text.ts'
import type { Meter } from './cost.ts'

/** The value or an argument of a filter can't be used. Its message continues a sentence that starts with the path of the template. */
export class FilterProblem extends Error {}

/** `args`: as LiquidJS passes them, named ones as pairs. Nil stays nil. */
type FormatFilter = (meter: Meter, value: unknown, args: unknown[]) => string | null

/** A new formatter takes 0.1 to 0.5 ms, with its locale and time zone, and the first one of a locale up to 4 ms. */
const newFormatUnits = 5_000
const localeCharsMax = 50
const decimalsMax = 20

const numberStyles = { decimal: {}, percent: { style: 'percent' }, compact: { notation: 'compact' } } as const
const dateStyles = ['full', 'long', 'medium', 'short'] as const
type DateStyle = (typeof dateStyles)[number]

/** `{{ 1234.5 | format_number: "de-DE", decimals: 2 }}`: 1.234,50. `style`: decimal, percent (0.5 is 50 %) or compact (1.2K). */
const formatNumber: FormatFilter = (meter, value, args) => {
  const { texts, named } = argumentsOf('format_number', args, ['locale'], ['decimals', 'style'])
  const style = oneOf('format_number', 'style', named.style ?? 'decimal', Object.keys(numberStyles))
  const options = { ...numberStyles[style as keyof typeof numberStyles], ...decimalsOf('format_number', named) }
  return numberText(meter, 'format_number', value, texts.locale, options)
}

/** `{{ 12.05 | format_currency: "EUR", "de-DE" }}`: 12,05 €. */
const formatCurrency: FormatFilter = (meter, value, args) => {
  const { texts, named } = argumentsOf('format_currency', args, ['currency', 'locale'], ['decimals'])
  if (texts.currency === undefined)
    throw new FilterProblem('uses format_currency without a currency. Name it, as in `format_currency: "EUR"`.')
  const currency = texts.currency.toUpperCase()
  const options = { style: 'currency', currency, ...decimalsOf('format_currency', named) } as const
  return numberText(meter, 'format_currency', value, texts.locale, options)
}

/** `{{ "2026-11-23" | format_date: "long", "de-DE" }}`: 23. November 2026. */
const formatDate: FormatFilter = (meter, value, args) => {
  const { texts, named } = argumentsOf('format_date', args, ['style', 'locale'], ['timezone'])
  const dateStyle = styleOf('format_date', texts.style ?? 'medium')
  return dateText(meter, 'format_date', value, texts.locale, named, { dateStyle })
}

/** `{{ "2026-11-23T18:30:00Z" | format_time: "short", "de-DE", timezone: "Europe/Berlin" }}`: 19:30. */
const formatTime: FormatFilter = (meter, value, args) => {
  const { texts, named } = argumentsOf('format_time', args, ['style', 'locale'], ['timezone'])
  const timeStyle = styleOf('format_time', texts.style ?? 'short')
  return dateText(meter, 'format_time', value, texts.locale, named, { timeStyle })
}

/** `{{ "2026-11-23T18:30:00Z" | format_datetime: "medium", "short", "de-DE" }}`: 23.11.2026, 18:30. */
const formatDatetime: FormatFilter = (meter, value, args) => {
  const { texts, named } = argumentsOf('format_datetime', args, ['date', 'time', 'locale'], ['timezone'])
  const dateStyle = styleOf('format_datetime', texts.date ?? 'medium')
  const timeStyle = styleOf('format_datetime', texts.time ?? 'short')
  return dateText(meter, 'format_datetime', value, texts.locale, named, { dateStyle, timeStyle })
}

export const formatFilters: Record<string, FormatFilter> = {
  format_number: formatNumber,
  format_currency: formatCurrency,
  format_date: formatDate,
  format_time: formatTime,
  format_datetime: formatDatetime,
}

const numberCharsMax = 100
/** Never backtracks: a longer text of digits would take quadratic time. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

function numberText(
  meter: Meter,
  filter: string,
  value: unknown,
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' && value.length <= numberCharsMax ? value.trim() : ''
  const number = decimal.test(text) ? Number(text) : value
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new FilterProblem(`uses ${filter} on ${show(value)}, which is not a number`)
  const create = () => new Intl.NumberFormat(localeOf(locale), withCurrency(options))
  return formatterOf(meter, [locale, options], create).format(number)
}

function dateText(
  meter: Meter,
  filter: string,
  value: unknown,
  locale: string | undefined,
  { timezone }: Record<string, unknown>,
  style: Intl.DateTimeFormatOptions,
): string | null {
  if (value === null || value === undefined) return null
  const { date, isDay } = dateOf(filter, value)
  // A day is the same day everywhere.
  const zone = isDay ? 'UTC' : (timezone ?? 'UTC')
  const create = () => new Intl.DateTimeFormat(localeOf(locale), { ...style, timeZone: timeZoneOf(zone) })
  return formatterOf(meter, [locale, style, zone], create).format(date)
}

/** ISO 8601, in UTC without an offset; or seconds since 1970. */
const isoDate = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

function dateOf(filter: string, value: unknown): { date: Date; isDay: boolean } {
  const [, day, time, offset = 'Z'] = (typeof value === 'string' && isoDate.exec(value)) || []
  const date = typeof value === 'number' ? new Date(value * 1_000) : new Date(`${day}T${time ?? '00:00'}${offset}`)
  // JavaScript reads February 30 as March 2.
  const isReal = day === undefined || new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  if (Number.isNaN(date.getTime()) || !isReal)
    throw new FilterProblem(
      `uses ${filter} on ${show(value)}, which is not a date. Pass a text such as "2026-11-23" or "2026-11-23T18:30:00Z", or seconds since 1970.`,
    )
  return { date, isDay: typeof value === 'string' && time === undefined }
}

function localeOf(locale = 'en'): string {
  try {
    const [known] = locale.length <= localeCharsMax ? Intl.NumberFormat.supportedLocalesOf([locale]) : []
    if (known !== undefined) return known
  } catch {
    // Not even in the form of a locale.
  }
  throw new FilterProblem(`uses the locale ${show(locale)}, which is not known. Name one such as "de" or "de-DE".`)
}

function withCurrency(options: Intl.NumberFormatOptions): Intl.NumberFormatOptions {
  const { currency } = options
  const known = currency === undefined ? [] : Intl.supportedValuesOf('currency')
  if (currency === undefined || known.includes(currency)) return options
  throw new FilterProblem(
    `uses the currency ${show(currency)}, which is not a code of ISO 4217 such as "EUR". ${didYouMean(currency, known)}`.trimEnd(),
  )
}

function timeZoneOf(name: unknown): string {
  try {
    if (typeof name === 'string') return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // See below.
  }
  throw new FilterProblem(`uses the time zone ${show(name)}, which is not known. Name one such as "Europe/Berlin".`)
}

function styleOf(filter: string, style: string): DateStyle {
  return oneOf(filter, 'style', style, dateStyles) as DateStyle
}

function oneOf(filter: string, name: string, value: unknown, allowed: readonly string[]): string {
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw new FilterProblem(`uses ${filter} with the ${name} ${show(value)}. It must be ${allowed.join(', ')}.`)
}

function decimalsOf(filter: string, { decimals }: Record<string, unknown>): Intl.NumberFormatOptions {
  if (decimals === undefined || decimals === null) return {}
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > decimalsMax)
    throw new FilterProblem(
      `uses ${filter} with ${show(decimals)} decimals. It must be a whole number from 0 to ${decimalsMax}.`,
    )
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}

/** Splits what LiquidJS passes into texts by position and arguments by name. Nil is as if it were not passed. */
function argumentsOf<Position extends string>(
  filter: string,
  args: unknown[],
  positions: readonly Position[],
  names: readonly string[],
): { texts: Partial<Record<Position, string>>; named: Record<string, unknown> } {
  const texts: Partial<Record<Position, string>> = {}
  const named: Record<string, unknown> = {}
  const set = (name: string, value: unknown) => {
    if (value === null || value === undefined) return
    const position = positions.find((position) => position === name)
    if (position === undefined) named[name] = value
    else if (typeof value === 'string') texts[position] = value
    else throw new FilterProblem(`uses ${filter} with the ${name} ${show(value)}, which is not a text`)
  }
  const values = [...positions] as string[]
  for (const arg of args) {
    const [name, value] = Array.isArray(arg) ? arg : [values.shift(), arg]
    if (name === undefined || ![...positions, ...names].includes(name))
      throw new FilterProblem(
        `uses ${filter} with an argument that it doesn't have${name === undefined ? '' : `: ${show(name)}`}. It has ${[...positions, ...names].join(', ')}.`,
      )
    set(name, value)
  }
  return { texts, named }
}

/** Formatters of each rendering, so that the charge doesn't depend on earlier renderings. */
const formatters = new WeakMap<Meter, Map<string, Intl.NumberFormat | Intl.DateTimeFormat>>()

function formatterOf<Formatter extends Intl.NumberFormat | Intl.DateTimeFormat>(
  meter: Meter,
  settings: unknown,
  create: () => Formatter,
): Formatter {
  const ofMeter = formatters.get(meter) ?? new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()
  formatters.set(meter, ofMeter)
  const key = JSON.stringify(settings)
  const found = ofMeter.get(key) as Formatter | undefined
  if (found) return found
  meter.charge(newFormatUnits)
  const formatter = create()
  ofMeter.set(key, formatter)
  return formatter
}
