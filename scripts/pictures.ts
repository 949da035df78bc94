/**
 * Usage: node scripts/pictures.ts --url http://127.0.0.1:8080 --key <API_KEY>
 *
 * Executes every example workflow on a running service, as a client of its API, and saves the outputs to docs/pictures:
 * made smaller by a workflow of the same service; but as they came the one of the README, from the command that the first
 * start prints, and those that show how many bytes came out. Run it when the look of an example has changed, and look at
 * the pictures before you commit them. `test-key.webp` is none of them: it is the output of a test key.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const { values } = parseArgs({ options: { url: { type: 'string' }, key: { type: 'string' } } })
if (!values.url || !values.key) {
  process.stderr.write('Usage: node scripts/pictures.ts --url http://127.0.0.1:8080 --key <API_KEY>\n')
  process.exit(2)
}
const base = `${values.url}/v1`
const headers = { authorization: `Bearer ${values.key}`, 'content-type': 'application/json' }

const examples = new URL('../examples/workflows/', import.meta.url)
const folder = new URL('../docs/pictures/', import.meta.url)
/** Example -> name of the image -> parameters. */
const originals: Record<string, Record<string, Record<string, string | number>>> = {
  'link-preview-card': { 'link-preview-card': { headline: 'Hello from Tintype' } },
  'responsive-image': {
    'responsive-image-1600': { width: 1600, format: 'avif', maxBytes: 90_000 },
    'responsive-image-960': { width: 960, format: 'webp', maxBytes: 60_000 },
    'responsive-image-480': { width: 480, format: 'jpeg', maxBytes: 30_000 },
  },
}
const reduce = {
  name: 'Reduce for the documentation',
  parameters: [{ name: 'source', type: 'string', required: true }],
  nodes: {
    source: { type: 'image', params: { source: '{{ source }}' } },
    small: { type: 'resize', inputs: { image: 'source' }, params: { width: 800, height: 800, fit: 'inside' } },
  },
  output: { node: 'small', format: 'webp', quality: 78 },
}

await mkdir(folder, { recursive: true })
const { workflows } = await send('GET', '/workflows?limit=100')
const reducer = await send('POST', '/workflows', reduce)
for (const file of (await readdir(examples)).sort()) {
  const { name } = parse(await readFile(new URL(file, examples), 'utf8'))
  const workflow = workflows.find((each) => each.name === name)
  if (workflow === undefined) throw new Error(`the service has no workflow "${name}"; apply examples/workflows first`)
  const id = basename(file, '.yaml')
  for (const [example, parameters] of Object.entries(originals[id] ?? {})) {
    const { output } = await send('POST', '/workflows/execute', { workflowId: workflow.id, parameters })
    await save(output.url, `${example}.${output.format}`)
  }
  if (id in originals) continue
  const { output } = await send('POST', '/workflows/execute', { workflowId: workflow.id })
  const parameters = { source: output.imageId }
  const small = await send('POST', '/workflows/execute', { workflowId: reducer.id, parameters })
  await save(small.output.url, `${id}.webp`)
}
await send('DELETE', `/workflows/${reducer.id}`)

/** The fields of the responses that are used here. */
interface Reply {
  id: string
  workflows: { id: string; name: string }[]
  output: { url: string; imageId: string; format: string }
}

async function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(`${base}${path}`, init)
  const reply = (await response.json()) as Reply
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`)
  return reply
}

async function save(url: string, name: string): Promise<void> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  await writeFile(new URL(name, folder), bytes)
  process.stdout.write(`docs/pictures/${name} ${bytes.length} bytes\n`)
}
