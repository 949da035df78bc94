/** The npm package, installed in an empty folder with npm alone. The full run tests more: features.test.ts. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { packPackage } from '../harness/package.ts'
import { freePort } from '../harness/port.ts'
import { killTree } from '../harness/process.ts'
import { until } from '../harness/wait.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-npx-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const root = path.join(folder, 'node_modules/tintype')
const dist = path.join(root, 'dist')
const archive = await packPackage(folder)
// The Node of the machine, which may be 20, instead of the one that npm adds for scripts of the clone.
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((each) => !each.includes('node_modules'))
  .join(':')
const port = await freePort()
const options = { cwd: folder, env: { PATH, HOME: process.env.HOME, PORT: String(port) } }
execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--loglevel=error', archive], {
  ...options,
  stdio: 'pipe',
})

test('`npx tintype` starts the service, makes an image, and has the console and the documentation', async (t) => {
  const child = spawn('npx', ['tintype'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => killTree(child))
  let printed = ''
  const collect = (text: Buffer) => {
    printed += text
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', collect)
  const command = await until('the command of the banner', async () => {
    if (child.exitCode !== null) throw new Error(`The service ended:\n${printed}`)
    return /^curl .*$/m.exec(printed)?.[0]
  })
  const { status, output } = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: 'pipe' }))
  assert.equal(status, 'completed')
  const image = await fetch(output.url)
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/webp'])
  for (const page of ['/', '/guide/quickstart', '/docs', '/docs/swagger-ui-bundle.js', '/openapi.json'])
    assert.equal((await fetch(`http://127.0.0.1:${port}${page}`)).status, 200, page)
  assert.ok(existsSync(path.join(folder, 'data')), 'the data is in the current folder')
  child.kill('SIGTERM')
  await until('the end of the service', () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => undefined,
      () => true,
    ),
  )
})

test('the package depends on the packages that the bundle imports, on no others, and has the licences of the bundle', () => {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const field of ['scripts', 'devDependencies', 'workspaces', 'private']) assert.ok(!(field in manifest), field)
  const sources = globSync('dist/*.js', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'))
  const named = sources.flatMap((text) =>
    Array.from(text.matchAll(/(?:^import [^;]*?from |\bimport\()"([@a-z][^":]*)"/gm), ([, name = '']) => name),
  )
  const imported = [...new Set(named.filter((name) => !isBuiltin(name)))]
  assert.ok(imported.length >= 6, imported.join())
  assert.deepEqual(
    imported.filter((name) => !(name in manifest.dependencies)),
    [],
  )
  // Fonts are found by their files.
  const unused = Object.keys(manifest.dependencies).filter((name) => !imported.includes(name) && !name.includes('font'))
  assert.deepEqual(unused, [])
  const licences = readFileSync(path.join(dist, 'LICENSES.txt'), 'utf8')
  for (const name of ['fastify', '@aws-sdk/client-s3', 'echarts', 'swagger-ui-dist'])
    assert.match(licences, new RegExp(`^${name} [\\d.]+ \\(.+\\)$`, 'm'))
})

test('every module of the bundle that another one imports on demand can be imported', () => {
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
  const names = readdirSync(dist)
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
