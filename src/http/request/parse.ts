/** Parses a request and validates path, query and body against the route's schemas. All issues are reported together. */
import Type, { type TObject, type TSchema } from 'typebox'
import { show } from '../../../shared/text.ts'
import { parseJson } from '../../domain/parse-json.ts'
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
      body: route.upload
        ? coerceNumbers(route.body ?? noFields, input.body)
        : isOptional
          ? (input.body ?? {})
          : input.body,
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
  return isRepeated ? { path: issue.path, message: 'was sent more than once. Send it once.' } : issue
}

/** Values of queries and forms are strings. Converts plain decimal numbers if the schema has a number, and nothing else. */
function coerceNumbers(schema: TSchema, values: unknown): Record<string, unknown> {
  const { properties } = schema as { properties: Record<string, { type?: string }> }
  return Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
      const digits = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
      return [name, (type === 'integer' || type === 'number') && digits ? Number(value) : value]
    }),
  )
}

/** A longer body is parsed in a slot of its account (`reads.ts`). */
export const shortBodyBytes = 16_384

/** The JSON of a body; undefined if it is empty. Throws `invalid_request`. */
export function parseBody(bytes: Uint8Array, headers: IncomingHeaders): unknown {
  if (bytes.length === 0) return undefined
  const { value, problem } = parseJson(decodeText(bytes, headers))
  if (problem !== undefined) throw invalidRequest([problem])
  return value
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
