/** The commands of the guide, in the order of each page, against a real service: they work when they are pasted. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Fake } from '../fakes/src/fake.ts'
import { startFake } from '../fakes/src/index.ts'
import { type Client, createClient, ok } from './harness/client.ts'
import { isFull } from './harness/repetitions.ts'
import { type Service, startService } from './harness/service.ts'
import type { Execution } from './harness/types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const timeoutMs = 600_000

/** Each page, with the number of its commands and programs. */
const pages: Record<string, number> = {
  'quickstart.md': 4,
  'errors-and-retries.md': 2,
  'process-many-images.md': 2,
  'pagination.md': 3,
  'async-and-events.md': 5,
  'idempotency.md': 1,
  'caching.md': 1,
  'debug-executions.md': 5,
  'previews.md': 2,
  'versions-and-drafts.md': 6,
  'resize-and-crop.md': 1,
  'ai-models.md': 2,
  'authentication.md': 6,
  // They have other workflows.
  'parameters.md': 3,
  'workflows-in-workflows.md': 1,
  'brand.md': 3,
}

/** The last id of each kind in the responses, for the placeholders of the next command. */
const placeholders = {
  wf: 'workflow_id',
  img: 'image_id',
  exec: 'execution_id',
  key: 'key_id',
  acct: 'account_id',
  batch: 'batch_id',
}

let openai: Fake
let service: Service
let api: Client
const folder = mkdtempSync(join(tmpdir(), 'tintype-guide-'))
const ids = new Map<string, string>()
const missingImage = 'img_0000000000000000000000000000'
/** Ids that must not replace a placeholder: the key of the test must not be revoked. */
const unusable = new Set([missingImage])

before(async () => {
  openai = await startFake('openai', { key: 'fake-key' })
  service = await startService({ OPENAI_BASE_URL: openai.url, OPENAI_API_KEY: 'fake-key' })
  api = await createClient(service, service.key)
  const { keys } = ok(await api.get<{ keys: { id: string }[] }>('/keys'))
  for (const { id } of keys) unusable.add(id)
  await run('npx tintype accounts list')
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
})
after(async () => {
  await service.remove()
  await openai.close()
  rmSync(folder, { recursive: true, force: true })
})

const tried = Object.entries(pages).filter(([page]) => isFull || page === 'quickstart.md')
for (const [page, count] of tried) {
  test(`the commands of ${page} work`, async () => {
    let seen = 0
    for (const { language, text, file } of blocksOf(readFileSync(join(root, 'docs/guide', page), 'utf8'))) {
      if (file !== undefined) writeFileSync(join(folder, file), here(text))
      if (language === 'sh' && (await runCommands(text))) seen += 1
      if (language === 'ts' && file === undefined) {
        writeFileSync(join(folder, 'program.ts'), here(text))
        await run('node program.ts <workflow_id> <image_id>')
        seen += 1
      }
    }
    assert.equal(seen, count)
  })
}

interface Block {
  language: string
  text: string
  /** The name in "Save this as `name`:" before the block. */
  file: string | undefined
}

function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/(?:Save (?:this|it) as `([^`]+)`:\n\n)?```(\w+)\n([\s\S]*?)```/g)
  return Array.from(blocks, ([, file, language = '', text = '']) => ({ language, text, file }))
}

/** Runs a block. False if it only has commands that the test does itself. */
async function runCommands(text: string): Promise<boolean> {
  const lines = text.replaceAll(/(\\|\|)\n/g, '$1\r').split('\n')
  const commands = lines
    .filter((line) => line !== '' && !/^npm ci|^(export )?\w+=\S+$|^\s+/.test(line))
    .map((line) => line.replaceAll('\r', '\n'))
  for (const command of commands) {
    if (command.includes('/resume')) await failedExecution()
    const output = await run(command)
    assert.doesNotMatch(output, /\{"error":\{"code":/, command)
  }
  return commands.length > 0
}

/** Executes the workflow of the quickstart with an image that doesn't exist: `resume` needs a failed execution. */
async function failedExecution(): Promise<void> {
  const parameters = { photo: missingImage }
  const started = await api.post<Execution>('/workflows/execute', {
    workflowId: ids.get('workflow_id'),
    parameters,
    async: true,
  })
  await api.ended(started.body.executionId)
  ids.set('execution_id', started.body.executionId)
}

async function run(commands: string): Promise<string> {
  const script = here(commands)
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    KEY: service.key,
    BASE: `${service.origin}/v1`,
    TINTYPE_API: `${service.origin}/v1`,
    TINTYPE_KEY: service.key,
    ...service.environment,
  }
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env, timeout: timeoutMs }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${script}\n${error.stdout}${error.stderr}`)
    },
  )
  for (const [prefix, name] of Object.entries(placeholders)) {
    const found = stdout.match(new RegExp(`\\b${prefix}_[0-9a-z]{20,}`, 'g'))?.filter((id) => !unusable.has(id))
    if (found?.length) ids.set(name, found.at(-1) ?? '')
  }
  const url = /http:\S+\/images\/img_\w+\.\w+/.exec(stdout)
  if (url !== null) ids.set('image_url', url[0])
  return stdout
}

/** The text with the address of the service, the command of this folder and known ids. */
function here(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:8080', service.origin)
    .replaceAll('npx tintype', `node ${join(root, 'bin/tintype.js')}`)
    .replaceAll(/<(\w+)>/g, (placeholder, name) => ids.get(name) ?? placeholder)
}
