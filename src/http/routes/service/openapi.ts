import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { defineRoute } from '../../define-route.ts'

export const getOpenApi = defineRoute({
  id: 'service.openapi',
  method: 'GET',
  path: '/openapi.json',
  root: 'also',
  summary: 'Get the OpenAPI 3.1 document',
  tag: 'Service',
  permission: 'public',
  reply: {
    status: 200,
    description: 'The OpenAPI document.',
    schema: Type.Object({ openapi: Type.String() }, { ...named('OpenApiDocument'), additionalProperties: true }),
  },
  handle: (_request, { openApi }) => ({
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: bytesOf(openApi()),
  }),
})

let serialized: { document: unknown; bytes: Buffer } = { document: undefined, bytes: Buffer.alloc(0) }

/** Serialized once for each base URL: to do so takes some milliseconds, and requests without a key can be many. */
function bytesOf(document: unknown): Buffer {
  if (serialized.document !== document) serialized = { document, bytes: Buffer.from(JSON.stringify(document)) }
  return serialized.bytes
}
