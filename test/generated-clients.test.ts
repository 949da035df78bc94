/** Clients that three generators make of the OpenAPI document compile with strict TypeScript, and work. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient, ok } from './harness/client.ts'
import { repository } from './harness/process.ts'
import { isFull } from './harness/repetitions.ts'
import { type Service, startService } from './harness/service.ts'
import type { Workflow } from './harness/types.ts'

const run = promisify(execFile)

/** Clients to generate; by default the client of the guide. */
const programs = isFull ? ['openapi-fetch', 'hey-api', 'oazapfts'] : ['openapi-fetch']

const heyApi = `export default {
  input: 'openapi.json',
  output: { path: 'generated/hey-api', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
}
`

const compiler = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  exclude: ['node_modules'],
}

const workflow = {
  name: 'For generated clients',
  parameters: [{ name: 'headline', type: 'string', default: 'Hello' }],
  nodes: {
    paper: { type: 'canvas', params: { width: 400, height: 100 } },
    card: { type: 'text', inputs: { image: 'paper' }, params: { text: '{{ headline }}' } },
  },
  output: { node: 'card', format: 'png' },
}

const packages = join(repository, 'test/generated-clients/node_modules')
const skip = !existsSync(packages) && 'the generators are not installed: run scripts/install-test-tools.sh'

describe('clients that are generated from the OpenAPI document', { skip }, () => {
  let service: Service
  let folder: string
  let environment: Record<string, string>

  const bin = (name: string, ...args: string[]) => run(join(packages, '.bin', name), args, { cwd: folder })

  before(async () => {
    service = await startService({})
    const api = await createClient(service, service.key)
    const { id } = ok(await api.post<Workflow>('/workflows', workflow), 201)
    environment = {
      BASE_URL: `${service.origin}/v1`,
      API_KEY: service.key,
      WORKFLOW_ID: id,
      PHOTO: join(repository, 'examples/pictures/astronaut.jpg'),
    }
    folder = mkdtempSync(join(tmpdir(), 'tintype-clients-'))
    for (const name of [...programs, 'environment'])
      cpSync(join(repository, 'test/generated-clients', `${name}.ts`), join(folder, `${name}.ts`))
    symlinkSync(packages, join(folder, 'node_modules'))
    mkdirSync(join(folder, 'generated'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compiler))
    writeFileSync(join(folder, 'openapi-ts.config.mjs'), heyApi)
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify((await api.get('/openapi.json')).body))
    await bin('openapi-typescript', 'openapi.json', '-o', 'generated/openapi-typescript.ts')
    if (!isFull) return
    await bin('openapi-ts')
    await bin('oazapfts', 'openapi.json', 'generated/oazapfts.ts')
  })
  after(async () => {
    await service.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('compile with strict TypeScript, and their types fit the programs', {
    skip: !isFull && 'npm run test:full compiles the clients of all generators',
  }, async () => {
    const { stdout } = await run(join(repository, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
    assert.equal(stdout, '')
  })

  for (const program of programs) {
    test(`${program} uploads, executes, polls, lists, deletes and reads errors`, async () => {
      await run(process.execPath, [join(folder, `${program}.ts`)], { env: { ...process.env, ...environment } })
    })
  }
})
