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
    'Copy a client for your language. Set `TINTYPE_KEY` to an [API key](authentication.md) and replace `<workflow_id>` and the parameters.',
    'The **API** tab of a workflow in the [console](console.md) shows the same code with your own values.\n',
    'For TypeScript and JavaScript, [the client](typescript-client.md) has retries, events, uploads and types. For other languages, [generate a client](#generate-a-typed-client). Retries and rate limits: [errors and retries](errors-and-retries.md).\n',
    ...languages.flatMap(({ id, label, needs }) => [
      `## ${label}\n`,
      `${needs}\n`,
      ...modes.flatMap((mode) => [
        `### ${label}: ${titles[mode.id]}\n`,
        fenced(fences[id], snippet(id, mode.id, call)),
      ]),
    ]),
    pythonClient,
    generated,
  ].join('\n')
}

/** Programs with the client of openapi-python-client, which test/python-client.test.ts runs if the generator is installed. */
const pythonPrograms: [title: string, program: string][] = [
  [
    'Execute a workflow',
    `import os
import uuid

import httpx
from tintype_client import AuthenticatedClient
from tintype_client.api.workflows import workflows_execute
from tintype_client.models import CompletedExecution, WorkflowsExecuteRequest, WorkflowsExecuteRequestParameters

client = AuthenticatedClient(
    base_url=os.environ["TINTYPE_URL"] + "/v1", token=os.environ["TINTYPE_KEY"], timeout=httpx.Timeout(120)
)
parameters = WorkflowsExecuteRequestParameters.from_dict({"headline": "Hello from Python"})
body = WorkflowsExecuteRequest(workflow_id="<workflow_id>", parameters=parameters)
result = workflows_execute.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
if isinstance(result, CompletedExecution):
    print(result.output.url)
else:
    print(result)`,
  ],
  [
    'Upload an image',
    `import os

from tintype_client import AuthenticatedClient
from tintype_client.api.storage import images_upload
from tintype_client.models import Image, ImagesUploadRequest
from tintype_client.types import File

client = AuthenticatedClient(base_url=os.environ["TINTYPE_URL"] + "/v1", token=os.environ["TINTYPE_KEY"])
with open("photo.jpg", "rb") as photo:
    file = File(payload=photo, file_name="photo.jpg", mime_type="image/jpeg")
    image = images_upload.sync(client=client, body=ImagesUploadRequest(file=file))
assert isinstance(image, Image), image
print(image.id, image.width, image.height)`,
  ],
  [
    'Start and poll',
    `import os
import time

from tintype_client import AuthenticatedClient
from tintype_client.api.executions import executions_get
from tintype_client.api.workflows import workflows_execute
from tintype_client.models import AcceptedExecution, ExecutionCompleted, ExecutionFailed, WorkflowsExecuteRequest

client = AuthenticatedClient(base_url=os.environ["TINTYPE_URL"] + "/v1", token=os.environ["TINTYPE_KEY"])
body = WorkflowsExecuteRequest(workflow_id="<workflow_id>", async_=True)
accepted = workflows_execute.sync(client=client, body=body)
assert isinstance(accepted, AcceptedExecution), accepted
while True:
    execution = executions_get.sync(accepted.execution_id, client=client)
    if isinstance(execution, ExecutionCompleted):
        print(execution.output.url)
        break
    if isinstance(execution, ExecutionFailed):
        print(execution.error.message)
        break
    time.sleep(1)`,
  ],
]

const pythonClient = `## Generate a Python client

[openapi-python-client](https://github.com/openapi-generators/openapi-python-client) makes a package with types and with a function for each operation, synchronous and for asyncio. It needs Python 3.10 or later:

${fenced(
  'sh',
  `pipx run openapi-python-client==0.29.0 generate --url http://127.0.0.1:8080/openapi.json --output-path tintype-client
pip install ./tintype-client`,
)}
The programs read \`TINTYPE_URL\`, such as \`http://127.0.0.1:8080\`, and \`TINTYPE_KEY\`.

${pythonPrograms.map(([title, program]) => `### Python client: ${title}\n\n${fenced('python', program)}`).join('\n')}
The generator warns about operations whose response is a file: call \`sync_detailed\`, and read \`content\`. Send the rows of a batch as JSON. Server-sent events have no function: poll, or use \`httpx\`. The client doesn't retry: see [retry in Python](errors-and-retries.md#retry-in-python).
`

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

const headers = { authorization: \`Bearer \${process.env.TINTYPE_KEY}\` }
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

client.setConfig({ auth: () => process.env.TINTYPE_KEY })

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
