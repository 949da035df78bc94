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
  handle: (_request, { openApi }) => ({ body: openApi() }),
})
