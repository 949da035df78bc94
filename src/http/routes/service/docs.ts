import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import { notFound } from '../../../errors.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'

/** Files of the package `swagger-ui-dist`. The page loads nothing from other hosts. */
const files: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = Buffer.from(`<!doctype html>
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
`)

const start = Buffer.from(`SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`)

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
  reply: { status: 200, description: 'The HTML page.', mediaType: 'text/html' },
  handle: () => docsFile('text/html; charset=utf-8', page),
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
  reply: { status: 200, description: 'The file.', mediaType: '*/*' },
  errors: ['not_found'],
  async handle({ params: { file } }) {
    if (file === 'start.js') return docsFile('text/javascript; charset=utf-8', start)
    const mediaType = Object.hasOwn(files, file) ? files[file] : undefined
    if (mediaType === undefined) throw notFound('file', file)
    return docsFile(mediaType, await bytesOf(file))
  },
})

/** Contents by the names in `files`. Many clients can read a file slowly, so all of them share its bytes. */
const read = new Map<string, Promise<Buffer>>()

function bytesOf(file: string): Promise<Buffer> {
  const bytes = read.get(file) ?? readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)))
  read.set(file, bytes)
  // Another request tries again.
  bytes.catch(() => read.delete(file))
  return bytes
}

function docsFile(mediaType: string, body: Buffer): RouteResponse {
  const headers = {
    'content-type': mediaType,
    'content-security-policy': policy,
    'cache-control': 'public, max-age=3600',
  }
  return { headers, body }
}
