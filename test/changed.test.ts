/** `npm test -- --changed` runs each test that a change can break, and a few others. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { changedFiles, filesOf, smoke, testsThatReach } from '../scripts/test-runner/changed.ts'
import { findFiles } from '../scripts/test-runner/jobs.ts'
import { repository } from './harness/process.ts'

const sources = {
  'src/plan.ts': "import { size } from './size.ts'\nimport type { Name } from './name.ts'\n",
  'src/size.ts': "export const program = new URL('child.ts', import.meta.url)\n",
  'src/name.ts': 'export type Name = string\n',
  'src/child.ts': 'await import("./lazy.ts")\n'.replaceAll('"', "'"),
  'src/lazy.ts': '',
  'src/alone.ts': '',
  'src/http/server.ts': '',
  'src/plan.test.ts': "import './plan.ts'\n",
  'src/other.test.ts': "// Not './size.ts'.\n",
  'test/samples.test.ts': "const folder = new URL('../examples/samples', import.meta.url)\n",
  'test/golden/golden.test.ts': 'for (const name of names) read(`$' + '{name}/a.png`)\n',
  'test/golden/blur/a.png': '',
  'test/harness/service.ts': "const program = join(repository, 'bin/tintype.js')\n",
  'test/black-box.test.ts': "import './harness/service.ts'\n",
  'bin/tintype.js': "import '../src/plan.ts'\n",
  'examples/samples/a.jpg': '',
  'package.json': '{}',
  'docs/page.md': '',
  'new/unknown.bin': '',
}
const tests = Object.keys(sources).filter((file) => file.endsWith('.test.ts'))

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-changed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(sources)) write(folder, name, text)
  return folder
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const cases: [change: string, files: string[], reached: string[] | 'all'][] = [
  ['an imported file', ['src/size.ts'], ['src/plan.test.ts']],
  ['a program whose address is in a URL, and its lazy import', ['src/lazy.ts'], ['src/plan.test.ts']],
  ['a test', ['src/other.test.ts'], ['src/other.test.ts']],
  ['a file of a folder that a test names', ['examples/samples/new.jpg'], ['test/samples.test.ts']],
  ['a golden image', ['test/golden/blur/a.png'], ['test/golden/golden.test.ts']],
  ['a file that no other imports', ['src/alone.ts'], ['src/plan.test.ts', 'src/other.test.ts']],
  ['a part of the service that all its tests use', ['src/http/server.ts'], ['test/black-box.test.ts']],
  ['a page', ['docs/page.md'], []],
  ['a package', ['src/size.ts', 'package.json'], 'all'],
  ['a file without any relation', ['new/unknown.bin'], 'all'],
]
for (const [change, changed, expected] of cases)
  test(`${change} selects ${expected === 'all' ? 'all tests' : expected.join(', ') || 'no test'}`, (t) => {
    const { reached } = testsThatReach(changed, tests, Object.keys(sources), folderOf(t))
    assert.deepEqual(reached, expected === 'all' ? tests : expected)
  })

test('commits since the base, uncommitted, deleted and untracked files are changes, and ignored files are not', (t) => {
  const folder = folderOf(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'a')
  }
  write(folder, '.gitignore', 'ignored\n')
  git('init', '--quiet', '--initial-branch', 'main')
  commit()
  assert.deepEqual(changedFiles(undefined, folder).changed, [])
  git('checkout', '--quiet', '-b', 'branch')
  write(folder, 'src/size.ts', '1')
  commit()
  write(folder, 'src/plan.ts', '2')
  rmSync(join(folder, 'src/alone.ts'))
  write(folder, 'src/new.ts', '')
  write(folder, 'ignored', '')
  const uncommitted = ['src/alone.ts', 'src/new.ts', 'src/plan.ts']
  assert.deepEqual(changedFiles(undefined, folder).changed, [...uncommitted, 'src/size.ts'])
  assert.deepEqual(changedFiles('HEAD', folder).changed, uncommitted)
  assert.ok(filesOf(folder).includes('src/new.ts'))
  assert.ok(!filesOf(folder).includes('ignored'))
})

// Prevents: a change of the way in which tests name their programs, after which they no longer reach them.
test('in this repository, each operation and each program reaches its tests, and a page of the console reaches few', () => {
  const all = findFiles(undefined, repository)
  const files = filesOf(repository)
  const reachedBy = (file: string) => testsThatReach([file], all, files, repository)
  const expected: Record<string, string[]> = {
    'src/operations/colour/duotone.ts': ['src/operations/colour/duotone.test.ts', 'test/golden/golden.test.ts'],
    'src/imaging/raster/read/pdf-child.ts': ['src/imaging/raster/read/pdf.test.ts', 'test/documents/documents.test.ts'],
    'src/cli/diff.ts': ['test/api/processes.test.ts', 'test/workflows/test-and-diff.test.ts'],
    'src/http/routes/index.ts': ['test/api/all.test.ts', 'test/browser/pages.test.ts'],
    'console/src/main.tsx': ['test/browser/pages.test.ts'],
    'test/contract/keys.ts': ['test/contract/sqlite.test.ts'],
    'scripts/test-runner/run.ts': ['test/runner.test.ts'],
  }
  for (const [file, atLeast] of Object.entries(expected)) {
    const { reached, all: cause } = reachedBy(file)
    assert.equal(cause, undefined, file)
    assert.ok(reached.length < all.length / 2, `${file} reaches ${reached.length} of ${all.length}`)
    for (const each of atLeast) assert.ok(reached.includes(each), `${file} must reach ${each}`)
  }
  assert.deepEqual(findFiles(smoke, repository), smoke.toSorted())
})
