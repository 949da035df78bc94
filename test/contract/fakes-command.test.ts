import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { fakeKinds } from '../fakes/index.ts'
import { freePort } from '../harness/port.ts'
import { scratchFolder } from './scratch.ts'

test('`tintype fakes` says that they are fakes and how to use them, answers, and ends when it is told to', async (t) => {
  const port = await freePort()
  // Each has its own place after the first port, whichever are started.
  const first = port - fakeKinds.findIndex(({ id }) => id === 'fal')
  const main = join(import.meta.dirname, '../../src/main.ts')
  const child = spawn(process.execPath, [main, 'fakes', 'fal', '--port-from', String(first)], { cwd: scratchFolder() })
  t.after(() => child.kill('SIGKILL'))
  let told = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    told += text
    if (told.includes('Ctrl-C')) break
  }
  assert.match(told, /These are fakes/)
  assert.ok(told.includes(`export FAL_BASE_URL=http://127.0.0.1:${port} FAL_KEY=fake-key\n`), told)
  assert.ok(told.includes(`env FAL_BASE_URL=http://127.0.0.1:${port} FAL_KEY=fake-key npx tintype serve`), told)
  assert.equal((await fetch(`http://127.0.0.1:${port}/fal-ai/flux/dev`, { method: 'POST', body: '{}' })).status, 401)
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
