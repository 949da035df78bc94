import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fakeKinds } from '../../fakes/src/index.ts'
import { freePort } from '../harness/port.ts'
import { scratchFolder } from './scratch.ts'

const command = join(import.meta.dirname, '../../fakes/bin/tintype-fakes.js')

test('`tintype-fakes` prints the settings to use, responses requests, and stops on SIGINT', async (t) => {
  const port = await freePort()
  // Each provider has the same offset from the first port, no matter which are started.
  const first = port - fakeKinds.findIndex(({ id }) => id === 'fal')
  const child = spawn(process.execPath, [command, 'fal', '--port-from', String(first)], { cwd: scratchFolder() })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    output += text
    if (output.includes('Ctrl-C')) break
  }
  assert.match(output, /These are fake providers/)
  assert.ok(output.includes(`export FAL_BASE_URL=http://127.0.0.1:${port} FAL_KEY=fake-key\n`), output)
  assert.ok(output.includes(`env FAL_BASE_URL=http://127.0.0.1:${port} FAL_KEY=fake-key npx tintype serve`), output)
  assert.equal((await fetch(`http://127.0.0.1:${port}/fal-ai/flux/dev`, { method: 'POST', body: '{}' })).status, 401)
  const inUse = await failureOf('fal', '--port-from', String(first))
  assert.match(inUse, new RegExp(`^Port ${port}, for the fake of fal, is in use\\.`))
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('`tintype-fakes` rejects unknown providers, ports and options in one line, with exit code 2', async () => {
  assert.match(await failureOf('acme'), /^Unknown provider: acme\. Available: openai, .*removebg\.\n$/)
  assert.match(await failureOf('--port-from', '0x10'), /^--port-from is 0x10; .* from 1 to 65000\.\n$/)
  assert.match(await failureOf('--latency', '3'), /^Unknown option '--latency'.*\n$/)
})

async function failureOf(...args: string[]): Promise<string> {
  const error = await promisify(execFile)(process.execPath, [command, ...args]).then(
    () => assert.fail('it started'),
    (reason: { code: number; stderr: string }) => reason,
  )
  assert.equal(error.code, 2)
  return error.stderr
}
