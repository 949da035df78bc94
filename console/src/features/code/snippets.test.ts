import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Call, languages, modes, snippet } from './snippets.ts'

const nasty = `It's "50 %" \\ $HOME \`id\` 😀\nand a second line`
const url = 'http://images.example/1.png'

/** Answers as the service does, and keeps what it was requests. */
const requests: { path: string; key: string | undefined; body: unknown }[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  requests.push({
    path: request.url ?? '',
    key: request.headers.authorization,
    body: text === '' ? undefined : JSON.parse(text),
  })
  const record = { executionId: 'exec_1', status: 'completed', output: { url } }
  if (!request.url?.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(record))
    return
  }
  if (request.headers['last-event-id'] !== undefined) return void response.writeHead(204).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`id: 1\nevent: snapshot\ndata: {"execution":{"status":"pending"},"steps":[]}\n\n`)
  response.write(`id: 2\nevent: step\ndata: {"node":"cover","status":"completed","duration":7}\n\nid: 3\nevent: exec`)
  response.end(`ution\ndata: ${JSON.stringify(record)}\n\n`)
})
const scratch = mkdtempSync(join(tmpdir(), 'tintype-snippets-'))
let call: Call
before(async () => {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  call = { baseUrl: `http://127.0.0.1:${port}/v1`, workflowId: 'wf_1', parameters: { headline: nasty, width: 600 } }
})
after(() => {
  server.close()
  rmSync(scratch, { recursive: true, force: true })
})

/** Programs that must be installed to run a snippet. */
const programs = { curl: 'curl', typescript: process.execPath, python: 'python3' }

for (const { id: language } of languages) {
  for (const { id: mode } of modes) {
    test(`${language}, ${mode}: runs when pasted, and passes every character of the parameters`, async (t) => {
      const missing = wireProblem(language, mode)
      if (missing !== undefined) return t.skip(missing)
      requests.length = 0
      const printed = await run(language, snippet(language, mode, call))
      assert.match(printed, /http:\/\/images\.example\/1\.png/)
      const [first] = requests
      assert.equal(first?.path, '/v1/workflows/execute')
      assert.equal(first?.key, 'Bearer tt_live_secret')
      const sent = { workflowId: 'wf_1', parameters: call.parameters }
      assert.deepEqual(first?.body, mode === 'sync' ? sent : { ...sent, async: true })
      if (mode === 'stream') assert.match(printed, /cover/)
    })
  }
}

function wireProblem(language: keyof typeof programs, mode: string): string | undefined {
  if (language === 'curl')
    return has('curl', '--version') && (mode === 'sync' || has('jq', '--version'))
      ? undefined
      : 'curl or jq is not installed: "apt-get install curl jq" installs them'
  if (language === 'python')
    return has('python3', '-c', 'import requests')
      ? undefined
      : 'Python with requests is not installed: "apt-get install python3-requests" installs it'
  return undefined
}

function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function run(language: keyof typeof programs, text: string): Promise<string> {
  const file = join(scratch, { curl: 'call.sh', typescript: 'call.mts', python: 'call.py' }[language])
  writeFileSync(file, text)
  const child = spawn(language === 'curl' ? 'sh' : programs[language], [file], {
    env: { ...process.env, TINTYPE_KEY: 'tt_live_secret' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  return new Promise((settle) => child.once('close', () => settle(printed)))
}
