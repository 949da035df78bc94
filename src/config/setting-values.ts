/** Parsers of settings: text to a value, or an `Error` that says what is expected. */
import { isIP } from 'node:net'
import { forAllPlans, isPlanName, type PlanName } from '../domain/accounts/plan.ts'
import type { MaximumByPlan } from '../domain/accounts/quota.ts'

export function nonEmpty(text: string): string {
  return text
}

export function port(text: string): number {
  return integer(0, 65_535)(text)
}

export function integer(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value
    throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
  }
}

export function number(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+(\.\d+)?$/.test(text) && value >= minimum && value <= maximum) return value
    throw new Error(`must be a number from ${minimum} to ${maximum}`)
  }
}

/** Rounds to the millionth. */
export function dollars(text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d{1,6})?$/.test(text) && value <= 1_000_000) return value
  throw new Error('must be US dollars as in 12.50, from 0 to 1000000, with at most 6 decimals')
}

/** A value for all plans, or some by plan: `30`, or `starter=7,pro=90`. `expected`: the values that `parse` accepts. */
export function byPlan<Value>(expected: string, parse: (text: string) => Value) {
  return (text: string): Partial<Record<PlanName, Value>> => {
    const entries = text.split(',').map((entry) => entry.trim().split('='))
    const [[only = '', ...rest] = []] = entries
    try {
      if (entries.length === 1 && rest.length === 0) return forAllPlans(parse(only))
      const values: Partial<Record<PlanName, Value>> = {}
      for (const [plan = '', value = '', ...more] of entries) {
        if (!isPlanName(plan) || plan in values || more.length > 0) throw new Error('not a plan')
        values[plan] = parse(value)
      }
      return values
    } catch {
      throw new Error(`must be ${expected}, or such a number by plan as in starter=7,pro=90`)
    }
  }
}

export const daysByPlan = byPlan('a whole number of days from 1 to 9999', integer(1, 9_999))

/** The maximum of a quota. Null: none. */
export function quotaByPlan(minimum: number, maximum: number): (text: string) => MaximumByPlan {
  const number = integer(minimum, maximum)
  const expected = `a whole number from ${minimum} to ${maximum}, or none`
  return byPlan(expected, (text) => (text === 'none' ? null : number(text)))
}

export function trueOrFalse(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Error('must be true or false')
}

export function oneOf(...options: string[]) {
  return (text: string): string => {
    if (options.includes(text)) return text
    throw new Error(`must be one of ${options.join(', ')}`)
  }
}

export function hosts(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  // net/allow.ts parses them strictly. This check names the setting.
  if (entries.every((entry) => /^(\[[0-9a-f:.]+\]|[^\s:*@/\\?#[\]]+)(:\d{1,5})?$/i.test(entry))) return entries
  throw new Error('must be hosts or host:port, comma-separated, without schemes, paths and wildcards')
}

/** IP addresses and CIDR blocks. */
export function networks(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.every(isNetwork)) return entries
  throw new Error('must be IP addresses or CIDR blocks, comma-separated, such as 127.0.0.1,10.0.0.0/8,fd00::/8')
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const isPlain = family !== 0 && !address.includes('%') && more.length === 0
  return isPlain && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}

/** Addresses in the form of `dns.setServers`: an IPv6 address with a port is in brackets. */
export function nameServers(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  const isServer = (entry: string) => {
    const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
    return isIP(entry) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port) >= 1 && Number(port) <= 65_535)
  }
  if (entries.every((entry) => isServer(entry) && !entry.includes('%'))) return entries
  throw new Error(
    'must be IP addresses with or without a port, comma-separated, such as 10.0.0.2,127.0.0.1:5353,[::1]:53',
  )
}

/** The model catalog checks that the models exist. A name without a provider is a local model. */
export function modelList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => /^[^\s/,]+(\/[^\s,]+)?$/.test(name)) && new Set(names).size === names.length) return names
  throw new Error('must be provider/model, comma-separated, each only once')
}

/** A URL without a slash at the end, so that paths can be put behind it. */
export function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '')
    return url.href.replace(/\/+$/, '')
  throw new Error('must be an http(s) URL without query')
}

/** An http(s) URL without a path: the console, its cookie and its links need the root of a host. */
export function originUrl(text: string): string {
  const url = httpUrl(text)
  if (url === new URL(url).origin) return url
  throw new Error('must not have a path: use a dedicated host name, such as https://images.example.com')
}

/** HTTPS, except on this machine: the request has the claim and a secret, and the response is a signature. */
export function signerUrl(text: string): string {
  const url = URL.parse(text)
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (
    url &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) &&
    url.username === '' &&
    url.hash === ''
  )
    return url.href
  throw new Error('must be an https URL without a user name')
}

/** The value of a header. */
export function headerText(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text
  throw new Error('must be one line of printable ASCII characters')
}

/** A contact as a URI (RFC 9116, 2.5.3). */
export function contact(text: string): string {
  const uri = /^[^\s@:/]+@[^\s@:/]+$/.test(text) ? `mailto:${text}` : text
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(uri) && URL.canParse(uri)) return uri
  throw new Error('must be an email address or an https URL')
}

/**
 * Its host may be empty: `postgres:///database?host=/var/run/postgresql` goes over a socket. A name with a slash or an @ is
 * the end of a password that was not escaped, and must not be shown.
 */
export function databaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^postgres(ql)?:$/.test(url.protocol) && /^\/[^/@]+$/.test(url.pathname) && url.hash === '') return text
  throw new Error('must be a URL as in postgres://user:password@host:5432/database, with special characters escaped')
}
