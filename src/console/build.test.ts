import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { type BuildState, type ConsoleBuild, createConsoleBuild, notInstalledCode } from './build.ts'
import { stampOf, writeStamp } from './stamp.ts'

const sources = { 'package-lock.json': '{}', 'console/package.json': '{}' }
const page = { 'console/dist/index.html': 'old' }

/** `program`: stands where scripts/build-console.ts is. */
async function open(t: TestContext, files: Record<string, string>, program = 'throw new Error("not to be run")') {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  const told: string[] = []
  const log = {
    info: (message: string) => void told.push(message),
    warn: ({ err }: { err?: unknown }, message: string) => void told.push(`${message} (${err})`),
  }
  for (const [name, text] of Object.entries({ ...files, 'scripts/build-console.ts': program })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const build = createConsoleBuild({ root, log })
  t.after(() => {
    build.stop()
    rmSync(root, { recursive: true })
  })
  return { root, build, told }
}

/** The first state after `building`. */
async function ended(build: ConsoleBuild): Promise<BuildState> {
  return until('the build to end', async () => {
    const state = await build.state()
    return state.is === 'building' ? undefined : state
  })
}

test('a console of these sources is served as it is, and nothing is run', async (t) => {
  const { root, build, told } = await open(t, { ...sources, ...page })
  await writeStamp(join(root, 'console/dist'), (await stampOf(root)) ?? '')
  build.start()
  assert.deepEqual(await build.state(), { is: 'built' })
  assert.deepEqual(told, [])
})

test('a console that came without its sources is served as it is', async (t) => {
  const { build, told } = await open(t, { 'package-lock.json': '{}', ...page })
  build.start()
  assert.deepEqual(await build.state(), { is: 'built' })
  assert.deepEqual(told, [])
})

for (const [what, files] of [
  ['that is missing', sources],
  ['of other sources', { ...sources, ...page, 'console/dist/.stamp': 'of others' }],
  ['of which nobody knows the sources', { ...sources, ...page }],
] as const) {
  test(`a console ${what} is built`, async (t) => {
    const { build, told } = await open(t, files, '')
    build.start()
    assert.deepEqual(await build.state(), { is: 'building' })
    assert.deepEqual(await ended(build), { is: 'built' })
    assert.deepEqual(told, ['building the console', 'the console is built'])
  })
}

test('what is built is handed nothing of the environment: no key, no setting', async (t) => {
  const { build } = await open(t, sources, 'if (Object.keys(process.env).length > 0) throw new Error("has some")')
  build.start()
  assert.deepEqual(await ended(build), { is: 'built' })
})

test('a console that cannot be built is told to be missing, with what to run, and the log says why', async (t) => {
  const { build, told } = await open(t, sources, 'throw new Error("a comma is missing")')
  build.start()
  const state = await ended(build)
  assert.ok(state.is === 'missing')
  assert.match(state.why, /npm run build/)
  assert.match(told.at(-1) ?? '', /npm run build.*a comma is missing/s)
})

test('where Vite is not installed it is said what to install', async (t) => {
  const { build, told } = await open(t, sources, `process.exit(${notInstalledCode})`)
  build.start()
  const state = await ended(build)
  assert.ok(state.is === 'missing')
  assert.match(state.why, /npm ci/)
  assert.match(told.at(-1) ?? '', /npm ci/)
})

test('an older console is served where a new one cannot be built', async (t) => {
  const { build, told } = await open(t, { ...sources, ...page }, 'process.exit(1)')
  build.start()
  assert.deepEqual(await ended(build), { is: 'built' })
  assert.match(told.at(-1) ?? '', /an older one is served/)
})

test('an installation with neither the console nor its sources says so', async (t) => {
  const { build } = await open(t, {})
  build.start()
  assert.match(JSON.stringify(await ended(build)), /neither/)
})

test('a build that is not done when the service ends is ended too, and nobody is told of a failure', async (t) => {
  const { root, build, told } = await open(
    t,
    sources,
    `import { writeFileSync } from 'node:fs'
     process.on('SIGTERM', () => { writeFileSync(new URL('../ended', import.meta.url), ''); process.exit(1) })
     writeFileSync(new URL('../begun', import.meta.url), '')
     setInterval(() => {}, 1_000)`,
  )
  build.start()
  await until('the build to begin', () => existsSync(join(root, 'begun')) || undefined)
  build.stop()
  await until('the build to end', () => existsSync(join(root, 'ended')) || undefined)
  assert.deepEqual(told, ['building the console'])
})
