/** Values of the command line, read strictly. */
import { InvalidArgumentError } from 'commander'
import { didYouMean } from '../../shared/suggest.ts'
import { type Grant, grants } from '../domain/accounts/key.ts'
import { isPlanName, type PlanName, planNames } from '../domain/accounts/plan.ts'
import { micros } from '../domain/money.ts'
import { nameProblem } from '../domain/name-text.ts'
import { type WebhookEventType, webhookTypes } from '../domain/webhooks/webhook.ts'
import { isSlug } from '../domain/workflows/workflow.ts'

export function planName(text: string): PlanName {
  if (isPlanName(text)) return text
  throw new InvalidArgumentError(hintOf(text, planNames))
}

/** The name of a record. */
export function nameOption(text: string): string {
  const problem = nameProblem(text)
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`)
  return text
}

export function rateLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of requests per minute.')
}

/** `2026-11`, as its first and its last day. */
export function month(text: string): { from: string; to: string } {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined || number === undefined) throw new InvalidArgumentError('It must be a month such as 2026-11.')
  const days = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate()
  return { from: `${text}-01`, to: `${text}-${days}` }
}

/** US dollars as micro-dollars, `none` for no bound, `default` (null) for the operator's. */
export function budget(text: string): number | 'none' | null {
  if (text === 'none') return 'none'
  if (text === 'default') return null
  return dollarsOf(text, ', or none, or default')
}

/** Bytes, `none` for no maximum, `default` (null) for the operator's. */
export function storageBytes(text: string): number | 'none' | null {
  if (text === 'none') return 'none'
  if (text === 'default') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of bytes such as 50000000000, or none, or default.')
}

/** US dollars as micro-dollars. */
export function usDollars(text: string): number {
  return dollarsOf(text, '')
}

function dollarsOf(text: string, orElse: string): number {
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text) && Number(text) <= 1_000_000) return micros(Number(text))
  throw new InvalidArgumentError(`It must be US dollars such as 12.50, from 0 to 1000000${orElse}.`)
}

export function permissionList(text: string): Grant[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(grants as string[]).includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown permission: ${unknown.join(', ')}. ${hintOf(unknown[0] ?? '', grants)}`)
  return names as Grant[]
}

/** `0` to `100`, also `0.25`, of percent. */
export function percent(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('It must be a percentage from 0 to 100.')
}

export function integerUpTo(max: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`)
  }
}

export function oneOf<Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const found = names.find((name) => name === text)
    if (found === undefined) throw new InvalidArgumentError(hintOf(text, names))
    return found
  }
}

/** A suggestion, or the known values. */
function hintOf(text: string, names: readonly string[]): string {
  return didYouMean(text, names) || `It must be one of ${names.join(', ')}.`
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `30m`, `12h`, `30d` in milliseconds. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return Number(count) * (unitMs[unit] ?? 0)
  throw new InvalidArgumentError('It must be a number and a unit, such as 90s, 30m, 12h or 30d.')
}

export function integerFrom1To(max: number): (text: string) => number {
  return (text) => {
    const number = integerUpTo(max)(text)
    if (number > 0) return number
    throw new InvalidArgumentError('It must be at least 1.')
  }
}

/** `2026-11-21`, or with a time in UTC, in milliseconds since the epoch. */
export function time(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a date or a time such as 2026-11-21T10:00:00Z.')
  return ms
}

/** The number of a version. */
export function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of a version, such as 3.')
}

export function slugText(text: string): string {
  if (isSlug(text)) return text
  throw new InvalidArgumentError('It must be a slug (a-z, then a-z 0-9 -, at most 63).')
}

/** The name of a channel, such as `live`. */
export function channelName(text: string): string {
  if (isSlug(text)) return text
  throw new InvalidArgumentError('It must be the name of a channel (a-z, then a-z 0-9 -, at most 63).')
}

/** `--param name=value`, repeated. */
export function parameter(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

export function eventTypeList(text: string): WebhookEventType[] {
  return [...new Set(text.split(',').map((item) => item.trim()))].map((typeName) => {
    const type = webhookTypes.find((known) => known === typeName)
    if (type === undefined)
      throw new InvalidArgumentError(`must be a comma-separated list of ${webhookTypes.join(', ')}, not "${typeName}".`)
    return type
  })
}

/** The command line knows only text: what the workflow declares a number is read as one. */
export function typed(
  parameters: readonly { name: string; type: string }[] = [],
  texts: Record<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const number = parameters.find((parameter) => parameter.name === name)?.type === 'number'
      return [name, number && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text]
    }),
  )
}
