/** The resources of the client: one method for each operation of the OpenAPI document. */

interface Schema {
  $ref?: string
  properties?: Record<string, { type?: string; format?: string; items?: Schema }>
  required?: string[]
  'x-sse-events'?: Record<string, Schema>
}

interface Content {
  [mediaType: string]: { schema?: Schema }
}

interface Operation {
  operationId: string
  summary: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; description?: string }[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content }>
}

export interface Document {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema> }
}

/**
 * Operations of web pages: the sign-in of the console, the pages of the API reference, and delivery URLs, whose exact spelling is signed. And those for
 * clients of OpenAI and of agents.
 */
const omitted = /^(session\..*|service\.docs(File)?|delivery\.get|openai\..*|mcp\.send)$/
const methods = ['get', 'post', 'put', 'patch', 'delete']

export function clientResources(document: Document): string {
  const resources = new Map<string, { rows: string[]; signatures: string[] }>()
  for (const [path, { servers = document.servers, ...byMethod }] of Object.entries(document.paths)) {
    const isVersioned = servers.some(({ url }) => url.endsWith('/v1'))
    for (const method of methods) {
      const operation = byMethod[method]
      if (operation === undefined || omitted.test(operation.operationId)) continue
      const [noun = '', verb = ''] = operation.operationId.split('.')
      const resource = resources.get(noun) ?? { rows: [], signatures: [] }
      resources.set(noun, resource)
      const described = describe(document, { ...operation, isRead: method !== 'post' }, path)
      const fullPath = isVersioned ? `/v1${path}` : path
      const row = [method.toUpperCase(), fullPath, described.input, described.result, ...described.more]
      resource.rows.push(`    ${verb}: [${row.map((each) => `'${each}'`).join(', ')}],`)
      resource.signatures.push(
        `  /** ${operation.summary.replace(/([^.])$/, '$1.')} ${'`'}${row[0]} ${path}${'`'} */\n  ${verb}(${described.signature})${described.returns}`,
      )
    }
  }
  const nouns = [...resources.keys()].sort()
  const interfaceOf = (noun: string): string => `${noun[0]?.toUpperCase()}${noun.slice(1)}Resource`
  const blocks = nouns.map((noun) => {
    const { signatures = [] } = resources.get(noun) ?? {}
    return `export interface ${interfaceOf(noun)} {\n${signatures.join('\n')}\n}\n`
  })
  const table = nouns.map((noun) => `  ${noun}: {\n${resources.get(noun)?.rows.join('\n')}\n  },`)
  const webhooks = Object.values(document.webhooks).map(({ post }) => typeOf(jsonOf(post.requestBody.content)))
  return `/** Derived from the OpenAPI document by \`npm run derive\`: the operations of the API as methods. */
import type { FileInput, List, None, Query, RequestOptions, Rows, Schemas, ServerSentEvent } from './types.ts'

${blocks.join('\n')}
/** The resources of the client, named by the operations of the API. */
export interface Resources {
${nouns.map((noun) => `  readonly ${noun}: ${interfaceOf(noun)}`).join('\n')}
}

/** The body of a webhook. */
export type WebhookEvent =
${webhooks.map((each) => `  | ${each}`).join('\n')}

/** Method, path, input, result, and the field of the items of a list. */
export type OperationRow = readonly [
  method: string,
  path: string,
  input: 'query' | 'json' | 'form' | 'rows',
  result: 'json' | 'list' | 'events' | 'file',
  itemsField?: string,
]

/** Parameters of the path come first, then the query or the body, then options. */
export const operations: Record<keyof Resources, Record<string, OperationRow>> = {
${table.join('\n')}
}
`
}

function describe(document: Document, operation: Operation & { isRead: boolean }, path: string) {
  const { operationId, parameters = [], requestBody } = operation
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  const hasQuery = parameters.some((each) => each.in === 'query')
  const query = `Query<'${operationId}'>`
  const options = requestBody && hasQuery ? `RequestOptions & { query?: ${query} }` : 'RequestOptions'
  const types = Object.keys(requestBody?.content ?? {})
  const input = !requestBody
    ? 'query'
    : types.length > 1
      ? 'rows'
      : types[0] === 'multipart/form-data'
        ? 'form'
        : 'json'
  const inputs: string[] = []
  if (input === 'rows') inputs.push('rows: Rows')
  else if (requestBody) {
    const schema = Object.values(requestBody.content)[0]?.schema ?? {}
    const resolved = resolve(document, schema)
    const isOptional = requestBody.required !== true || (resolved.properties && !resolved.required?.length)
    const type = input === 'form' ? formType(resolved, typeOf(schema)) : typeOf(schema)
    inputs.push(`body${isOptional ? '?' : ''}: ${type}`)
  } else inputs.push(`${operation.isRead ? 'query' : 'body'}?: ${hasQuery ? query : 'None'}`)
  const { result, returns, more } = resultOf(document, operation)
  return { input, result, more, returns, signature: [...pathParameters, ...inputs, `options?: ${options}`].join(', ') }
}

function resultOf(document: Document, { responses }: Operation): { result: string; returns: string; more: string[] } {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    /^2/.test(status) && content ? [content] : [],
  )
  const events = contents[0]?.['text/event-stream']?.schema
  if (events) {
    const byName = Object.entries(resolve(document, events)['x-sse-events'] ?? {})
    const types = byName.map(([name, schema]) => `ServerSentEvent<'${name}', ${typeOf(schema)}>`)
    return { result: 'events', returns: `: AsyncIterable<${types.join(' | ')}>`, more: [] }
  }
  const schemas = contents.flatMap((content) => content['application/json']?.schema ?? [])
  if (schemas.length === 0) return { result: 'file', returns: ': Promise<Response>', more: [] }
  const { properties = {} } = resolve(document, schemas[0] ?? {})
  const items = Object.entries(properties).find(([, { type }]) => type === 'array')
  if (properties.hasMore && items) {
    const [field, { items: item = {} }] = items
    return { result: 'list', returns: `: List<${typeOf(schemas[0])}, ${typeOf(item)}>`, more: [field] }
  }
  const types = [...new Set(schemas.map(typeOf))]
  return { result: 'json', returns: `: Promise<${types.join(' | ')}>`, more: [] }
}

/** The fields of a form; a file is an object of its content. */
function formType({ properties = {} }: Schema, type: string): string {
  const files = Object.keys(properties).filter((name) => properties[name]?.format === 'binary')
  const names = files.map((name) => `'${name}'`).join(' | ')
  return `Omit<${type}, ${names}> & { ${files.map((name) => `${name}: FileInput`).join('; ')} }`
}

function resolve(document: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {})
}

function jsonOf(content: Content): Schema | undefined {
  return content['application/json']?.schema
}

function typeOf(schema: Schema | undefined): string {
  if (schema?.$ref === undefined) throw new Error('The client needs a named schema of each body and response.')
  return `Schemas['${nameOf(schema.$ref)}']`
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
