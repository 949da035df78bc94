/** The clients page, from the snippets that the console shows for a workflow. */
import { languages, modes, snippet } from '../../console/src/features/code/snippets.ts'
import { fenced, pageHead } from './markdown.ts'

const call = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  workflowId: '<workflow_id>',
  parameters: { headline: 'Hello from Tintype' },
}
const fences = { curl: 'sh', typescript: 'ts', python: 'python' } as const
const titles = {
  sync: 'Wait for the result',
  async: 'Start and poll',
  stream: 'Start and stream events',
} as const

export function clientsPage(): string {
  return [
    pageHead('Clients: curl, TypeScript and Python', 'console/src/features/code/snippets.ts'),
    'Copy a client for your language. Set `TINTYPE_API_KEY` to an [API key](authentication.md) and replace `<workflow_id>` and the parameters.',
    'The **API** tab of a workflow in the [console](console.md) shows the same code with your own values.\n',
    'Retries and rate limits: [errors and retries](errors-and-retries.md). Tintype has no published client library yet: you can [generate one](#generate-a-typed-client).\n',
    ...languages.flatMap(({ id, label, needs }) => [
      `## ${label}\n`,
      `${needs}\n`,
      ...modes.flatMap((mode) => [
        `### ${label}: ${titles[mode.id]}\n`,
        fenced(fences[id], snippet(id, mode.id, call)),
      ]),
    ]),
    generated,
  ].join('\n')
}

const generated = `## Generate a typed client

The service describes its API in an OpenAPI 3.1 document at \`/openapi.json\`. Generators make a typed client of it. The document names the address of your service, from
\`PUBLIC_URL\`. These commands were run with the versions in them, and the clients compile with strict TypeScript.

### openapi-typescript and openapi-fetch

${fenced(
  'sh',
  `npm install openapi-fetch@0.17.0
npx openapi-typescript@7.13.0 http://127.0.0.1:8080/openapi.json --output tintype.d.ts`,
)}
${fenced(
  'ts',
  `import createClient from 'openapi-fetch'
import type { components, paths } from './tintype.d.ts'

const headers = { authorization: \`Bearer \${process.env.TINTYPE_API_KEY}\` }
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080/v1', headers })

const { data, error } = await client.POST('/workflows/execute', { body: { workflowId: '<workflow_id>' } })
if (error) throw new Error(\`\${error.error.code}: \${error.error.message}\`)
// A synchronous execution that takes longer than the service waits has no output yet.
if ('output' in data) console.log(data.output.url)

export type Execution = components['schemas']['Execution']`,
)}
### Hey API

A function for each operation, also for uploads and server-sent events.

${fenced('sh', `npx --package typescript@5.9.3 --package @hey-api/openapi-ts@0.99.0 openapi-ts --input http://127.0.0.1:8080/openapi.json --output tintype`)}
${fenced(
  'ts',
  `import { readFile } from 'node:fs/promises'
import { client } from './tintype/client.gen'
import { imagesUpload } from './tintype/sdk.gen'

client.setConfig({ auth: () => process.env.TINTYPE_API_KEY })

const photo = new File([await readFile('photo.jpg')], 'photo.jpg')
const { data, error } = await imagesUpload({ body: { file: photo } })
console.log(data?.url ?? error?.error.message)`,
)}
### Other generators

| Generator                         | Command                                                                                                  |
| --------------------------------- | -------------------------------------------------------------------------------------------------------- |
| orval (fetch, React Query, zod)   | \`npx orval@8.38.0 --config orval.config.mjs\`, with the file below                                         |
| swagger-typescript-api            | \`npx swagger-typescript-api@13.13.0 generate --path http://127.0.0.1:8080/openapi.json --output tintype\` |
| oazapfts                          | \`npx oazapfts@7.5.0 http://127.0.0.1:8080/openapi.json tintype.ts\`                                       |
| openapi-zod-client (axios, zod 3) | \`npx openapi-zod-client@1.18.3 http://127.0.0.1:8080/openapi.json --output tintype.ts\`                   |

orval writes paths without the address of the service, unless its configuration says otherwise. \`orval.config.mjs\`:

\`\`\`js
export default {
  tintype: {
    input: 'http://127.0.0.1:8080/openapi.json',
    output: { target: './tintype.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
}
\`\`\`

### Types by status

\`Execution\` is a union by \`status\`, so that TypeScript knows the output of a completed execution and the error of a failed one:

\`\`\`ts
if (execution.status === 'completed') console.log(execution.output.url)
else if (execution.status === 'failed') console.log(execution.error.message)
\`\`\`

### Limits of the generators

| Generator                    | Limits                                                                                                                              |
| ---------------------------- | ----------------------------------------------------------------------------------------------------------------------------------- |
| openapi-typescript           | The type of a file is \`string\`. Pass a \`FormData\` in \`bodySerializer\`. No server-sent events: use \`fetch\` or \`EventSource\`          |
| Hey API, oazapfts, orval     | The rows of a batch are a JSON array. Send CSV and NDJSON with \`fetch\`                                                              |
| oazapfts, orval              | No server-sent events: they wait for the end of the stream. Each call needs the header \`Authorization\`, or a default for all of them |
| orval                        | Sends the rows of a batch without a JSON type, as \`text/plain\`. The service accepts that                                            |

- Responses get additional fields in later versions, so a client must accept unknown fields. Clients of these generators do.
- Clients of openapi-zod-client call operations by their alias: \`api['workflows.execute']({ workflowId })\`. Calls by path are too deep for TypeScript.
- Generators need the compiler API of TypeScript 5 or 6, which TypeScript 7 doesn't have yet. So the command for Hey API names a version of TypeScript.
- Each operation names the permission that its key needs, and the errors of each status: [permissions](../permissions.md), [errors](../errors.md).
`
