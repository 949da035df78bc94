import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { named } from '../../domain/named-schema.ts'
import { reservedSlugs } from '../../domain/workflows/workflow.ts'
import { closed, type Route } from '../define-route.ts'
import { routes } from '../routes/index.ts'
import { tags } from '../routes/tags.ts'
import { openApiDocument } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'

const baseUrl = 'http://127.0.0.1:8080/v1'
const document = openApiDocument({ routes, baseUrl, version: '0.0.0' }) as unknown as Document

interface Document extends Json {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; responses: Record<string, Response> }
}

interface Operation {
  operationId: string
  tags: string[]
  requestBody?: { content: Content }
  responses: Record<string, Response & { $ref?: string }>
}

interface Response {
  content?: Content
  headers?: Json
}

type Content = Record<string, { schema?: Json }>

const operations = Object.values(document.paths).flatMap((item) =>
  Object.entries(item)
    .filter(([method]) => method !== 'servers')
    .map(([, operation]) => operation),
)

/** Each schema in a value, with its path. */
function schemasIn(value: unknown, path: string): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, child]) =>
    name === 'examples' ? [] : schemasIn(child, `${path}/${name}`),
  )
  return [[path, value as Json], ...inner]
}

/** The names of the components that a value refers to, also through others. */
function reachedFrom(value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    reachedFrom(document.components.schemas[name], found)
  }
  return found
}

const responses = [
  ...operations.flatMap((each) => Object.values(each.responses)),
  ...Object.values(document.components.responses),
]
const ofResponses = reachedFrom(responses)
const ofRequests = reachedFrom(operations.map(({ requestBody }) => requestBody ?? {}))

describe('schemas of the OpenAPI document', () => {
  test('every object of a response has a name, so that clients have a type for it', () => {
    assert.ok(ofResponses.size > 50)
    const places = [
      ...responses.flatMap((each, at) => schemasIn(each.content, `response ${at}`)),
      ...[...ofResponses].flatMap((name) => schemasIn(document.components.schemas[name], name).slice(1)),
    ]
    const unnamed = places.filter(([, { type, properties }]) => type === 'object' && properties !== undefined)
    assert.deepEqual(unnamed, [])
  })

  test('responses may have more fields, and requests may not', () => {
    const closedResponses = [...ofResponses].flatMap((name) =>
      schemasIn(document.components.schemas[name], name).filter(([, schema]) => schema.additionalProperties === false),
    )
    assert.deepEqual(closedResponses, [])
    const open = [...ofRequests].filter((name) => {
      const { properties, additionalProperties } = document.components.schemas[name] ?? {}
      // With `true`, the fields are names that the caller chose.
      return properties !== undefined && additionalProperties === undefined
    })
    assert.deepEqual(open, [])
  })

  test('discriminators are above references, with a mapping', () => {
    const found = schemasIn(document, '').filter(([, { discriminator }]) => discriminator !== undefined)
    assert.ok(found.length > 0)
    for (const [path, { oneOf, discriminator }] of found) {
      const { mapping } = discriminator as { mapping: Json }
      assert.deepEqual(
        oneOf,
        Object.values(mapping).map(($ref) => ({ $ref })),
        path,
      )
    }
  })

  test('every example is valid', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...document, $id: 'openapi' })
    const examples = Object.entries(document.components.schemas).flatMap(([name, { examples = [] }]) =>
      (examples as unknown[]).map((example) => ({ name, example })),
    )
    assert.ok(examples.length > 8)
    for (const { name, example } of examples) {
      const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)
      assert.ok(validate?.(example), `${name}: ${JSON.stringify(validate?.errors)}`)
    }
    const elsewhere = JSON.stringify({ ...document, components: {} }).match(/"examples?":/)
    assert.equal(elsewhere, null, 'examples are a part of named schemas, where this test finds them')
  })

  test('errors of a route without a key have no rate limit, and of one with a key they have', () => {
    const headersOfError = (path: string) => {
      const { $ref = '' } = document.paths[path]?.get?.responses['403'] ?? {}
      return Object.keys(document.components.responses[$ref.split('/').at(-1) ?? '']?.headers ?? {})
    }
    assert.deepEqual(headersOfError('/i/{file}'), ['X-Request-Id'])
    assert.ok(headersOfError('/workflows').includes('RateLimit'))
  })

  test('an uploaded file is binary', () => {
    const forms = operations.flatMap(({ requestBody }) => requestBody?.content['multipart/form-data']?.schema ?? [])
    assert.ok(forms.length >= 3)
    for (const name of reachedFrom(forms)) {
      const { properties } = document.components.schemas[name] as { properties: { file?: Json; image?: Json } }
      const file = properties.file ?? properties.image
      assert.equal(file?.format, 'binary')
      assert.equal(file?.contentMediaType, 'application/octet-stream')
    }
  })

  test('a schema with the same name as another one is an error', () => {
    const route = (schema: Route['reply']['schema']) =>
      ({
        id: 'a.b',
        method: 'GET',
        path: '/a',
        tag: 'Service',
        permission: [],
        reply: { status: 200, schema },
      }) as unknown as Route
    const one = Type.Object({ a: Type.String() }, named('Same'))
    const other = Type.Object({ b: Type.String() }, named('Same'))
    const build = (both: Route[]) => openApiDocument({ routes: both, baseUrl, version: '' })
    assert.doesNotThrow(() => build([route(one), route(Type.Object({ a: Type.String() }, named('Same')))]))
    assert.throws(() => build([route(one), route(other)]), /Two different schemas have the name Same/)
  })

  test('a schema of requests and responses has two names if its forms differ', () => {
    const Both = Type.Object({ a: Type.String() }, { ...named('Both'), ...closed })
    const route = {
      id: 'a.b',
      method: 'POST',
      path: '/a',
      tag: 'Service',
      permission: [],
      body: Type.Object({ both: Both }, closed),
    }
    const built = openApiDocument({
      routes: [{ ...route, reply: { status: 200, description: '', schema: Both } } as unknown as Route],
      baseUrl,
      version: '',
    }) as unknown as Document
    assert.deepEqual(
      Object.keys(built.components.schemas).filter((name) => name.startsWith('Both')),
      ['Both', 'BothInput'],
    )
    assert.equal(built.components.schemas.Both?.additionalProperties, undefined)
    assert.equal(built.components.schemas.BothInput?.additionalProperties, false)
  })
})

describe('operations of the OpenAPI document', () => {
  test('have an id of a noun and a verb, a described tag and a declared error of the caller', () => {
    assert.ok(operations.length > 50)
    for (const { operationId, tags: operationTags, responses } of operations) {
      assert.match(operationId, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/)
      assert.ok(operationTags.every((tag) => Object.hasOwn(tags, tag)))
      assert.ok(
        Object.keys(responses).some((status) => /^4/.test(status)),
        operationId,
      )
    }
    const used = new Set(operations.flatMap((each) => each.tags))
    assert.deepEqual(
      document.tags.map(({ name }) => name),
      Object.keys(tags),
    )
    assert.deepEqual([...used].sort(), Object.keys(tags).sort())
  })
})

test('no slug of a workflow is a path below /workflows', () => {
  const segments = Object.keys(document.paths).flatMap((path) => /^\/workflows\/([^{/]+)/.exec(path)?.[1] ?? [])
  assert.deepEqual([...new Set(segments)].sort(), [...reservedSlugs].sort())
})

/** Warnings of Redocly's rules that stay, with the reason. */
const accepted: Record<string, string> = {
  'no-ambiguous-paths':
    '/workflows/executions/{executionId} is a path of the interface. No id or slug of a workflow is "executions" or "drafts": `reservedSlugs`.',
}

test("Redocly's recommended rules have no warning without a reason", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  const seen = new Set(problems.map(({ ruleId }) => ruleId))
  assert.deepEqual(
    problems.filter(({ ruleId }) => !Object.hasOwn(accepted, ruleId)).map(({ ruleId, message }) => [ruleId, message]),
    [],
  )
  assert.deepEqual([...seen], Object.keys(accepted))
})
