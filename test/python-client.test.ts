/** The Python programs of the guide work with the client that openapi-python-client makes of the OpenAPI document. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient, ok } from './harness/client.ts'
import { repository } from './harness/process.ts'
import { type Service, startWithoutExamples } from './harness/service.ts'
import type { Workflow } from './harness/types.ts'

const run = promisify(execFile)
const guide = readFileSync(join(repository, 'docs/guide/clients.md'), 'utf8')
const section = /^## Generate a Python client\n(.*?)^## /ms.exec(guide)?.[1] ?? ''
const programs = [...section.matchAll(/^```python\n(.*?)^```$/gms)].map(([, text = '']) => text)
const version = /openapi-python-client==(\S+)/.exec(section)?.[1]

/** The generator and the packages that its clients import, in the environment of `python3`. */
const found = spawnSync('openapi-python-client', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const skip =
  !found.includes(String(version)) &&
  `openapi-python-client ${version} is not on the PATH: run "pip install openapi-python-client==${version}"`

const workflow = {
  name: 'For Python',
  parameters: [{ name: 'headline', type: 'string', default: 'Hello' }],
  nodes: { sheet: { type: 'canvas', params: { width: 9, height: 9 } } },
  output: { node: 'sheet', format: 'png' },
}

test('the guide has three programs in Python, and the version of the generator', () => {
  assert.equal(programs.length, 3)
  assert.match(String(version), /^\d+\.\d+\.\d+$/)
})

describe('the Python client', { skip }, () => {
  let service: Service
  let workflowId: string
  const folder = mkdtempSync(join(tmpdir(), 'tintype-python-'))

  before(async () => {
    service = await startWithoutExamples({})
    const api = await createClient(service, service.key)
    workflowId = ok(await api.post<Workflow>('/workflows', workflow), 201).id
    copyFileSync(join(repository, 'examples/pictures/astronaut.jpg'), join(folder, 'photo.jpg'))
    const args = [
      'generate',
      '--url',
      `${service.origin}/openapi.json`,
      '--output-path',
      join(folder, 'tintype-client'),
    ]
    await run('openapi-python-client', args, { maxBuffer: 2 ** 26 })
  })
  after(async () => {
    await service.remove()
    rmSync(folder, { recursive: true })
  })

  for (const [i, text] of programs.entries())
    test(`program ${i + 1} works: ${/\.api\.\w+ import (\w+)/.exec(text)?.[1]}`, async () => {
      writeFileSync(join(folder, 'program.py'), text.replaceAll('<workflow_id>', workflowId))
      const env = {
        ...process.env,
        PYTHONPATH: join(folder, 'tintype-client'),
        TINTYPE_URL: service.origin,
        TINTYPE_KEY: service.key,
      }
      const { stdout } = await run('python3', ['program.py'], { cwd: folder, env })
      assert.match(stdout, /^(http\S+\.png|img_\w+ 512 512)\n$/)
    })
})
