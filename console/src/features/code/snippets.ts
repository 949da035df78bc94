/** Code that calls a workflow and runs as it is. The key comes from the environment, not from the text. */
import type { ParameterValues } from '../../api/workflow-document.ts'

export const languages = [
  { id: 'curl', label: 'curl', needs: 'Runs in a POSIX shell with curl. Polling also needs jq.' },
  { id: 'typescript', label: 'TypeScript', needs: 'Runs with Node 22.18 or later, without packages.' },
  { id: 'python', label: 'Python', needs: 'Runs with Python 3.9 or later and requests.' },
] as const
export type Language = (typeof languages)[number]['id']

export const modes = [
  { id: 'sync', label: 'Wait', summary: 'Sends one request that returns the image.' },
  {
    id: 'async',
    label: 'Poll',
    summary: 'Starts an execution and polls it until it ends, for executions longer than a minute.',
  },
  { id: 'stream', label: 'Stream', summary: 'Starts an execution and receives each step as it happens.' },
] as const
export type Mode = (typeof modes)[number]['id']

export interface Call {
  /** `https://images.example/v1`. */
  baseUrl: string
  workflowId: string
  parameters: ParameterValues
}

export function snippet(language: Language, mode: Mode, call: Call): string {
  return `${writers[language][mode](call).trim()}\n`
}

const writers: Record<Language, Record<Mode, (call: Call) => string>> = {
  curl: { sync: curlSync, async: curlAsync, stream: curlStream },
  typescript: { sync: tsSync, async: tsAsync, stream: tsStream },
  python: { sync: pySync, async: pyAsync, stream: pyStream },
}

const body = ({ workflowId, parameters }: Call, isAsync = false) => ({
  workflowId,
  parameters,
  ...(isAsync ? { async: true } : {}),
})

function curlPost(call: Call, isAsync = false): string {
  return `curl -sS "$API/workflows/execute" \\
  -H "Authorization: Bearer $TINTYPE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(JSON.stringify(body(call, isAsync), null, 2))}`
}

function curlSync(call: Call): string {
  return `API=${call.baseUrl}

${curlPost(call)}`
}

function curlAsync(call: Call): string {
  return `API=${call.baseUrl}

ID=$(${curlPost(call, true)} | jq -r .executionId)

while :; do
  RECORD=$(curl -sS "$API/workflows/executions/$ID?wait=30" -H "Authorization: Bearer $TINTYPE_KEY")
  case $(echo "$RECORD" | jq -r .status) in
    completed) echo "$RECORD" | jq -r .output.url; break ;;
    failed) echo "$RECORD" | jq .error >&2; break ;;
  esac
  sleep 1
done`
}

function curlStream(call: Call): string {
  return `API=${call.baseUrl}

ID=$(${curlPost(call, true)} | jq -r .executionId)

curl -sSN "$API/workflows/executions/$ID/events" -H "Authorization: Bearer $TINTYPE_KEY"`
}

function tsStart(call: Call, isAsync = false): string {
  return `const api = ${jsQuoted(call.baseUrl)}
const headers = { authorization: \`Bearer \${process.env.TINTYPE_KEY}\`, 'content-type': 'application/json' }

async function request(path: string, init: RequestInit = {}): Promise<any> {
  const response = await fetch(api + path, { headers, ...init })
  const body = await response.json()
  if (!response.ok) throw new Error(\`\${body.error.code}: \${body.error.message}\`)
  return body
}

const ${isAsync ? '{ executionId }' : 'execution'} = await request('/workflows/execute', {
  method: 'POST',
  body: JSON.stringify(${indented(JSON.stringify(body(call, isAsync), null, 2), '  ')}),
})`
}

function tsSync(call: Call): string {
  return `${tsStart(call)}

// If the execution is still 'pending' or 'running', poll it.
console.log(execution.output?.url ?? execution)`
}

function tsAsync(call: Call): string {
  return `${tsStart(call, true)}

for (;;) {
  const { status, output, error } = await request(\`/workflows/executions/\${executionId}?wait=30\`)
  if (status === 'completed') {
    console.log(output.url)
    break
  }
  if (status === 'failed') throw new Error(error.message)
  await new Promise((resolve) => setTimeout(resolve, 1000))
}`
}

function tsStream(call: Call): string {
  return `${tsStart(call, true)}

let lastId: string | undefined
for (let isOpen = true; isOpen; ) {
  // After a lost connection, continue after the last event.
  const response = await fetch(\`\${api}/workflows/executions/\${executionId}/events\`, {
    headers: { ...headers, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
  })
  if (response.status === 204 || response.body === null) break
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const frames = text.split('\\n\\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const field = (name: string) => frame.match(new RegExp(\`^\${name}: (.*)$\`, 'm'))?.[1]
      lastId = field('id') ?? lastId
      const data = JSON.parse(field('data') ?? 'null')
      if (field('event') === 'step') console.log(data.node, data.status, data.duration ?? '')
      const { status, output, error } = (field('event') === 'snapshot' ? data?.execution : data) ?? {}
      if (field('event') !== 'step' && status === 'completed') console.log(output.url)
      if (field('event') !== 'step' && status === 'failed') throw new Error(error.message)
    }
  }
}`
}

function pyStart(call: Call, isAsync = false): string {
  return `import os
${isAsync ? 'import time\n' : ''}
import requests

api = ${JSON.stringify(call.baseUrl)}
headers = {"Authorization": f"Bearer {os.environ['TINTYPE_KEY']}"}

reply = requests.post(
    f"{api}/workflows/execute",
    headers=headers,
    json=${indented(pythonValue(body(call, isAsync)), '    ')},
    timeout=90,
)
reply.raise_for_status()`
}

function pySync(call: Call): string {
  return `${pyStart(call)}

execution = reply.json()
# If the execution is still "pending" or "running", poll it.
print(execution.get("output", execution).get("url", execution))`
}

function pyAsync(call: Call): string {
  return `${pyStart(call, true)}
execution_id = reply.json()["executionId"]

while True:
    record = requests.get(f"{api}/workflows/executions/{execution_id}?wait=30", headers=headers, timeout=60).json()
    if record["status"] == "completed":
        print(record["output"]["url"])
        break
    if record["status"] == "failed":
        raise SystemExit(record["error"]["message"])
    time.sleep(1)`
}

function pyStream(call: Call): string {
  return `${pyStart(call, true).replace('import time\n', '').replace('import os\n', 'import json\nimport os\n')}
execution_id = reply.json()["executionId"]

with requests.get(
    f"{api}/workflows/executions/{execution_id}/events", headers=headers, stream=True, timeout=60
) as events:
    event = ""
    for line in events.iter_lines(decode_unicode=True):
        if line.startswith("event: "):
            event = line[7:]
        elif line.startswith("data: "):
            data = json.loads(line[6:])
            if event == "step":
                print(data["node"], data["status"], data.get("duration", ""))
            else:
                execution = data["execution"] if event == "snapshot" else data
                print(execution["status"], execution.get("output", {}).get("url", ""))`
}

/** Quotes any text as one word for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function jsQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`)
}

/** JSON is also Python, except for `true`. */
function pythonValue(value: unknown): string {
  return JSON.stringify(value, (_name, part) => (part === true ? '\u0000True' : part), 4).replaceAll(
    '"\\u0000True"',
    'True',
  )
}
