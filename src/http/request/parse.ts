/** Parses a request and validates path, query and body against the route's schemas. All issues are reported together. */
import Type, { type TObject, type TSchema } from 'typebox'
import { show } from '../../../shared/text.ts'
import { randomFraction } from '../../domain/ids.ts'
import { type Check, checker } from '../../domain/validate.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { closed, isBodyOptional, type Route } from '../define-route.ts'
import { dropNulls } from './nulls.ts'

export interface RequestInput {
  params: unknown
  query: unknown
  body: unknown
}

/** Returns the values with the defaults of the schemas. Throws `invalid_request` with all issues. */
export type Parse = (input: RequestInput) => RequestInput

const noFields = Type.Object({}, closed)

export function parserOf(route: Route): Parse {
  const query = route.query ?? noFields
  const checkParams = checker(route.params ?? noFields)
  const checkQuery = checker(query, 'query parameter')
  const checkBody = bodyCheck(route)
  const isOptional = isBodyOptional(route)
  return (input) => {
    if (route.body) dropNulls(route.body, input.body)
    const values = {
      params: { ...(input.params as object) },
      query: coerceNumbers(query, input.query),
      body: isOptional ? (input.body ?? {}) : input.body,
    }
    const queryIssues = checkQuery(values.query).map((issue) => onceOnly(issue, query, values.query))
    const issues = [...checkParams(values.params), ...queryIssues, ...checkBody(values.body)]
    if (issues.length > 0) throw invalidRequest(issues.slice(0, limits.issuesMax))
    return values
  }
}

function bodyCheck({ method, body }: Route): Check {
  if (body !== undefined) {
    const check = checker(body)
    return (value) =>
      value === undefined ? [{ path: '', message: 'requires a body, sent as application/json' }] : check(value)
  }
  return (value): Issue[] => {
    const empty =
      value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
    return empty ? [] : [{ path: '', message: `must not have a body: ${method} on this path accepts none` }]
  }
}

/** A query parameter that is sent twice becomes an array. No parameter is one. */
function onceOnly(issue: Issue, { properties }: TObject, query: Record<string, unknown>): Issue {
  const isRepeated = Object.hasOwn(properties, issue.path) && Array.isArray(query[issue.path])
  return isRepeated ? { ...issue, message: 'was sent more than once. Send it once.' } : issue
}

/** Query values are strings. Converts plain decimal numbers if the schema has a number, and nothing else. */
function coerceNumbers(schema: TSchema, query: unknown): Record<string, unknown> {
  const { properties } = schema as { properties: Record<string, { type?: string }> }
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
      const digits = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
      return [name, (type === 'integer' || type === 'number') && digits ? Number(value) : value]
    }),
  )
}

/** A longer body is parsed when it is the turn of its account (`turns.ts`). */
export const shortBodyBytes = 16_384

/** Whether a body may be longer, by its headers. */
export function isLongBody(headers: IncomingHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBodyBytes
}

/** The JSON of a body; undefined if it is empty. */
export function parseBody(bytes: Uint8Array, headers: IncomingHeaders): unknown {
  requireFewValues(bytes)
  return bytes.length === 0 ? undefined : parseJson(decodeText(bytes, headers))
}

type IncomingHeaders = Record<string, string | string[] | undefined>

/** Decodes a body. Accepts uncompressed UTF-8 only. */
export function decodeText(bytes: Uint8Array, headers: IncomingHeaders): string {
  const charset = /charset="?([^";\s]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset))
    throw invalidRequest([{ path: 'Content-Type', message: `must have the charset utf-8, not ${show(charset)}` }])
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding !== 'identity')
    throw invalidRequest([
      { path: 'Content-Encoding', message: `must be identity, not ${show(encoding)}. Send the body uncompressed.` },
    ])
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidRequest([{ path: '', message: 'must have a body in UTF-8' }])
  }
}

/**
 * Throws before the body is parsed. To parse a megabyte of empty lists takes a hundred times as long as a megabyte of text, and so do tens of thousands of
 * different names. Equal names cost little: rows of a table have them.
 */
function requireFewValues(bytes: Uint8Array): void {
  if (bytes.length <= limits.jsonNamesMax) return
  const names = createNameCount()
  let values = 1
  let isText = false
  let hash = 0
  let start = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === quote) {
      isText = !isText
      if (isText) [hash, start] = [0, i]
    } else if (isText) {
      if (i - start <= hashedBytesMax) hash = mixed(hash, byte === backslash ? (bytes[i + 1] ?? 0) + 256 : byte)
      if (byte === backslash) i += 1
    } else if (byte === comma || byte === bracket || byte === brace) values += 1
    else if (byte === colon) names.add(hash)
  }
  const { jsonValuesMax, jsonNamesMax } = limits
  const tooMany =
    values > jsonValuesMax
      ? `${jsonValuesMax.toLocaleString('en')} values`
      : names.count() > jsonNamesMax
        ? `${jsonNamesMax.toLocaleString('en')} different names of fields`
        : undefined
  if (tooMany !== undefined) throw invalidRequest([{ path: '', message: `must have a body of at most ${tooMany}` }])
}

/** Different for each process, so that no one can choose names with equal hashes. Odd. */
const hashFactor = Math.floor(randomFraction() * 2 ** 31) * 2 + 1

/** Longer names are few: a megabyte has at most `jsonNamesMax` of them. */
const hashedBytesMax = 50

function mixed(hash: number, byte: number): number {
  const product = Math.imul(hash ^ byte, hashFactor)
  return product ^ (product >>> 15)
}

const hashBits = 20

/** Counts different hashes by the bits that they set: a little too few of many. */
function createNameCount() {
  const bits = new Uint8Array(2 ** (hashBits - 3))
  let count = 0
  return {
    count: () => count,
    add(hash: number) {
      const place = hash >>> (32 - hashBits)
      const [at, bit] = [place >>> 3, 1 << (place & 7)]
      if (((bits[at] as number) & bit) !== 0) return
      bits[at] = (bits[at] as number) | bit
      count += 1
    },
  }
}

const [quote, backslash, comma, bracket, brace, colon] = Buffer.from('"\\,[{:')

/**
 * Parses JSON. Rejects deep nesting (which would overflow the stack of recursive functions) and `__proto__` before other
 * code uses the value.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalidRequest([
      { path: '', message: `must have valid JSON in its body. ${error instanceof Error ? error.message : ''}` },
    ])
  }
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limits.jsonDepthMax)
      throw invalidRequest([{ path: '', message: `must have a body of at most ${limits.jsonDepthMax} nested levels` }])
    const next: object[] = []
    for (const at of level) {
      if (Object.hasOwn(at, '__proto__'))
        throw invalidRequest([{ path: '__proto__', message: 'is not an allowed name' }])
      for (const value of Object.values(at)) if (isObject(value)) next.push(value)
    }
    level = next
  }
  return value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
