import { defineRoute } from '../../define-route.ts'
import { notModified } from '../../response/preconditions.ts'
import { createJsonDocument } from '../../static/document.ts'
import { staticFileResponse, validator } from '../../static/static-file.ts'
import { OpenApiDocument } from '../schema.ts'

/** Made once for each base URL: to do so takes some milliseconds, and requests without a key can be many. */
const document = createJsonDocument((openApi: unknown) => openApi)

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
    headers: validator,
    schema: OpenApiDocument,
  },
  moreReplies: [{ ...notModified, headers: validator }],
  errors: ['precondition_failed'],
  handle: async ({ headers }, { openApi }) =>
    staticFileResponse(await document(openApi()), { headers, isImmutable: false }),
})
