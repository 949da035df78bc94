/** Sends the requests of the suite by the methods of @tintype/client, if a method can send them. */
import { ApiError, Tintype } from '../../client/src/index.ts'
import { operations } from '../../client/src/resources.ts'
import type { CallOptions } from './client.ts'
import type { HttpResponse } from './http.ts'
import type { Part } from './multipart.ts'

/** How often each operation was called, such as `workflows.list`. */
export const calls = new Map<string, number>()

const table = Object.entries(operations).flatMap(([noun, rows]) =>
  Object.entries(rows).map(([verb, [method, path, input, result]]) => {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
    return { noun, verb, method, pattern, parameterCount: path.split('{').length, input, result }
  }),
)

/** Undefined if no method of the client sends exactly this request, for example if it is invalid on purpose. */
export async function sendThroughClient(
  origin: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<HttpResponse | undefined> {
  const { authorization, 'idempotency-key': idempotencyKey, 'if-match': ifMatch, ...headers } = options.headers ?? {}
  const [, key] = /^Bearer (\S+)$/.exec(String(authorization ?? '')) ?? []
  const matching = table.filter((each) => each.pattern.test(path)).sort((a, b) => a.parameterCount - b.parameterCount)
  const operation = matching.find(
    (each) => each.method === method && each.parameterCount === matching[0]?.parameterCount,
  )
  if (!operation || operation.result === 'events' || options.signal || options.agent || options.keepAlive === false)
    return undefined
  // `fetch` sets the host and the encodings.
  const isSpecial = headers.host !== undefined || headers['accept-encoding'] !== undefined
  if ((authorization !== undefined && !key) || isSpecial) return undefined
  const values = operation.pattern.exec(path)?.slice(1).map(decoded) ?? []
  const input = inputOf(operation.input, options)
  if (values.includes(undefined) || input === undefined || Object.values(headers).some(Array.isArray)) return undefined

  let last: Response | undefined
  const client = new Tintype({ url: origin, key, maxRetries: 0 })
  const request = {
    ...(idempotencyKey !== undefined && { idempotencyKey: String(idempotencyKey) }),
    ...(ifMatch !== undefined && { ifMatch: String(ifMatch) }),
    headers: headers as Record<string, string>,
    onResponse: (response: Response) => {
      last = response
    },
    ...(operation.input !== 'query' && options.query && { query: options.query }),
  }
  const id = `${operation.noun}.${operation.verb}`
  calls.set(id, (calls.get(id) ?? 0) + 1)
  const resources = client as unknown as Record<string, Record<string, (...values: unknown[]) => Promise<unknown>>>
  try {
    const result = await resources[operation.noun]?.[operation.verb]?.(...values, input, request)
    if (result instanceof Response) return responseOf(result, Buffer.from(await result.arrayBuffer()))
    return responseOf(last, Buffer.from(result === undefined ? '' : JSON.stringify(result)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, details, retryAfter } = error
    return responseOf(last, Buffer.from(JSON.stringify({ error: { code, message, retryAfter, details } })))
  }
}

function responseOf(response: Response | undefined, bytes: Buffer): HttpResponse {
  if (!response) throw new Error('The client reported no response.')
  // `fetch` has decoded the body.
  const { 'content-encoding': _, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, bytes }
}

/** Undefined if the client would send another spelling. */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment)
    return encodeURIComponent(text) === segment && !/^\.{1,2}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

function inputOf(kind: string, { json, parts, query, body, headers }: CallOptions): unknown {
  if (body !== undefined) {
    const format = kind === 'rows' && typeof body === 'string' && rowFormats[String(headers?.['content-type'])]
    return format ? { [format]: body } : undefined
  }
  if (kind === 'query') return json === undefined && !parts ? (query ?? {}) : undefined
  if (kind === 'form') return parts && formOf(parts)
  if (json === undefined) return parts ? undefined : {}
  return typeof json === 'object' && json !== null && (!Array.isArray(json) || kind === 'rows') ? json : undefined
}

const rowFormats: Record<string, string> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' }

/** Undefined for forms that no browser sends. */
function formOf(parts: Part[]): Record<string, unknown> | undefined {
  const names = parts.map(({ field }) => field)
  const isUsual = parts.every(({ field, filename }) =>
    field === 'file'
      ? filename !== undefined && /^[\w .-]+$/.test(filename)
      : filename === undefined && /^\w+$/.test(field),
  )
  if (!isUsual || new Set(names).size < names.length) return undefined
  return Object.fromEntries(
    parts.map(({ field, value, filename = '', contentType = '' }) => [
      field,
      field === 'file' ? new File([value], filename, { type: contentType }) : String(value),
    ]),
  )
}
