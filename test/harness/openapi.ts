/** Checks responses against the service's own OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Operation {
  operationId: string
  method: string
  /** Path from the root of the origin: `/v1/workflows/{workflowId}`. */
  path: string
  matches(path: string): boolean
  responses: Map<number, Response>
}

interface Response {
  /**
   * Empty if no body is declared. A schema is compiled by the first response that it checks: all together take seconds, and
   * most processes see few.
   */
  mediaTypes: Map<string, (() => ValidateFunction) | undefined>
  /** The declared error codes; empty for a success. */
  codes: string[]
  /** The declared headers in lower case, and whether every response with this status has them. */
  headers: Map<string, boolean>
}

export interface OpenApi {
  document: OpenApiDocument
  operations: Operation[]
  find(method: string, path: string): Operation | undefined
  /** The differences between the body of an error and its schema. */
  judgeError(body: unknown): string[]
  /** The differences between the body of a webhook and the schema of its type. */
  judgeWebhook(body: { type: string }): string[]
}

export interface OpenApiDocument {
  openapi: string
  servers?: { url: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, unknown>
  components?: Record<string, unknown>
}

interface OperationObject {
  operationId?: string
  responses?: Record<string, ResponseObject>
  servers?: { url: string }[]
}

interface ResponseObject {
  $ref?: string
  content?: Record<string, { schema?: unknown }>
  headers?: Record<string, { required?: boolean }>
  'x-error-codes'?: string[]
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

export function readOpenApi(document: OpenApiDocument): OpenApi {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, formats })
  ajv.addSchema({ ...(closed(document) as OpenApiDocument), $id: 'openapi' })
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => readOperation(document, ajv, path, method, operation)),
  )
  const differences = (pointer: string, body: unknown) => {
    const validate = ajv.compile({ $ref: `openapi#${pointer}` })
    return validate(body) ? [] : (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`)
  }
  return {
    document,
    operations,
    judgeError: (body) => differences('/components/schemas/Error', body),
    judgeWebhook: (body) =>
      document.webhooks?.[body.type] === undefined
        ? [`the OpenAPI document has no webhook ${body.type}`]
        : differences(`/webhooks/${body.type}/post/requestBody/content/application~1json/schema`, body),
    find: (method, path) => {
      // `/workflows/executions` is the list of executions, not the workflow of that id, whatever the method.
      const parameters = (operation: Operation): number => operation.path.split('{').length
      const matching = operations.filter((each) => each.matches(path))
      const fewest = Math.min(...matching.map(parameters))
      return matching.find((each) => parameters(each) === fewest && each.method === method.toUpperCase())
    },
  }
}

/** Responses may have more fields than they declare, for later versions. This version has none that it doesn't declare. */
function closed(value: unknown, isOpen = false): unknown {
  if (Array.isArray(value)) return value.map((each) => closed(each))
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, closed(field, name === 'OpenApiDocument')]),
  )
  if (inner.type !== 'object' || !inner.properties || isOpen) return inner
  return {
    ...inner,
    additionalProperties: inner.additionalProperties === true ? false : (inner.additionalProperties ?? false),
  }
}

function readOperation(
  document: OpenApiDocument,
  ajv: Ajv2020,
  path: string,
  method: string,
  operation: OperationObject,
): Operation {
  const servers =
    operation.servers ?? (document.paths[path]?.servers as { url: string }[] | undefined) ?? document.servers ?? []
  const bases = servers.map(({ url }) => new URL(url, 'http://localhost').pathname.replace(/\/$/, ''))
  const full = `${bases[0] ?? ''}${path}`
  const pattern = new RegExp(`^(?:${bases.join('|')})${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`)
  const responses = Object.entries(operation.responses ?? {}).map(([status, declared]): [number, Response] => {
    const response = declared.$ref ? (resolve(document, declared.$ref) as typeof declared) : declared
    const pointer = declared.$ref?.slice(1) ?? `/paths/${escapePointer(path)}/${method}/responses/${status}`
    const mediaTypes = Object.entries(response.content ?? {}).map(
      ([type, { schema }]): [string, (() => ValidateFunction) | undefined] => {
        const reference = { $ref: `openapi#${pointer}/content/${escapePointer(type)}/schema` }
        // Ajv compiles an object once.
        return [type, schema === undefined ? undefined : () => ajv.compile(reference)]
      },
    )
    return [
      Number(status),
      {
        mediaTypes: new Map(mediaTypes),
        codes: response['x-error-codes'] ?? [],
        headers: new Map(
          Object.entries(response.headers ?? {}).map(([name, { required }]) => [
            name.toLowerCase(),
            required !== false,
          ]),
        ),
      },
    ]
  })
  return {
    operationId: operation.operationId ?? '',
    method: method.toUpperCase(),
    path: full,
    matches: (asked) => pattern.test(asked),
    responses: new Map(responses),
  }
}

/** The differences between a response and the document; empty if there are none. */
export function judge(operation: Operation, status: number, headers: Record<string, unknown>, body: unknown): string[] {
  const where = `${operation.method} ${operation.path} answered ${status}`
  const response = operation.responses.get(status)
  if (!response) return [`${where}, which the OpenAPI document does not declare`]
  const missing = [...response.headers].flatMap(([name, isAlways]) =>
    isAlways && headers[name] === undefined ? [name] : [],
  )
  if (status < 400 && missing.length > 0) return [`${where} without ${missing.join(', ')}`]
  const undeclared = Object.keys(headers).filter((name) => !response.headers.has(name) && !commonHeaders.test(name))
  if (status < 400 && undeclared.length > 0)
    return [`${where} with ${undeclared.join(', ')}, which it does not declare`]
  if (response.mediaTypes.size === 0) return []
  const type =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim() ?? ''
  const declared = [...response.mediaTypes].find(([declared]) => mediaTypeMatches(declared, type))
  if (!declared) return [`${where} as ${type}, declared are ${[...response.mediaTypes.keys()].join(', ')}`]
  const [, compiled] = declared
  if (compiled === undefined || !/[/+]json$/.test(type)) return []
  const validate = compiled()
  if (validate(body)) return []
  return (validate.errors ?? []).map((error) => `${where}: ${error.instancePath} ${error.message}`)
}

/**
 * Headers of connections, caches and browsers, and the rate limit, which a public route has if a key was sent. They
 * need no declaration.
 */
const commonHeaders =
  /^(cache-control|vary|x-accel-buffering|connection|date|keep-alive|transfer-encoding|content-(length|type|encoding|security-policy)|x-content-type-options|referrer-policy|access-control-.*|cross-origin-.*|strict-transport-security|(x-)?ratelimit.*)$/

function mediaTypeMatches(declared: string, type: string): boolean {
  return declared === type || declared === '*/*' || (declared.endsWith('/*') && type.startsWith(declared.slice(0, -1)))
}

function resolve(document: OpenApiDocument, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document)
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  uri: (value: string): boolean => URL.canParse(value),
  binary: true as const,
  color: true as const,
}
