import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import { notFound } from '../../../errors.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { notModified, type RequestHeaders } from '../../response/preconditions.ts'
import { createDocument } from '../../static/document.ts'
import { type StaticFile, staticFileResponse, validator } from '../../static/static-file.ts'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tintype API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

const pageFile = createDocument('text/html; charset=utf-8', (text: string) => Buffer.from(text))

/** Files by name. The last three are in the package `swagger-ui-dist`. The page loads nothing from other hosts. */
const files = new Map(
  Object.entries({
    'start.js': ['text/javascript; charset=utf-8', () => Buffer.from(start)],
    'swagger-ui.css': ['text/css; charset=utf-8', () => read(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))],
    'swagger-ui-bundle.js': [
      'text/javascript; charset=utf-8',
      () => read(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    ],
    'favicon-32x32.png': ['image/png', () => read(import.meta.resolve('swagger-ui-dist/favicon-32x32.png'))],
  } as const).map(([name, [mediaType, read]]) => [name, createDocument(mediaType, read)]),
)

function read(url: string): Promise<Buffer> {
  return readFile(fileURLToPath(url))
}

// Swagger UI sets inline styles, and its icons are data: URLs.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const getDocs = defineRoute({
  id: 'service.docs',
  method: 'GET',
  path: '/docs',
  root: 'also',
  summary: 'Open the API reference',
  tag: 'Service',
  permission: 'public',
  query: Type.Object({}, { additionalProperties: true }),
  reply: { status: 200, description: 'The HTML page.', mediaType: 'text/html', headers: validator },
  moreReplies: [{ ...notModified, headers: validator }],
  errors: ['precondition_failed'],
  handle: ({ headers }) => respond(pageFile(page), headers),
})

export const getDocsFile = defineRoute({
  id: 'service.docsFile',
  method: 'GET',
  path: '/docs/{file}',
  root: 'only',
  summary: 'Get a file of the API reference',
  tag: 'Service',
  permission: 'public',
  params: Type.Object({ file: Type.String() }),
  query: Type.Object({}, { additionalProperties: true }),
  reply: { status: 200, description: 'The file.', mediaType: '*/*', headers: validator },
  moreReplies: [{ ...notModified, headers: validator }],
  errors: ['not_found', 'precondition_failed'],
  handle({ params, headers }) {
    const document = files.get(params.file)
    if (document === undefined) throw notFound('file', params.file)
    return respond(document(params.file), headers)
  },
})

async function respond(file: Promise<StaticFile>, headers: RequestHeaders): Promise<RouteResponse> {
  const added = { 'content-security-policy': policy, 'cache-control': 'public, max-age=3600' }
  return staticFileResponse(await file, { headers, isImmutable: false, added })
}
