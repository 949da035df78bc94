/** The main path of an installation that has the bundle and no sources. The full run tests more: features.test.ts. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { installBundle } from '../harness/installation.ts'

const folder = await installBundle()
const { startService } = await import('../harness/service.ts')

test('the bundle starts without the sources, and executes the printed command', async (t) => {
  const service = await startService()
  t.after(() => service.remove())
  const reply = JSON.parse(execFileSync('sh', ['-c', service.curl], { encoding: 'utf8', stdio: 'pipe' }))
  assert.equal(reply.status, 'completed')
  assert.match(service.lines.join('\n'), /ready/)
})

test('every module of the bundle that another one imports on demand can be imported', () => {
  const dist = path.join(folder, 'dist')
  const onDemand = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(path.join(dist, name), 'utf8').matchAll(/\bimport\("(\.\/[^"]+)"\)/g)])
    .map(([, name = '']) => name)
  const names = [...new Set(onDemand)]
  assert.ok(names.length >= 30, `found ${names.length}`)
  const program = `for (const name of ${JSON.stringify(names)}) await import('${dist}/' + name)`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program])
})

test('every program that runs in a process or thread of its own is in the bundle', () => {
  const names = readdirSync(path.join(folder, 'dist'))
  const src = path.resolve(import.meta.dirname, '../../src')
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const programs = sources.flatMap((name) =>
    [...readFileSync(path.join(src, name), 'utf8').matchAll(/new URL\('\.\/(.+)\.ts', import\.meta\.url\)/g)].map(
      ([, program = '']) => `${path.join(path.dirname(name), program).replaceAll('/', '-')}.js`,
    ),
  )
  assert.ok(programs.length >= 3, `found ${programs.length}`)
  for (const each of programs) assert.ok(names.includes(each), each)
})
