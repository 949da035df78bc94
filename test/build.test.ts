/** `npm run build` with a console of one page. The real console and the documentation take longer, and are built for other tests. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readStamp, stampOf } from '../scripts/build-stamp.ts'
import { repository } from './harness/process.ts'

const folders: string[] = []
after(() => {
  for (const each of folders) rmSync(each, { recursive: true })
})

function newFolder({ isInstalled = true } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  folders.push(root)
  for (const name of ['build-console.ts', 'build-workspace.ts', 'build-stamp.ts'])
    cpSync(join(repository, 'scripts', name), join(root, 'scripts', name))
  cpSync(join(repository, 'package.json'), join(root, 'package.json'))
  if (isInstalled) symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  const files = {
    'package-lock.json': '{}',
    'console/package.json': '{ "type": "module" }',
    'docs/pictures/card.webp': '',
    'examples/workflows/card.yaml': '',
    'shared/limits.ts': '',
    'console/index.html': '<!doctype html><title>x</title><script type="module" src="/main.ts"></script>',
    'console/main.ts': 'document.title = 1',
    'console/run/index.html': '<!doctype html><title>x</title>',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

function build(
  root: string,
  script = 'scripts/build-console.ts',
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, script)], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

test('of concurrent builds one runs, and the others use its result', async () => {
  const root = newFolder()
  const ran = await Promise.all([build(root), build(root), build(root)])
  assert.deepEqual(
    ran.map(({ code }) => code),
    [0, 0, 0],
    ran.map(({ output }) => output).join('\n'),
  )
  assert.equal(ran.filter(({ output }) => output.includes('up to date')).length, 2)
  const built = join(root, 'console/dist')
  assert.equal(
    await readStamp(built),
    await stampOf(root, 'console', ['docs/pictures', 'examples/workflows', 'shared']),
  )
  assert.deepEqual(
    readdirSync(join(root, 'console'))
      .filter((name) => name.startsWith('dist'))
      .sort(),
    ['dist', 'dist.lock'],
  )
})

test('a console that does not compile keeps the previous build, and the error is printed', async () => {
  const root = newFolder()
  assert.equal((await build(root)).code, 0)
  writeFileSync(join(root, 'console/main.ts'), 'const = 1')
  const { code, output } = await build(root)
  assert.equal(code, 1)
  assert.match(output, /main\.ts/)
  assert.ok(existsSync(join(root, 'console/dist/index.html')))
  assert.notEqual(
    await readStamp(join(root, 'console/dist')),
    await stampOf(root, 'console', ['docs/pictures', 'examples/workflows', 'shared']),
  )
})

test('without the packages of the workspace, the build installs them next to it and leaves none behind', async () => {
  const root = newFolder({ isInstalled: false })
  writeFileSync(join(root, '.npmrc'), '')
  const npm = join(root, 'bin/npm')
  mkdirSync(dirname(npm))
  writeFileSync(
    npm,
    `#!/bin/sh\necho "$@" > "${root}/arguments"\nln -s "${join(repository, 'node_modules')}" node_modules\n`,
  )
  chmodSync(npm, 0o755)
  const { code, output } = await build(root, 'scripts/build-console.ts', {
    PATH: `${dirname(npm)}:${process.env.PATH}`,
  })
  assert.equal(code, 0, output)
  const args = readFileSync(join(root, 'arguments'), 'utf8')
  for (const arg of ['ci', '--include=dev', '--ignore-scripts', '--workspace console'])
    assert.ok(args.includes(arg), arg)
  assert.ok(existsSync(join(root, 'console/dist/index.html')))
  assert.deepEqual(
    readdirSync(join(root, 'console'))
      .filter((name) => name.startsWith('dist'))
      .sort(),
    ['dist', 'dist.lock'],
  )
  assert.ok(!existsSync(join(root, 'node_modules')))
  assert.match((await build(root)).output, /up to date/)

  writeFileSync(join(root, 'console/main.ts'), '')
  writeFileSync(npm, '#!/bin/sh\necho "no network" >&2\nexit 1\n')
  const failed = await build(root, 'scripts/build-console.ts', { PATH: `${dirname(npm)}:${process.env.PATH}` })
  assert.equal(failed.code, 1)
  assert.match(failed.output, /no network/)
  assert.ok(existsSync(join(root, 'console/dist/index.html')), 'the previous build is kept')
})
